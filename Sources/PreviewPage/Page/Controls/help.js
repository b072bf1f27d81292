"use strict";
// Keyboard shortcuts, and the dialog that lists them.

const SHORTCUTS = [
  ["?", "This list"],
  [`1 – ${TABS.length}`, TABS.map(({ title }, i) => i ? title.toLowerCase() : title).join(", ")],
  ["L", "Locale"],
  ["V", "Device"],
  ["T", "Instant"],
  ["S", "Focus the screen"],
  ["/", "Find an entry, or a text to translate"],
  ["[  ]", "Previous, next locale"],
  ["Backspace", "Back"],
  ["H", "First screen"],
  ["C", "Copy the file and line of the selected text"],
  ["E", "Open the selected text in the editor"],
  ["P", "Keep the selected text"],
  ["M", "Fallback marks on or off"],
  ["B", "This build, live, or side by side"],
  ["D", "Dark or light"],
  ["Q", "This view on a phone"],
  ["N  U", "In translations: next, previous missing text (while typing: Alt and an arrow)"],
  ["Ctrl  Enter", "Save the typed translation"],
  ["Arrows  +  -  0", "Move the focused map, zoom, show all tiles"],
  ["Enter", "On a map: stand at its centre, and list the nearest entries"],
  ["Arrows", "Move among tabs, contents or tools; Tab leaves them"],
  ["Esc", "Close"],
];

class Help {
  constructor() {
    // These need the preview's server.
    const absent = Exported.isOn ? ["T", "E", "Q", "Ctrl  Enter"] : [];
    const rows = SHORTCUTS.filter(([keys]) => !absent.includes(keys)).map(([keys, text]) =>
      make(
        "div",
        { class: "shortcut" },
        make("dt", {}, ...keys.split("  ").map((key) => make("kbd", { text: key }))),
        make("dd", { text }),
      )
    );
    this.dialog = make(
      "dialog",
      { class: "help", "aria-labelledby": "help-title" },
      make(
        "div",
        { class: "pane-head" },
        make("h2", { id: "help-title", text: "Keyboard" }),
        iconButton("close", "Close", () => this.dialog.close()),
      ),
      make("dl", { class: "shortcuts" }, ...rows),
    );
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    document.body.append(this.dialog);
  }

  toggle() {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }
}

/** Returns true if a key belongs to a text field. */
function isTyping(target) {
  return target.matches?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") ?? false;
}

/**
 * Binds single keys to actions; keys with Ctrl, Alt or Meta belong to the browser.
 * @param {Record<string, () => any>} actions
 */
function bindKeys(actions) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") /** @type {HTMLElement} */ (event.target).blur();
      return;
    }
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || document.querySelector("dialog[open]") && event.key !== "?") return;
    event.preventDefault();
    action();
  });
}
