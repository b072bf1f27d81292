"use strict";
// Pseudo-locales: texts made longer, accented or mirrored, which show what will not fit and what is not translated before
// any translator has begun.

const PSEUDO = {
  accents: "accented",
  longer: "40 % longer",
  both: "both",
  mirrored: "mirrored",
};

const ACCENTED = new Map([..."AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz"].map((letter, i) => [
  letter, [..."ÅåƁƀÇçÐðÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀṁÑñÖöÞþǪǫŔŕŠšŢţÛûṼṽŴŵẊẋÝýŽž"][i],
]));
const FILLER = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(" ");

function pseudoName(kind) {
  return Object.hasOwn(PSEUDO, kind) ? PSEUDO[kind] : undefined;
}

function accented(text) {
  return Array.from(text, (letter) => ACCENTED.get(letter) ?? letter).join("");
}

/** The text and 40 % more, at least one word: about what German makes of English. */
function lengthened(text) {
  const wanted = Math.max(3, Math.ceil([...text].length * 0.4));
  const words = [];
  for (let i = 0, length = 0; length < wanted; i++) {
    words.push(FILLER[i % FILLER.length]);
    length += FILLER[i % FILLER.length].length + 1;
  }
  return `${text} ${words.join(" ")}`;
}

/** Each word within marks that turn its letters around. */
function mirrored(text) {
  return text.replace(/\S+/g, (word) => `\u202e${word}\u202c`);
}

function pseudo(text, kind) {
  switch (kind) {
    case "accents": return `[${accented(text)}]`;
    case "longer": return `[${lengthened(text)}]`;
    case "both": return `[${accented(lengthened(text))}]`;
    case "mirrored": return mirrored(text);
    default: return text;
  }
}
