"use strict";
// One text and its translation, side by side, with all that a translator needs to know about it.

const PROGRESS = {
  missing: "Missing",
  outdated: "Outdated",
  review: "Needs review",
  translated: "Translated",
  final: "Final",
};

class TranslationRow {
  /** `panel` has the translations, and is told about the focus. */
  constructor(unit, panel) {
    this.unit = unit;
    this.panel = panel;
    this.translations = panel.translations;
    this.locale = panel.translations.known.locale;
    const cut = unit.id.indexOf("#") + 1;
    this.path = unit.id.slice(cut);
    this.state = make("span", { class: "unit-state" });
    this.place = make("span", { class: "unit-place" });
    this.source = make("div", {
      class: `unit-text unit-source${unit.isMarkdown ? " code" : ""}`,
      ...panel.look(panel.translations.known.source),
    });
    this.target = make("div", { class: "unit-target" });
    this.below = make("div", { class: "unit-below" });
    this.element = make(
      "li",
      { class: "unit", "data-unit": unit.id, on: { focusin: () => panel.focused(this) } },
      make(
        "div",
        { class: "unit-head" },
        make("code", { class: "unit-path", text: this.path }),
        this.state,
        unit.isMarkdown && make("span", { class: "tag", text: "Markdown" }),
        this.place,
      ),
      make("div", { class: "unit-texts" }, this.source, this.target),
      this.below,
    );
    this.#build();
    this.update(unit);
  }

  #build() {
    const look = this.panel.look(this.locale);
    this.inherited = make("p", { class: "unit-inherited" });
    if (!this.translations.isEditable) {
      this.shown = make("div", {
        class: "unit-text",
        tabindex: 0,
        role: "group",
        "aria-label": `${this.path}: translation`,
        ...look,
      });
      return this.target.replaceChildren(this.shown, this.inherited);
    }
    this.area = make("textarea", {
      class: `unit-text unit-area${this.unit.isMarkdown ? " code" : ""}`,
      rows: 1,
      "aria-label": `${this.path}: translation`,
      ...look,
      on: { input: () => this.#typed(), keydown: (event) => this.#key(event) },
    });
    this.holders = make("span", { class: "unit-holders" });
    this.count = make("span", { class: "unit-count" });
    this.saving = make("button", { type: "button", class: "tool unit-save", on: { click: () => this.save() } }, "Save");
    this.discarding = make("button", {
      type: "button",
      class: "tool",
      text: "Discard",
      title: "Discard the typed text",
      on: { click: () => this.#discard() },
    });
    this.starting = make("button", {
      type: "button",
      class: "tool",
      text: "Copy source",
      title: "Begin with the source text",
      on: { click: () => this.#insert(this.unit.source) },
    });
    this.conflict = make("div", { class: "unit-conflict", role: "alert" });
    this.result = make("div", { class: "unit-result", id: `unit-${TranslationRow.next++}` });
    this.area.setAttribute("aria-describedby", this.result.id);
    return this.target.replaceChildren(
      this.area,
      make("div", { class: "unit-tools" }, this.holders, this.count, this.starting, this.discarding, this.saving),
      this.conflict,
      this.result,
      this.inherited,
    );
  }

  get draft() {
    return this.translations.drafts.get(this.locale, this.unit.id);
  }

  /** The typed text, or the one in the file. */
  get text() {
    return this.draft?.text ?? this.unit.target ?? "";
  }

  /** Returns true if the file has other texts than those that the person saw when they began to type. */
  get isInConflict() {
    const { draft, unit } = this;
    return Boolean(draft) && (draft.source !== unit.source || draft.previous !== unit.target);
  }

  /** Shows the unit as the file has it now; a typed text stays. */
  update(unit) {
    const key = JSON.stringify([unit, this.draft]);
    if (key === this.drawn) return;
    this.unit = unit;
    // The same text was typed here and written to the file.
    if (this.draft && this.draft.text === unit.target) this.translations.drafts.drop(this.locale, unit.id);
    this.drawn = JSON.stringify([unit, this.draft]);
    const state = progress(unit);
    this.element.dataset.state = state;
    this.state.className = `unit-state state-${state}`;
    this.state.textContent = PROGRESS[state];
    this.state.title = state === "outdated" ? "The source text has changed since this translation" : "";
    this.place.replaceChildren(...unit.location ? [Places.link(unit.location)] : []);
    this.source.replaceChildren(...markedPlaceholders(unit.source));
    this.#drawBelow();
    this.#drawInherited();
    if (this.shown) {
      this.shown.replaceChildren(
        ...unit.target === undefined ? [own("no translation")] : markedPlaceholders(unit.target),
      );
    }
    if (!this.area) return;
    if (this.area.value !== this.text) this.area.value = this.text;
    this.#drawTyped();
    this.#drawConflict();
  }

  #drawBelow() {
    const { note, whereUsed = [], id } = this.unit;
    const [, category] = id.match(/\[(zero|one|two|few|many|other)\]$/) ?? [];
    const numbers = category && (numbersOf(category, this.locale) || (category === "zero" ? "0" : ""));
    this.below.replaceChildren(...[
      numbers &&
      make("p", { class: "unit-numbers" }, make("span", { class: "dim", text: "For the numbers " }), numbers),
      note && make("p", { class: "unit-note", dir: "auto", text: note }),
      whereUsed.length > 0 &&
      make(
        "p",
        { class: "unit-used" },
        make("span", { class: "dim", text: "Shown in " }),
        ...whereUsed.slice(0, 12).map((place) => this.panel.placeLink(place)),
        whereUsed.length > 12 && make("span", { class: "dim", text: `and ${whereUsed.length - 12} more` }),
      ),
    ].filter(Boolean));
    this.below.hidden = !this.below.childNodes.length;
  }

  /** Shows what readers get for a missing text. The source text is already beside it, and is not repeated. */
  #drawInherited() {
    const { inherited } = this.unit;
    this.inherited.hidden = !inherited;
    if (!inherited) return;
    const isSource = inherited.locale === this.translations.known.source && inherited.text === this.unit.source;
    if (isSource) {
      return this.inherited.replaceChildren(
        make("span", { class: "dim", text: `Readers get the source text (${inherited.locale}).` }),
      );
    }
    const text = make("bdi", {
      class: this.unit.isMarkdown ? "unit-text code" : "unit-text",
      ...this.panel.look(inherited.locale),
      text: inherited.text,
    });
    this.inherited.replaceChildren(make("span", { class: "dim", text: `Readers get (${inherited.locale}): ` }), text);
  }

