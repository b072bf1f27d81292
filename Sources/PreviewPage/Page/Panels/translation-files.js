"use strict";
// The dialogs that export texts for translators, and import their files after showing the changes.

/** What a translation that equals its source text can be. */
const EQUAL_MEANINGS = { "": "Count as the file says", missing: "Are missing", translated: "Are translated" };
/** The most lines of a diff that are shown. */
const MOST_LINES = 2000;

class TranslationFiles {
  /** @type {HTMLElement} */
  formats;

  constructor(panel) {
    this.panel = panel;
    this.translations = panel.translations;
    this.exporting = this.#dialog("Export", this.#exportForm());
    this.importing = this.#dialog("Import", this.#importForm());
    const button = (text, dialog, open) =>
      make("button", {
        type: "button",
        class: "tool",
        // The panel shows the buttons when the server's formats and texts are known.
        hidden: true,
        text,
        on: {
          click: () => {
            open();
            dialog.showModal();
          },
        },
      });
    this.buttons = [
      button("Export …", this.exporting, () => this.#beginExport()),
      button("Import …", this.importing, () => this.#beginImport()),
    ];
  }

  #dialog(title, body) {
    const id = `translations-${title.toLowerCase()}`;
    const dialog = make(
      "dialog",
      { class: "help files", "aria-labelledby": id },
      make(
        "div",
        { class: "pane-head" },
        make("h2", { id, text: `${title} translations` }),
        iconButton("close", "Close", () => dialog.close()),
      ),
      body,
    );
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    document.body.append(dialog);
    return dialog;
  }

  #exportForm() {
    this.exportLead = make("p", { class: "hint" });
    this.formats = make("fieldset", { class: "choice-lines" }, make("legend", { text: "Format" }));
    this.missing = make("input", { type: "checkbox" });
    this.exportResult = make("p", { class: "files-result", role: "status" });
    return make(
      "div",
      { class: "files-body" },
      this.exportLead,
      this.formats,
      make("label", { class: "choice-line" }, this.missing, "Only missing texts"),
      make("button", { type: "button", class: "copy", text: "Export", on: { click: () => this.#export() } }),
      this.exportResult,
    );
  }

  #beginExport() {
    this.exportLead.textContent = `The texts of this content and their translations into ${this.panel.localeName}.`;
    this.exportResult.textContent = "";
    if (this.formats.querySelector("input")) return;
    this.formats.append(
      ...this.translations.known.formats.map(({ name, label }, i) =>
        make(
          "label",
          { class: "choice-line" },
          make("input", { type: "radio", name: "format", value: name, checked: i === 0 }),
          label,
        )
      ),
    );
  }

  async #export() {
    const { value: format } = /** @type {HTMLInputElement} */ (this.formats.querySelector("input:checked"));
    try {
      await this.translations.export(format, this.missing.checked);
      this.exportResult.textContent = `Saved as ${this.translations.known.locale}.${format}`;
    } catch (error) {
      this.exportResult.textContent = error.message;
    }
  }

  #importForm() {
    this.file = make("input", {
      type: "file",
      "aria-label": "File",
      on: { change: () => this.#try() },
    });
    this.equalAs = make(
      "select",
      { id: "equal-as", on: { change: () => this.#try() } },
      ...Object.entries(EQUAL_MEANINGS).map(([value, text]) => make("option", { value, text })),
    );
    this.equal = make(
      "p",
      { class: "choice-line", hidden: true },
      make("label", { for: "equal-as", text: "Texts that equal their source" }),
      this.equalAs,
    );
    this.importResult = make("div", { class: "files-result", role: "status" });
    this.change = make("div", { class: "files-change" });
    this.confirm = make("button", {
      type: "button",
      class: "copy",
      text: "Import",
      hidden: true,
      on: { click: () => this.#import() },
    });
    this.importHint = make("div", {});
    return make(
      "div",
      { class: "files-body" },
      this.importHint,
      this.file,
      this.equal,
      this.importResult,
      this.change,
      this.confirm,
    );
  }

  #beginImport() {
    const { isEditable } = this.translations;
    this.importHint.replaceChildren(
      ...isEditable
        ? [make("p", { class: "hint", text: "Choose a file from a translator. Its changes are shown first." })]
        : [editHint(this.panel.session)],
    );
    const accept = this.translations.known.formats.flatMap(({ extensions }) => extensions).join(",");
    Object.assign(this.file, { disabled: !isEditable, value: "", accept });
    this.equalAs.value = "";
    this.equal.hidden = true;
    this.#clear();
  }

  #clear() {
    this.importResult.replaceChildren();
    this.change.replaceChildren();
    this.confirm.hidden = true;
  }

  /** Shows what an import would change. */
  async #try() {
    this.#clear();
    const [file] = this.file.files;
    if (!file) return;
    const report = await this.#send(file, true);
    if (!report) return;
    this.confirm.hidden = report.isRefused || report.changedUnits === 0;
    if (report.equalUnits) this.equal.hidden = false;
    this.#report(
      report,
      report.changedUnits
        ? `Changes ${counted(report.changedUnits, "text")} in ${counted(report.changedFiles.length, "file")}`
        : "The file changes nothing",
    );
  }

