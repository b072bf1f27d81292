"use strict";
// A choice among values: a button that opens a list (ARIA's “select-only combobox”), or a list with a
// filter field. After a choice, the focus returns to the button, so that shortcuts work.

class Picker {
  /**
   * `options(text)` returns the choices: `{value, text, detail, more, lang, dir, title}`. `search` is the
   * placeholder of the filter field; without it, there is no field. `opens` is called when the list opens.
   * @param {PickerOptions} picker
   */
  constructor({ id, label, options, choose, search, opens, hidesLabel }) {
    this.id = id;
    this.options = options;
    this.choose = choose;
    this.hasSearch = Boolean(search);
    this.opens = opens;
    this.found = [];
    this.active = 0;
    this.text = make("span", { class: "picker-text", id: `${id}-value`, text: "–" });
    const own = this.hasSearch
      ? { "aria-haspopup": "listbox" }
      : { role: "combobox", "aria-controls": `${id}-list`, "aria-haspopup": "listbox" };
    this.button = make(
      "button",
      {
        type: "button",
        id,
        class: "picker",
        "aria-expanded": "false",
        "aria-labelledby": `${id}-label ${id}-value`,
        ...own,
        on: { click: () => this.toggle(), keydown: (event) => this.#key(event) },
      },
      this.text,
      icon("chevron"),
    );
    this.list = make("ul", { id: `${id}-list`, role: "listbox", "aria-label": label, class: "listbox", tabindex: -1 });
    this.search = search &&
      make("input", {
        type: "text",
        class: "picker-search",
        role: "combobox",
        "aria-expanded": "true",
        "aria-autocomplete": "list",
        "aria-controls": `${id}-list`,
        "aria-label": label,
        placeholder: search,
        autocomplete: "off",
        spellcheck: "false",
        on: { input: () => this.#fill(), keydown: (event) => this.#key(event) },
      });
    this.popup = make(
      "div",
      { class: "popup", hidden: true, on: { pointerdown: (event) => this.#pick(event) } },
      this.search,
      this.list,
    );
    this.element = make(
      "div",
      { class: "switch-box", on: { focusout: (event) => this.#left(event) } },
      make("span", { id: `${id}-label`, class: hidesLabel ? "unseen" : "switch-label", text: label }),
      this.button,
      this.popup,
    );
    addEventListener("resize", () => this.close());
  }

  /** Shows the chosen value; `isSet` highlights a value that is not the default. */
  update(value, text, isSet = false, detail = "") {
    this.value = value;
    const key = JSON.stringify([text, detail]);
    if (this.shown !== key) {
      this.text.replaceChildren(text, ...detail ? [make("span", { class: "picker-detail", text: ` ${detail}` })] : []);
    }
    this.shown = key;
    this.button.title = detail ? `${text} ${detail}` : "";
    this.button.classList.toggle("set", isSet);
  }

  toggle() {
    if (this.popup.hidden) this.open();
    else this.close();
  }

  open() {
    if (!this.popup.hidden) return this.#box().focus();
    this.popup.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    if (this.search) this.search.value = "";
    this.#fill();
    this.#place();
    this.#box().focus({ preventScroll: true });
    return this.opens?.();
  }

  /** Updates the list if it is open. */
  refresh() {
    if (!this.popup.hidden) this.#fill();
  }

  close() {
    if (this.popup.hidden) return;
    const isInside = this.popup.contains(document.activeElement);
    this.popup.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.button.removeAttribute("aria-activedescendant");
    if (isInside) this.button.focus();
  }

  #box() {
    return this.search ?? this.button;
  }

  /** Places the list below the button, or above it if there is more room. */
  #place() {
    const { left, top, bottom } = this.button.getBoundingClientRect();
    const [above, below] = [top - 12, innerHeight - bottom - 12];
    const isBelow = below >= Math.min(this.popup.scrollHeight, 320) || below >= above;
    const { style } = this.popup;
    style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - this.popup.offsetWidth - 8))}px`;
    style.top = isBelow ? `${bottom + 4}px` : "auto";
    style.bottom = isBelow ? "auto" : `${innerHeight - top + 4}px`;
    style.setProperty("--room", `${Math.max(120, isBelow ? below : above)}px`);
  }

  #fill() {
    this.found = this.options(this.search?.value.trim() ?? "");
    this.list.replaceChildren(...this.found.map((option, i) => this.#option(option, i)));
    if (!this.found.length) {
      this.list.append(
        make("li", {
          class: "hint",
          role: "option",
          "aria-disabled": "true",
          "aria-selected": "false",
          text: "No match",
        }),
      );
    }
    this.#activate(Math.max(0, this.found.findIndex(({ value }) => value === this.value)));
  }

  #option({ value, text, detail = "", more = "", lang, dir, isDisabled }, i) {
    return make(
      "li",
      {
        role: "option",
        id: `${this.id}-${i}`,
        class: "option",
        "aria-selected": String(value === this.value),
        "aria-disabled": isDisabled ? "true" : undefined,
        "data-value": value,
      },
      make("span", { class: "option-text", text }),
      make("span", { class: "option-detail", text: detail }),
      make("span", { class: "option-more", lang, dir, text: more }),
    );
  }

  #activate(place) {
    this.active = place;
    for (const [i, option] of [...this.list.children].entries()) option.classList.toggle("active", i === place);
    if (!this.found[place]) return this.#box().removeAttribute("aria-activedescendant");
    this.#box().setAttribute("aria-activedescendant", `${this.id}-${place}`);
    const option = this.list.children[place];
    // scrollIntoView would scroll the page, too.
    if (option.offsetTop < this.list.scrollTop) this.list.scrollTop = option.offsetTop;
    const below = option.offsetTop + option.offsetHeight - this.list.clientHeight;
    if (below > this.list.scrollTop) this.list.scrollTop = below;
    return undefined;
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.popup.hidden) return this.#keyWhileClosed(event);
    const { length } = this.found;
    const moves = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      ...this.search ? {} : { Home: 0, End: length - 1 },
    };
    if (event.key in moves) {
      event.preventDefault();
      return length && this.#activate((moves[event.key] + length) % length);
    }
    if (event.key === "Enter" || (event.key === " " && !this.search)) {
      event.preventDefault();
      return this.found[this.active] && this.#take(this.found[this.active]);
    }
    if (event.key === "Escape") {
      event.preventDefault();
      return this.close();
    }
    if (event.key === "Tab") return this.close();
    if (!this.search && event.key.length === 1) this.#typeAhead(event);
    return undefined;
  }

  #keyWhileClosed(event) {
    if (!["ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    this.open();
  }

  /** Selects the first value that begins with the letters typed within a second. */
  #typeAhead(event) {
    event.preventDefault();
    clearTimeout(this.timer);
    this.typed = (this.typed ?? "") + event.key.toLowerCase();
    this.timer = setTimeout(() => (this.typed = ""), 1000);
    const place = this.found.findIndex(({ text, detail = "" }) =>
      [text, detail].some((one) => one.toLowerCase().startsWith(this.typed))
    );
    if (place >= 0) this.#activate(place);
  }

  #pick(event) {
    const option = event.target.closest(".option");
    if (event.target !== this.search) event.preventDefault();
    if (option) this.#take(this.found[[...this.list.children].indexOf(option)]);
  }

  #take({ value, isDisabled }) {
    if (isDisabled) return;
    this.close();
    this.button.focus();
    this.choose(value);
  }

  #left({ relatedTarget }) {
    if (!this.element.contains(relatedTarget)) this.close();
  }
}

/** The options that contain the typed text. */
function matching(options, text) {
  const wanted = text.toLowerCase();
  return options.filter(({ value, text: shown, detail = "", more = "" }) =>
    [value, shown, detail, more].some((one) => one.toLowerCase().includes(wanted))
  );
}
