"use strict";
// The diagnostics of the last save as in the terminal: message, source line, caret and notes.

class ProblemsPanel {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.lead = make("p", { class: "lead" });
    this.list = make("ol", { class: "problem-list" });
    this.empty = make("div", {});
    this.copy = make(
      "button",
      { type: "button", class: "tool", on: { click: () => this.#copyAll() } },
      icon("copy"),
      "Copy as text",
    );
    this.element = make(
      "div",
      { class: "panel problems" },
      panelHead("Problems", this.copy),
      this.lead,
      this.empty,
      this.list,
    );
  }

  update() {
    const { problems, errors, state } = this.session;
    const warnings = problems.length - errors.length;
    const kept = errors.length && state.build
      ? ` The page shows the last good build, of ${shownInstant(Date.parse(state.build.at))}.`
      : "";
    this.lead.textContent = problems.length
      ? `${
        [errors.length && counted(errors.length, "error"), warnings && counted(warnings, "warning")].filter(Boolean)
          .join(", ")
      } in the last save.${kept}`
      : "";
    this.copy.hidden = !problems.length;
    this.empty.replaceChildren(
      ...problems.length ? [] : [
        emptyState(
          "check",
          "The content has no problems.",
          "Mistakes in a save are listed here, with their lines and suggestions.",
          make("button", {
            type: "button",
            class: "tool",
            text: "Show the screen",
            on: { click: () => this.session.view.set({ tab: "preview" }) },
          }),
        ),
      ],
    );
    this.list.replaceChildren(
      ...problems.slice(0, 300).map((problem) => this.#problem(problem)),
      ...more(problems.length - 300, "problem"),
    );
  }

  /** @param {Problem} problem */
  #problem({ severity, message, rule, file, line, column, length, source, suggestion, notes = [] }) {
    return make(
      "li",
      { class: `problem ${severity}` },
      make(
        "div",
        { class: "problem-head" },
        make("span", { class: `kind kind-${severity}`, text: severity }),
        make("span", { class: "problem-message", dir: "auto", text: message }),
        rule && make("code", { class: "rule", text: rule }),
      ),
      file && this.#place(file, line, column),
      source !== undefined && source !== null &&
        make(
          "pre",
          { class: "source", tabindex: 0, "aria-label": "Source line" },
          ...sourceWithCaret({ source, line, column, length, suggestion }),
        ),
      ...notes.map((note) =>
        make(
          "p",
          { class: "note" },
          make("span", { class: "dim", text: "note: " }),
          note.message,
          note.file && this.#place(note.file, note.line, note.column),
        )
      ),
    );
  }

  #place(file, line, column) {
    const location = [file, line, column].filter(Boolean).join(":");
    return make(
      "p",
      { class: "place-line" },
      Places.link(location, location),
      Places.address(location) &&
        iconButton("copy", `Copy ${shortPlace(location)}`, () => Places.copy(location), { class: "icon-button small" }),
    );
  }

  async #copyAll() {
    await copyText(this.session.state.text ?? "");
    say("Copied all problems as text");
  }
}

/** A source line with its number, a caret, and the suggestion in the same column. */
function sourceWithCaret({ source, line, column = 1, length = 1, suggestion }) {
  const number = String(line ?? "");
  const gutter = `${" ".repeat(number.length)} | `;
  const indent = [...source].slice(0, column - 1).map((character) => (character === "\t" ? "\t" : " ")).join("");
  const caret = `${indent}^${"~".repeat(Math.max(0, Math.min(length, source.length + 1) - 1))}`;
  return [
    make("span", { class: "gutter", text: `${number} | ` }),
    make("bdi", { text: source }),
    below(gutter),
    make("span", { class: "caret", text: caret }),
    ...suggestion ? [below(gutter), make("span", { class: "suggestion", text: `${indent}${suggestion}` })] : [],
  ];
}

/** A new line with the gutter below a source line. */
function below(gutter) {
  return make("span", { class: "gutter", text: `\n${gutter}` });
}
