"use strict";
// The translator's view: each text with its translation, and the screen that shows it.

const FILTERS = { "": "All", missing: "Missing", outdated: "Outdated" };
/** The width from which the screen is beside the texts. */
const BESIDE = matchMedia("(min-width: 1180px)");

class TranslationsPanel {
  /** @type {Frame} */
  frame;
  /** @type {Picker} */
  into;
  /** @type {TranslationRow | undefined} */
  current;
  /** @type {{ input: HTMLInputElement, count: HTMLElement, element: HTMLElement }[]} */
  choices;

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.view = session.view;
    this.translations = new Translations(session);
    /** Units that the filter leaves out but that stay until another filter is chosen, since they were just saved. */
    this.kept = new Set();
    this.list = new TranslationList(this);
    this.files = new TranslationFiles(this);
    this.#buildFrame();
    this.#build();
    BESIDE.addEventListener("change", () => this.#showScreen());
  }

  #build() {
    this.into = new Picker({
      id: "translations-into",
      label: "into",
      search: "Tag or name",
      options: (text) => matching(this.#targets(), text),
      choose: (locale) => this.view.set({ locale }),
    });
    this.choices = Object.entries(FILTERS).map(([value, text]) => {
      const count = make("span", { class: "count" });
      const input = make("input", { type: "radio", name: "filter", value, on: { change: () => this.#choose(value) } });
      return { input, count, element: make("label", { class: "side" }, input, make("span", {}, `${text} `, count)) };
    });
    const filters = make(
      "fieldset",
      { class: "sides" },
      make("legend", { class: "unseen", text: "Texts" }),
      ...this.choices.map(({ element }) => element),
    );
    this.search = make("input", {
      type: "search",
      class: "search",
      placeholder: "Find a text",
      "aria-label": "Find a text",
      autocomplete: "off",
      spellcheck: "false",
      value: this.view.current.find,
      on: { input: () => this.#soon() },
    });
    const steps = make(
      "div",
      { class: "tool-buttons" },
      iconButton("up", "Previous missing text (U)", () => this.step(-1)),
      iconButton("down", "Next missing text (N)", () => this.step(1)),
    );
    this.tools = make(
      "div",
      { class: "translation-tools", hidden: true },
      filters,
      make("div", { class: "search-box" }, icon("search"), this.search),
      steps,
    );
    this.notice = make("div", { class: "translation-notice", role: "status" });
    this.lead = make("div", { class: "lead", text: "Reading the texts …" });
    this.orphans = make("div", {});
    this.empty = make("div", {});
    const texts = make(
      "div",
      { class: "translation-texts" },
      this.tools,
      this.notice,
      this.lead,
      this.orphans,
      this.empty,
      this.list.element,
    );
    this.element = make(
      "div",
      { class: "panel translations" },
      panelHead("Translations", this.into.element, make("div", { class: "tool-buttons" }, ...this.files.buttons)),
      make("div", { class: "translation-columns" }, texts, this.aside),
    );
  }

  #buildFrame() {
    this.frame = new Frame();
    this.frame.explainAbsence = (id) => explainAbsence(this.session, id, this.translations.known?.locale);
    this.frame.changeReader = (change) => this.view.set(change);
    this.frame.lookAt = Exported.isOn ? undefined : (at) => this.view.set({ at });
    this.frame.addEventListener("drawn", () => this.#pointOut());
    this.absent = make("div", { class: "remark", role: "status", hidden: true });
    this.aside = make(
      "aside",
      { class: "translation-screen", "aria-label": "Screen", hidden: true },
      this.absent,
      this.frame.element,
    );
  }

  #targets() {
    return this.translations.targets.map((tag) => ({
      value: tag,
      text: tag,
      detail: this.#locale(tag)?.name ?? "",
      more: this.#locale(tag)?.nativeName ?? "",
      ...this.look(tag),
    }));
  }

  #locale(tag) {
    return this.session.state.locales.find((locale) => locale.tag === tag);
  }

  /** The language and direction of a text. */
  look(tag) {
    return { lang: tag, dir: this.#locale(tag)?.direction ?? (RTL.test(tag) ? "rtl" : "ltr") };
  }

  get localeName() {
    const { locale } = this.translations.known;
    return this.#locale(locale)?.name ?? locale;
  }

  #choose(filter) {
    this.kept.clear();
    this.view.set({ filter });
  }

  #soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.view.set({ find: this.search.value.trim() }), 120);
  }

  /** Shows the texts as the content has them now; typed texts stay. */
  async update(isAfterBuild = false) {
    this.notice.replaceChildren();
    try {
      await this.translations.load();
    } catch (error) {
      // Texts of an earlier build stay, and what was typed into them.
      this.notice.replaceChildren(make("p", { class: "remark" }, icon("alert"), error.message));
      if (!this.list.units) this.lead.replaceChildren();
      return;
    }
    this.frame.isAfterBuild = isAfterBuild;
    this.#draw();
    await this.#showScreen();
  }

  /** Asks for the texts again, for example after a refusal. */
  async reload() {
    await this.translations.load(true).catch((error) => say(error.message));
    this.#draw();
  }

  #draw() {
    const { targets, units, known, isEditable } = this.translations;
    const isNone = targets.length === 0;
    for (const part of [this.tools, this.lead, this.list.element, this.into.element]) part.hidden = isNone;
    for (const button of this.files.buttons) button.hidden = isNone || Exported.isOn;
    if (isNone) this.aside.hidden = true;
    if (isNone) {
      this.empty.replaceChildren(
        emptyState(
          "list",
          Exported.isOn ? "This export has no locale of translations" : "There is no locale to translate into",
          "Locales are declared in content.yaml, as in “locales: [en, fr, ar]”.",
        ),
      );
      return;
    }
    this.into.update(known.locale, known.locale, false, this.#locale(known.locale)?.name);
    this.lead.replaceChildren(...isEditable || Exported.isOn ? [] : [editHint(this.session)]);
    this.lead.hidden = isEditable || Exported.isOn;
    this.#drawFilters(units);
    this.#drawOrphans(known);
    const shown = this.#shown(units, known);
    this.empty.replaceChildren(...shown.length ? [] : [this.#nothing()]);
    this.list.show(shown, `${known.locale} ${known.source} ${isEditable}`);
  }

  #drawFilters(units) {
    const { filter, find } = this.view.current;
    if (document.activeElement !== this.search) this.search.value = find;
    for (const { input, count } of this.choices) {
      input.checked = input.value === (Object.hasOwn(FILTERS, filter) ? filter : "");
      count.textContent = units.filter((unit) => passes(unit, input.value)).length.toLocaleString("en");
    }
  }

  /** The units that the filter and the search show, and those with a typed text. */
  #shown(units, { locale }) {
    const { filter, find } = this.view.current;
    const wanted = find.toLowerCase();
    const matches = (unit) =>
      !wanted || [unit.id, unit.source, unit.target, unit.note].some((text) => text?.toLowerCase().includes(wanted));
    const isHeld = (unit) => this.kept.has(unit.id) || this.translations.drafts.get(locale, unit.id) !== undefined;
    return units.filter((unit) => (passes(unit, filter) && matches(unit)) || isHeld(unit));
  }

  #nothing() {
    const { filter, find } = this.view.current;
    const all = make("button", {
      type: "button",
      class: "tool",
      text: "Show all texts",
      on: {
        click: () => {
          this.search.value = "";
          this.view.set({ filter: "", find: "" });
        },
      },
    });
    if (find) return emptyState("search", `No text matches “${find}”`, "", all);
    if (filter === "missing") {
      return emptyState("check", `Nothing is missing in ${this.localeName}`, "Every text is translated.", all);
    }
    if (
      filter === "outdated" && !this.translations.known.isLocked &&
      this.translations.units.some(({ target }) => target !== undefined)
    ) {
      return emptyState(
        "alert",
        "Outdated translations are unknown",
        "There is no record of the source texts yet: “contentc translations lock” makes translations.lock.",
        all,
      );
    }
    if (filter === "outdated") {
      return emptyState(
        "check",
        `Nothing is outdated in ${this.localeName}`,
        "Every translation is of the present source text.",
        all,
      );
    }
    return emptyState(
      "list",
      "There is no text to translate",
      "Fields with “localized: true” and string catalogs have texts.",
    );
  }

