"use strict";
// Pseudo-locales: longer, accented or mirrored texts, which show layout problems and hard-coded texts
// before anything is translated.

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

/** A text with 40 % more, at least one word: about as long as German for English. */
function lengthened(text) {
  const wanted = Math.max(3, Math.ceil([...text].length * 0.4));
  const words = [];
  for (let i = 0, length = 0; length < wanted; i++) {
    words.push(FILLER[i % FILLER.length]);
    length += FILLER[i % FILLER.length].length + 1;
  }
  return `${text} ${words.join(" ")}`;
}

/** A text whose words are displayed from right to left. */
function mirrored(text) {
  return text.replace(/\S+/g, (word) => `\u202e${word}\u202c`);
}

/** The runs of a block of rich text in a pseudo-locale; the words that are added are a run at the end. */
function pseudoRuns(runs, kind) {
  if (!pseudoName(kind) || !runs.length) return runs;
  const change = { accents: accented, both: accented, mirrored }[kind] ?? String;
  const changed = runs.map((run) => (run.image ? run : { ...run, text: change(String(run.text ?? "")) }));
  if (kind === "mirrored") return changed;
  const whole = runs.map(({ text }) => text ?? "").join("");
  const added = kind === "accents" ? "" : lengthened(whole).slice(whole.length);
  return [{ text: "[" }, ...changed, { text: `${kind === "both" ? accented(added) : added}]` }];
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
