"use strict";
// Two frames of the same place, side by side: parts that differ are marked in both.

/** Marks what differs between frames and gives the number of fields; `paths` are known to differ beside what can be seen. */
function markDifferences(one, other, paths = new Set()) {
  const [mine, theirs] = [one, other].map((frame) => partsOf(frame.body));
  const differing = [...new Set([...mine.keys(), ...theirs.keys()])].filter((key) => mine.get(key)?.shown !== theirs.get(key)?.shown || paths.has(key));
  for (const frame of [one, other]) for (const part of frame.body.querySelectorAll(".differs")) part.classList.remove("differs");
  for (const key of differing) for (const parts of [mine, theirs]) parts.get(key)?.element.classList.add("differs");
  return differing.length;
}

function clearDifferences(...frames) {
  for (const frame of frames) for (const part of frame.body.querySelectorAll(".differs")) part.classList.remove("differs");
}

/** Entry and path of each part that a body shows, with the text or the file. */
function partsOf(body) {
  const parts = new Map();
  for (const element of body.querySelectorAll("[data-path]")) {
    // The same object has another address in a channel than in the build.
    const shown = element.currentSrc || element.src || element.href;
    parts.set(`${element.dataset.entry} ${element.dataset.path}`, { element, shown: shown ? shown.split("/").pop() : element.matches(".text") ? element.firstChild?.data : element.placeholder });
  }
  return parts;
}
