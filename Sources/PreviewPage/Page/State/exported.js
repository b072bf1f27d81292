"use strict";
// An exported preview: a plain file server has the page, and the answers of the preview's server for some readers.

const Exported = {
  /** True if this page is exported. */
  isOn: document.documentElement?.dataset.exported !== undefined,

  /**
   * The state of the build in `export.json`; undefined before it is read.
   * @type {BuildState | undefined}
   */
  state: undefined,

  /**
   * What is known about the export; undefined on the page of a server.
   * @returns {ExportFacts | undefined}
   */
  get facts() {
    return Exported.state?.exported;
  },

  /** The path before the files of the build. It is relative: the export can be in any folder of a server. */
  get root() {
    return Exported.isOn ? "." : "";
  },

  /**
   * Returns the answer of a file to a question for the server; throws if this export has no such reader.
   * @param {string} name
   * @param {Record<string, string | undefined>} parameters
   */
  async ask(name, { entry = "", datatype = "", at, ...reader }) {
    if (!isExportedReader(name, reader)) throw new Error("This exported preview does not have this reader.");
    const kind = entry.split("/")[0];
    const question = name === "explain" ? { ...reader, datatype: kind } : reader;
    const response = await fetch(await Exported.address(name, question));
    if (!response.ok) throw new Error(`This exported preview has no file for “${name}”: status ${response.status}`);
    const answer = await (await unpacked(response)).json();
    if (name === "explain") {
      if (!Object.hasOwn(answer.entries, entry)) throw new Error(`There is no entry “${entry}”.`);
      return answer.entries[entry];
    }
    if (name === "coverage" && datatype) {
      const entries = answer.entries.filter((/** @type {{ entry: string }} */ one) =>
        one.entry.split("/")[0] === datatype
      );
      return { ...answer, entries };
    }
    return answer;
  },

  /**
   * The path of the file with an answer: the preview's server writes it under the same name (ExportedAnswer.swift).
   * @param {string} name
   * @param {Record<string, string | undefined>} parameters
   */
  async address(name, parameters) {
    const given = filled(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
    const question = [name, ...given.map(([key, value]) => `${key}=${value}`)].join("\n");
    return `./api/${(await SHA256.hex(new TextEncoder().encode(question))).slice(0, 32)}.bin`;
  },

  /**
   * The path of an object's file. Files in which a browser could run scripts have a second extension.
   * @param {string} path
   */
  object(path) {
    if (!Exported.facts || Exported.facts.endings.includes(path.slice(path.lastIndexOf(".") + 1))) return path;
    return path + HIDDEN_ENDING;
  },

  /**
   * Returns true for the path of a file that servers send without its type.
   * @param {string} path
   */
  isHidden(path) {
    return Exported.isOn && path.endsWith(HIDDEN_ENDING);
  },

  /**
   * A file that servers send without its type, as it is in the content.
   * @param {string} path
   * @param {string} type
   */
  async file(path, type) {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path}: status ${response.status}`);
    return new Blob([await (await unpacked(response)).arrayBuffer()], { type });
  },

  /**
   * A picture as an address that has its type. Nothing in such a picture runs, even if it is opened by itself.
   * @param {string} path
   * @param {string} type
   * @returns {Promise<string>}
   */
  async picture(path, type) {
    const blob = await Exported.file(path, type);
    return new Promise((done, fail) => {
      const reader = new FileReader();
      reader.onload = () => done(/** @type {string} */ (reader.result));
      reader.onerror = () => fail(reader.error);
      reader.readAsDataURL(blob);
    });
  },
};

/**
 * The content of a file that is compressed by gzip.
 * @param {Response} response
 */
async function unpacked(response) {
  return new Response((await response.blob()).stream().pipeThrough(new DecompressionStream("gzip")));
}

/** The ending that an export adds to the name of a compressed file, which servers must send without its type. */
const HIDDEN_ENDING = ".bin";

/**
 * True if the export has a reader. A question without a locale is about all content, and coverage has all locales.
 * @param {string} name
 * @param {Record<string, string | undefined>} reader
 */
function isExportedReader(name, { locale, device, country, app }) {
  const { state } = Exported;
  if (!state || name === "coverage") return true;
  return (!locale || state.locales.some(({ tag }) => tag === locale)) &&
    (!device || isExportedDevice(state, device)) &&
    (!country || state.countries.includes(country)) &&
    (!app || state.versions.includes(app));
}

/**
 * @param {BuildState} state
 * @param {string} device
 */
function isExportedDevice({ devices, exported }, device) {
  return device === "any" ? exported?.hasOtherDevices !== false : devices.some(({ name }) => name === device);
}
