"use strict";
// Places in files such as `content/a.yaml:7`: copied, or opened in the editor of `--editor`.

const Places = {
  /**
   * The editor's `{template, root}`, which `/api/state` has for pages on this machine only.
   * @type {Editor | undefined}
   */
  editor: undefined,

  /**
   * The address that opens a place in the editor; undefined without an editor.
   * @param {string|undefined} location
   */
  address(location) {
    if (!Places.editor || !location) return undefined;
    const [, path, line = "1", column = "1"] = location.match(/^(.*?)(?::(\d+))?(?::(\d+))?$/s) ?? ["", ""];
    const whole = path.startsWith("/") ? path : `${Places.editor.root}/${path}`;
    /** @type {Record<string, string>} */
    const values = { path: whole.split("/").map(encodeURIComponent).join("/"), line, column };
    return Places.editor.template.replace(/\{(path|line|column)\}/g, (_, name) => values[name]);
  },

  /** @param {string} location */
  async copy(location) {
    await copyText(shortPlace(location));
    say(`Copied ${shortPlace(location)}`);
  },

  /**
   * Opens a place in the editor.
   * @param {string} location
   */
  open(location) {
    const address = Places.address(location);
    if (!address) return say("No editor is set: start with contentc preview --editor vscode");
    make("a", { href: address }).click();
    return say(`Opened ${shortPlace(location)}`);
  },

  /**
   * A link that opens a place in the editor, or a button that copies it.
   * @param {string} location
   * @param {string} text
   */
  link(location, text = shortPlace(location)) {
    const address = Places.address(location);
    const parts = breakable(text);
    if (address) {
      return make("a", {
        class: "text-button place-link",
        href: address,
        title: `Open ${shortPlace(location)} in the editor`,
      }, ...parts);
    }
    return make("button", {
      type: "button",
      class: "text-button place-link",
      title: `Copy ${shortPlace(location)}`,
      on: { click: () => Places.copy(location) },
    }, ...parts);
  },
};

/**
 * A place without its column.
 * @param {string} location
 */
function shortPlace(location) {
  return location.replace(/^(.*:\d+):\d+$/, "$1");
}

/**
 * A path that may break after its slashes.
 * @param {string} path
 */
function breakable(path) {
  return path.split(/(?<=\/)/).flatMap((part) => [part, make("wbr")]);
}
