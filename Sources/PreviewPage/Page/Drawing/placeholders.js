"use strict";
// Placeholders of texts, such as `{name}`, `%{name}`, `%@` and `%2$d`, as docs/reference/content.md has them.

const PLACEHOLDER =
  /%?\{[\p{L}\p{N}_][\p{L}\p{N}_.-]*\}|(?<!%)%(?:\d+\$)?[-+#0]*\d*(?:\.\d+)?(?:hh|h|ll|l|q|z|t|j|L)?[@dDiuUxXoOfFeEgGaAcCsSp](?![\p{L}\p{N}])/gu;

/** The placeholders of a text in their order: `{text, name, isWhole, start, end}`. */
function placeholders(text) {
  return [...text.matchAll(PLACEHOLDER)].filter(({ 0: found, index }) =>
    found.includes("{") || !/\d/.test(text[index - 1] ?? "")
  ).map(({ 0: found, index }) => ({
    text: found,
    name: found.includes("{") ? found.replace(/^%?\{|\}$/g, "") : undefined,
    isWhole: /^%.*[diuDU]$/.test(found),
    start: index,
    end: index + found.length,
  }));
}

/** A text as nodes, with its placeholders marked. */
function markedPlaceholders(text) {
  const nodes = [];
  let at = 0;
  for (const { text: found, start, end } of placeholders(text)) {
    nodes.push(text.slice(at, start), make("mark", { class: "placeholder", dir: "ltr", text: found }));
    at = end;
  }
  return [...nodes, text.slice(at)].filter((node) => node !== "");
}

/** The placeholders of a source text, each with its presence in a translation, and those that only the translation has. */
function comparedPlaceholders(source, target) {
  const [wanted, found] = [source, target].map((text) => [...new Set(placeholders(text).map((one) => one.text))]);
  return [
    ...wanted.map((text) => ({ text, state: found.includes(text) ? "kept" : "absent" })),
    ...found.filter((text) => !wanted.includes(text)).map((text) => ({ text, state: "unknown" })),
  ];
}
