"use strict";
// The marks on differences between two frames of the same place.

/** Marks differences in both frames and returns their number; `paths` differ although it is not visible. */
function markDifferences(one, other, paths = new Set()) {
  const [mine, theirs] = [one, other].map((frame) => partsOf(frame.body));
  const differing = [...new Set([...mine.keys(), ...theirs.keys()])].filter((key) =>
    mine.get(key)?.shown !== theirs.get(key)?.shown || paths.has(key)
  );
  for (const frame of [one, other]) {
    for (const part of frame.body.querySelectorAll(".differs")) part.classList.remove("differs");
  }
  for (const key of differing) for (const parts of [mine, theirs]) parts.get(key)?.element.classList.add("differs");
  return differing.length;
}

function clearDifferences(...frames) {
  for (const frame of frames) {
    for (const part of frame.body.querySelectorAll(".differs")) part.classList.remove("differs");
  }
}

/** The parts of a frame by entry and path, each with its text or file. */
function partsOf(body) {
  const parts = new Map();
  for (const element of body.querySelectorAll("[data-path]")) {
    // An object's address differs between a channel and the build.
    const shown = element.currentSrc || element.src || element.href;
    parts.set(`${element.dataset.entry} ${element.dataset.path}`, {
      element,
      shown: element.shownValue ??
        (shown ? shown.split("/").pop() : element.matches(".text") ? element.firstChild?.data : element.placeholder),
    });
  }
  return parts;
}
