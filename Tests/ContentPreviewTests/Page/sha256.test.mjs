import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { load, vectors } from "./page.mjs";

const { SHA256, hexadecimal } = load(["sha256.js"], ["SHA256", "hexadecimal"]);

function message({ text, count }) {
  return text === undefined ? Uint8Array.from({ length: count }, (_, i) => i * 31) : new TextEncoder().encode(text);
}

for (const vector of vectors.sha256) {
  test(`the hash of ${vector.text === undefined ? `${vector.count} bytes` : JSON.stringify(vector.text)} is that of the compiler`, async () => {
    assert.equal(hexadecimal(SHA256.ours(message(vector))), vector.hex);
    assert.equal(await SHA256.hex(message(vector)), vector.hex);
  });
}

test("messages around the length of a block have the hashes of Node", () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7 + length);
    assert.equal(hexadecimal(SHA256.ours(bytes)), createHash("sha256").update(bytes).digest("hex"), `${length} bytes`);
  }
});

test("a part of a buffer has the hash of its own bytes", () => {
  const bytes = new Uint8Array([9, 9, 97, 98, 99, 9]).subarray(2, 5);
  assert.equal(hexadecimal(SHA256.ours(bytes)), createHash("sha256").update("abc").digest("hex"));
});

test("a page without the browser's implementation uses the own one", async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  try {
    assert.equal(await SHA256.hex(new Uint8Array(0)), createHash("sha256").digest("hex"));
  } finally {
    Object.defineProperty(globalThis, "crypto", own ?? { value: undefined, configurable: true });
  }
});
