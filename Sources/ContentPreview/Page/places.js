"use strict";
// Places in files, as `content/a.yaml:7`: copied, and opened in an editor where the preview was started with one.

const Places = {
  /** `{template, root}` of the editor, as `/api/state` tells it to pages on this machine. */
  editor: undefined,

  /** The address that opens a place in the editor; undefined without one. */
  address(location) {
    if (!Places.editor || !location) return undefined;
    const [, path, line = "1", column = "1"] = location.match(/^(.*?)(?::(\d+))?(?::(\d+))?$/s);
    const whole = path.startsWith("/") ? path : `${Places.editor.root}/${path}`;
    const values = { path: whole.split("/").map(encodeURIComponent).join("/"), line, column };
    return Places.editor.template.replace(/\{(path|line|column)\}/g, (_, name) => values[name]);
  },

  async copy(location) {
    await copyText(shortPlace(location));
    say(`Copied ${shortPlace(location)}`);
  },

  /** Opens a place in the editor, or says how to name one. */
  open(location) {
    const address = Places.address(location);
    if (!address) return say("No editor is known: start with contentc preview --editor vscode");
    make("a", { href: address }).click();
    return say(`Opened ${shortPlace(location)}`);
  },

  /** A place as a link into the editor, or as a button that copies it. `text` is what is shown. */
  link(location, text = shortPlace(location)) {
    const address = Places.address(location);
    const parts = breakable(text);
    if (address) return make("a", { class: "text-button place-link", href: address, title: `Open ${shortPlace(location)} in the editor` }, ...parts);
    return make("button", { type: "button", class: "text-button place-link", title: `Copy ${shortPlace(location)}`, on: { click: () => Places.copy(location) } }, ...parts);
  },
};

/** `file:line`, as editors take it; the column stays in the tooltip. */
function shortPlace(location) {
  return location.replace(/^(.*:\d+):\d+$/, "$1");
}

/** A path that may break after its slashes. */
function breakable(path) {
  return path.split(/(?<=\/)/).flatMap((part) => [part, make("wbr")]);
}
