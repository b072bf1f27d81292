// Finds options: the search would take the hyphens of "--json" for the operator that excludes a word.
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...others) {
  const isQuery = typeof message?.data === "string";
  const plain = isQuery ? { ...message, data: message.data.replace(/(^|\s)-+(?=\S)/g, "$1") } : message;
  return postMessage.call(this, plain, ...others);
};

// The theme adds a landmark to each block of code, for its button. A screen reader would list them all.
new MutationObserver(() => {
  for (const bar of document.querySelectorAll(".md-code__nav:not([role])")) {
    bar.setAttribute("role", "none");
  }
}).observe(document.body, { childList: true, subtree: true });
