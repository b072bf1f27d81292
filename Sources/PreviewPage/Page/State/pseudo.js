"use strict";
// The pseudo-locales, which show layout problems and hard-coded texts before anything is translated.
// The server makes them of the content, as 'contentc build --pseudo' does.

const PSEUDO = {
  "en-XA": "en-XA: accents, 40 % longer",
  "ar-XB": "ar-XB: right to left",
};

/** @param {string} tag */
function isPseudo(tag) {
  return Object.hasOwn(PSEUDO, tag);
}