  async #import() {
    const [file] = this.file.files;
    this.confirm.hidden = true;
    const report = file && await this.#send(file, false);
    if (!report) return;
    this.#report(report, `Imported ${counted(report.changedUnits, "text")} into ${report.changedFiles.join(", ")}`);
    if (report.isRefused) return;
    this.change.replaceChildren();
    await this.panel.reload();
  }

  async #send(file, isDryRun) {
    try {
      return await this.translations.importFile(file, isDryRun, this.equalAs.value);
    } catch (error) {
      this.importResult.replaceChildren(
        make("p", { class: "unit-message error" }, icon("alert"), make("span", { text: error.message })),
      );
      return undefined;
    }
  }

  #report({ isRefused, diagnostics, diff, refusedUnits, equalUnits }, text) {
    const messages = diagnostics.slice(0, 100).map(({ severity, message, line }) =>
      make(
        "li",
        { class: `unit-message ${severity}` },
        icon("alert"),
        make("span", { dir: "auto", text: line ? `Line ${line}: ${message}` : message }),
      )
    );
    const notes = [
      ...equalUnits ? [`${counted(equalUnits, "text")} of the file equal to the source`] : [],
      ...refusedUnits ? [`${counted(refusedUnits, "text")} with a mistake left out`] : [],
    ];
    this.importResult.replaceChildren(
      make("p", {}, make("strong", { text: isRefused ? "The file cannot be imported." : [text, ...notes].join("; ") })),
      ...messages.length ? [make("ul", {}, ...messages, ...more(diagnostics.length - 100, "message"))] : [],
    );
    this.change.replaceChildren(
      ...diff ? [make("pre", { class: "diff-text", tabindex: 0, "aria-label": "Changes" }, ...diffLines(diff))] : [],
    );
  }
}

/** The lines of a unified diff, with added and removed ones marked. */
function diffLines(diff) {
  const lines = diff.replace(/\n$/, "").split("\n");
  const kind = (line) => {
    if (/^(\+\+\+|---|@@|diff )/.test(line)) return "dim";
    return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "";
  };
  const nodes = lines.slice(0, MOST_LINES).map((line) =>
    make("span", { class: `diff-line ${kind(line)}`, text: `${line}\n` })
  );
  return lines.length > MOST_LINES ? [...nodes, own(`and ${counted(lines.length - MOST_LINES, "more line")}`)] : nodes;
}

/** The way to turn saving on. */
function editHint(session) {
  const start = startCommand(without(session, "--lan"), "--edit");
  return make(
    "div",
    { class: "edit-hint" },
    make("p", {}, "This preview only reads. To translate here, start on this machine:"),
    command(start),
  );
}
