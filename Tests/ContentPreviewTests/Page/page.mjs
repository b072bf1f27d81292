// Runs the page's scripts in Node.

import { webcrypto } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import vm from "node:vm";

const PAGE = new URL("../../../Sources/PreviewPage/Page/", import.meta.url);
const FOLDERS = [
  "",
  ...readdirSync(PAGE, { withFileTypes: true }).filter((one) => one.isDirectory()).map((one) => `${one.name}/`),
];

// Node 18 has it only in its module.
globalThis.crypto ??= webcrypto;

/** Values that PageVectorsTests.swift reads, too. */
export const vectors = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"));

/** The names of all scripts in the order in which the page runs them. */
const scripts = [...readFileSync(new URL("index.html", PAGE), "utf8").matchAll(/<!-- script: (\S+) -->/g)]
  .map(([, name]) => name);

/** Returns the address of a script. */
function place(name) {
  const found = FOLDERS.map((folder) => new URL(folder + name, PAGE)).find(existsSync);
  if (!found) throw new Error(`the page has no script ${name}`);
  return found;
}

/**
 * Runs scripts in the global scope, as the page's `<script>` elements do, and returns the declarations named. The scripts
 * are those in one of the folders, or with one of the names.
 */
export function load(chosen, declarations) {
  for (const name of scripts) {
    const address = place(name);
    if (![name, basename(new URL(".", address).pathname)].some((word) => chosen.includes(word))) continue;
    vm.runInThisContext(readFileSync(address, "utf8"), { filename: address.pathname });
  }
  return vm.runInThisContext(`({ ${declarations.join(", ")} })`);
}

/** The bytes of a base64 text. */
export function bytesOf(base64) {
  return new Uint8Array(Buffer.from(base64, "base64"));
}

/** A generator of numbers from 0 up to 1 that depend on its seed only. */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Replaces `fetch` by a function that answers from a table of paths. A value is a text, bytes, or
 * `{status, headers, body}`; a list has one answer for each request, and the last one repeats. Returns the list of
 * requests: `{path, options}`.
 */
export function serve(answers) {
  const requests = [];
  globalThis.fetch = (path, options = {}) => {
    requests.push({ path, options });
    const known = answers[path];
    const next = Array.isArray(known) ? (known.length > 1 ? known.shift() : known[0]) : known;
    if (next === undefined) return Promise.resolve(new Response("{}", { status: 404 }));
    const isBody = typeof next === "string" || next instanceof Uint8Array;
    const { status = 200, headers = {}, body = null } = isBody ? { body: next } : next;
    return Promise.resolve(new Response(status === 304 ? null : body, { status, headers }));
  };
  return requests;
}
