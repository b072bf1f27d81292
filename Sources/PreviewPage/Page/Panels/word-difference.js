"use strict";
// The words by which two texts differ.

/** The most words of a text that are compared; longer texts differ as a whole. */
const MOST_WORDS = 2000;

/** Words, spaces and signs of a text. Scripts without spaces are divided into single characters. */
function wordsOf(text) {
  return text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}_]+|\s+|./gsu,
  ) ?? [];
}

/** Two texts as nodes, in which the words that the other text does not have are marked. */
function markedWords(old, now) {
  const [before, after] = [old, now].map(wordsOf);
  if (before.length > MOST_WORDS || after.length > MOST_WORDS) return [[old], [now]];
  const common = commonWords(before, after);
  // Texts that share little are easier to read without marks.
  const shared = common.filter(([i]) => /[\p{L}\p{N}]/u.test(before[i])).length;
  if (shared * 3 < before.filter((word) => /[\p{L}\p{N}]/u.test(word)).length) return [[old], [now]];
  return [marked(before, new Set(common.map(([i]) => i))), marked(after, new Set(common.map(([, j]) => j)))];
}

/** The pairs of indexes of a longest common subsequence. */
function commonWords(before, after) {
  let [start, end] = [0, 0];
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) {
    end += 1;
  }
  const [rows, columns] = [before.length - start - end, after.length - start - end];
  const lengths = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      lengths[i][j] = before[start + i] === after[start + j]
        ? lengths[i + 1][j + 1] + 1
        : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const pairs = Array.from({ length: start }, (_, i) => [i, i]);
  for (let i = 0, j = 0; i < rows && j < columns;) {
    if (before[start + i] === after[start + j]) pairs.push([start + i++, start + j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i += 1;
    else j += 1;
  }
  for (let k = end; k > 0; k -= 1) pairs.push([before.length - k, after.length - k]);
  return pairs;
}

/** Words as nodes; neighbours that are not kept are one mark. */
function marked(words, kept) {
  const nodes = [];
  for (let i = 0; i < words.length;) {
    const isKept = kept.has(i);
    let text = "";
    for (; i < words.length && kept.has(i) === isKept; i += 1) text += words[i];
    nodes.push(isKept ? text : make("mark", { text }));
  }
  return nodes;
}