  #typed() {
    const { area, unit, draft } = this;
    if (area.value === (unit.target ?? "")) this.translations.drafts.drop(this.locale, unit.id);
    else {this.translations.drafts.keep(this.locale, unit.id, {
        text: area.value,
        source: draft ? draft.source : unit.source,
        previous: draft ? draft.previous : unit.target,
      });}
    this.#told();
    this.#drawTyped();
    this.#drawConflict();
  }

  #drawTyped() {
    const { area, unit } = this;
    const isChanged = Boolean(this.draft);
    this.element.classList.toggle("changed", isChanged);
    Object.assign(this.saving, { disabled: !isChanged, title: isChanged ? "Ctrl Enter" : "" });
    this.discarding.hidden = !isChanged;
    this.starting.hidden = area.value !== "";
    this.#drawCount([...area.value].length, unit.maximumLength);
    this.holders.replaceChildren(
      ...comparedPlaceholders(unit.source, area.value).map((one) => this.#holder(one, area.value === "")),
    );
    if (CSS.supports("field-sizing", "content")) return;
    area.style.height = "auto";
    if (area.scrollHeight) area.style.height = `${area.scrollHeight + 2}px`;
  }

  #drawCount(length, most) {
    const isOver = most !== undefined && length > most && !this.unit.isMarkdown;
    this.count.classList.toggle("over", isOver);
    this.count.textContent = most === undefined
      ? ""
      : this.unit.isMarkdown
      ? `at most ${most} without markup`
      : `${length} / ${most}`;
    this.count.title = "Unicode scalars";
    if (isOver) this.count.append(unseen(" too long"));
  }

  /** A placeholder of the source: a button that inserts it into the translation. */
  #holder({ text, state }, isEmpty) {
    if (state === "unknown") {
      return make(
        "span",
        { class: "holder unknown", title: "The source text does not have this placeholder" },
        unseen("not in the source: "),
        make("code", { dir: "ltr", text }),
      );
    }
    const isAbsent = state === "absent" && !isEmpty;
    return make(
      "button",
      {
        type: "button",
        class: `holder ${isAbsent ? "absent" : state}`,
        title: `Insert ${text}`,
        on: { click: () => this.#insert(text) },
      },
      isAbsent && unseen("missing: "),
      state === "kept" ? icon("check") : isAbsent && icon("plus"),
      make("code", { dir: "ltr", text }),
    );
  }

  #insert(text) {
    this.area.focus();
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
    this.#typed();
  }

  #discard() {
    this.translations.drafts.drop(this.locale, this.unit.id);
    this.area.value = this.unit.target ?? "";
    this.#typed();
    this.area.focus();
    say("Discarded");
  }

  /** Shows the typed text and the one in the file, until the person has chosen. */
  #drawConflict() {
    const { unit, draft } = this;
    const key = this.isInConflict ? JSON.stringify([unit.source, unit.target, draft.source, draft.previous]) : "";
    if (key === (this.conflictKey ?? "")) return;
    this.conflictKey = key;
    if (!key) return this.conflict.replaceChildren();
    const isSource = draft.source !== unit.source;
    const line = (label, text, locale) =>
      make(
        "p",
        {},
        make("span", { class: "dim", text: `${label} ` }),
        make("bdi", { class: "unit-text", ...this.panel.look(locale), text: text ?? "–" }),
      );
    const choice = (text, act) => make("button", { type: "button", class: "tool", text, on: { click: act } });
    this.conflict.replaceChildren(
      make(
        "p",
        {},
        make("strong", {
          text: isSource
            ? "The source text has changed since you began to type."
            : "The file has another translation now.",
        }),
      ),
      ...isSource ? [line("Source before:", draft.source, this.translations.known.source)] : [],
      line("In the file:", unit.target, this.locale),
      line("Typed here:", draft.text, this.locale),
      make(
        "div",
        { class: "unit-choices" },
        choice("Keep the typed text", () => this.#keepMine()),
        choice("Use the text of the file", () => this.#discard()),
      ),
    );
    return undefined;
  }

  #keepMine() {
    const { unit, draft } = this;
    this.translations.drafts.keep(this.locale, unit.id, {
      text: draft.text,
      source: unit.source,
      previous: unit.target,
    });
    this.#drawTyped();
    this.#drawConflict();
    this.area.focus();
    say("The typed text is kept; save it now");
  }

  #key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.save();
    } else if (event.altKey && ["ArrowDown", "ArrowUp"].includes(event.key)) {
      event.preventDefault();
      this.panel.step(event.key === "ArrowDown" ? 1 : -1);
    }
  }

  /** Saves the typed text; a refusal is shown at the text. */
  async save() {
    const { draft } = this;
    if (this.isSaving) return;
    if (!draft) return say("There is nothing to save");
    if (this.isInConflict) {
      this.conflict.querySelector("button").focus();
      return say("The file has changed: choose a text first");
    }
    if (draft.text.trim() === "") return this.#told([{ message: "A translation must not be empty" }]);
    this.isSaving = true;
    this.area.focus();
    const report = await this.translations.save(this.unit, draft).catch((error) => ({
      isRefused: true,
      diagnostics: [{ message: error.message }],
    }));
    this.isSaving = false;
    if (!report.isRefused) return this.#saved(report);
    this.#told(report.diagnostics.length ? report.diagnostics : [{ message: "The text was not saved" }]);
    // The content may have changed, which the person must see.
    return this.panel.reload();
  }

  #saved({ changedFiles, diagnostics }) {
    this.drawn = undefined;
    this.update(this.translations.byID.get(this.unit.id) ?? this.unit);
    this.#told(diagnostics, changedFiles.length ? `Saved in ${changedFiles.join(", ")}` : "Saved");
    this.panel.saved(this.unit.id);
    say(`Saved ${this.path}`);
  }

  /** Shows messages at the text. */
  #told(diagnostics = [], note = "") {
    const isBad = diagnostics.some(({ severity }) => severity !== "warning");
    this.area.toggleAttribute("aria-invalid", isBad);
    if (isBad) this.area.setAttribute("aria-invalid", "true");
    this.result.replaceChildren(
      ...note ? [make("p", { class: "unit-saved" }, icon("check"), note)] : [],
      ...diagnostics.map((diagnostic) => unitMessage(diagnostic)),
    );
  }

  /** Moves the focus to the text. */
  focus(options) {
    (this.area ?? this.shown).focus(options);
  }
}

TranslationRow.next = 1;

/** A diagnostic at a text, with its notes and the places that they name. */
function unitMessage({ message, notes = [], severity = "error" }) {
  const lines = [{ message }, ...notes].map(({ message: text, file, line, column }) =>
    make(
      "span",
      { class: "unit-message-line" },
      make("span", { dir: "auto", text }),
      file && Places.link([file, line, column].filter(Boolean).join(":")),
    )
  );
  return make(
    "p",
    { class: `unit-message ${severity}`, role: severity === "error" ? "alert" : undefined },
    icon("alert"),
    make("span", { class: "unit-message-lines" }, ...lines),
  );
}