  /** Typed texts whose unit is no longer in the content. */
  #drawOrphans({ locale }) {
    const lost = this.translations.drafts.of(locale).filter(([id]) => !this.translations.byID.has(id));
    this.orphans.replaceChildren(
      ...lost.map(([id, { text }]) =>
        make(
          "div",
          { class: "orphan" },
          make("p", {}, make("strong", { text: "The content does not have this text any more. " }), "You typed:"),
          make("p", {}, make("code", { text: id })),
          make("p", { class: "unit-text", ...this.look(locale), text }),
          make(
            "div",
            { class: "unit-choices" },
            make("button", {
              type: "button",
              class: "tool",
              text: "Copy",
              on: { click: () => copyText(text).then(() => say("Copied")) },
            }),
            make("button", {
              type: "button",
              class: "tool",
              text: "Discard",
              on: {
                click: () => {
                  this.translations.drafts.drop(locale, id);
                  this.#drawOrphans({ locale });
                },
              },
            }),
          ),
        )
      ),
    );
  }

  /** A place that shows a text: in the screen beside the texts, or in the preview where there is no room. */
  placeLink(place) {
    if (!isReference(place)) return make("span", { class: "chip", text: place });
    const view = () => ({ tab: "preview", show: place, locale: this.translations.known.locale, side: "" });
    return make("a", {
      class: "id-link",
      href: this.view.address(view()),
      text: place,
      on: {
        click: (event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          if (BESIDE.matches) this.#open(place);
          else this.view.set(view());
        },
      },
    });
  }

  /** Shows the screen of a text that has the focus. */
  focused(row) {
    if (this.current === row) return;
    this.current?.element.removeAttribute("aria-current");
    this.current = row;
    row.element.setAttribute("aria-current", "true");
    clearTimeout(this.opening);
    this.opening = setTimeout(() => this.#open(row.unit.entry), 150);
  }

  #open(place) {
    if (this.frame.place === place) return this.#pointOut();
    this.frame.stack = [place];
    this.frame.body.scrollTop = 0;
    return this.#showScreen();
  }

  async #showScreen() {
    const { locale } = this.translations.known ?? {};
    if (!BESIDE.matches || !locale) return;
    if (this.frame.place === "") this.frame.stack = [this.list.units?.[0]?.entry ?? ""];
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const reader = await this.session.reader(undefined, locale);
      if (turn !== this.turn) return;
      await this.frame.update(reader);
      this.aside.hidden = false;
      const { entries, isShown = true } = await this.session.api.ask("fallbacks", { ...this.view.reader, locale });
      if (turn === this.turn) this.frame.markFallbacks(isShown ? entries : {});
    } catch (error) {
      if (turn !== this.turn) return;
      this.frame.fail("The build cannot be read", error);
      this.aside.hidden = false;
    }
  }

  /** Marks the text of the current row on the screen. */
  #pointOut() {
    for (const part of this.frame.element.querySelectorAll(".inspected")) part.classList.remove("inspected");
    const { unit, path } = this.current ?? {};
    this.absent.hidden = true;
    if (!unit) return;
    const part = [...this.frame.element.querySelectorAll("[data-path]")].find(({ dataset }) =>
      dataset.entry === unit.entry && plainPath(dataset.path) === plainPath(path)
    );
    part?.classList.add("inspected");
    if (part && this.frame.body.contains(part)) scrollWithin(this.frame.body, part);
    if (!part && this.frame.record) this.#explainAbsentPart(unit, path);
  }

  /** Says why the screen does not have the text of the current row, and offers a reader who sees it. */
  async #explainAbsentPart(unit, path) {
    const { locale } = this.translations.known;
    const { leftOut = [] } = await this.session.api.ask("explain", { entry: unit.entry, ...this.view.reader, locale })
      .catch(() => /** @type {Partial<Explained>} */ ({}));
    if (this.current?.unit !== unit) return;
    const item = leftOut.find((one) => plainPath(path).startsWith(`${plainPath(one.path)}.`));
    if (!item?.when) return;
    const offer = readerWithin(item.when);
    this.absent.hidden = false;
    this.absent.replaceChildren(
      icon("alert"),
      make("p", { text: `Other readers see this text: its condition is not met here (${item.when.text}).` }),
      ...offer
        ? [make("button", {
          type: "button",
          class: "tool",
          text: offer.text,
          on: { click: () => this.view.set(offer.view) },
        })]
        : [],
    );
  }

  /** Moves to the next or previous text that is missing, or outdated with that filter. */
  step(step) {
    const { units = [], ids } = this.list;
    const wanted = this.view.current.filter === "outdated" ? "outdated" : "missing";
    const at = this.current ? ids.indexOf(this.current.unit.id) : step > 0 ? -1 : units.length;
    for (let i = 1; i <= units.length; i += 1) {
      const unit = units[(at + step * i + units.length * 2) % units.length];
      if (passes(unit, wanted)) return this.goTo(unit.id);
    }
    return say(wanted === "missing" ? "No text is missing here" : "No text is outdated here");
  }

  goTo(id) {
    const row = this.list.row(id);
    row?.element.scrollIntoView({ block: "center", behavior: "instant" });
    row?.focus({ preventScroll: true });
  }

  /** Keeps a saved text in the list, and updates the numbers. */
  saved(id) {
    this.kept.add(id);
    this.#drawFilters(this.translations.units);
  }
}

/** A path of a unit or of a screen in one form, with points only. */
function plainPath(path) {
  return path.replace(/\[([^\]]*)\]/g, ".$1");
}

/** Scrolls an element to a part of it, and not the page. */
function scrollWithin(body, part) {
  const [inner, outer] = [part.getBoundingClientRect(), body.getBoundingClientRect()];
  if (inner.top < outer.top + 8 || inner.bottom > outer.bottom - 8) {
    body.scrollTop += inner.top - outer.top - outer.height / 3;
  }
}
