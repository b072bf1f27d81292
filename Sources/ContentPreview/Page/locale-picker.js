"use strict";
// A combobox of the declared locales, found by tag or by name in English or in their own language (ARIA's “combobox with
// listbox popup”).

class LocalePicker {
  constructor(choose) {
    this.choose = choose;
    this.locales = [];
    this.input = make("input", { type: "text", id: "locale", role: "combobox", "aria-expanded": "false", "aria-controls": "locale-list",
      "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false",
      on: { focus: () => this.#open(), input: () => this.#filter(this.input.value), keydown: (event) => this.#key(event), blur: () => this.#close(),
        click: () => this.#open() } });
    this.list = make("ul", { id: "locale-list", role: "listbox", "aria-label": "Locales", class: "listbox", tabindex: -1, hidden: true,
      on: { pointerdown: (event) => this.#pick(event) } });
    this.element = make("div", { class: "switch-box combobox" }, make("label", { for: "locale", text: "Locale" }), this.input, this.list);
  }

  update(locales, current) {
    Object.assign(this, { locales, current });
    if (document.activeElement !== this.input) this.input.value = current;
  }

  #open() {
    if (!this.list.hidden) return;
    this.input.select();
    this.#filter("");
  }

  #close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.input.value = this.current;
  }

  #filter(text) {
    const wanted = text.trim().toLowerCase();
    const matches = ({ tag, name = "", nativeName = "" }) => [tag, name, nativeName].some((one) => one.toLowerCase().includes(wanted));
    this.found = this.locales.filter(matches);
    this.list.replaceChildren(...this.found.map((locale, i) => this.#option(locale, i)));
    if (!this.found.length) this.list.append(make("li", { class: "hint", role: "option", "aria-disabled": "true", "aria-selected": "false", text: "No such locale" }));
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.#activate(Math.max(0, this.found.findIndex(({ tag }) => tag === this.current)));
  }

  #option(locale, i) {
    return make("li", { role: "option", id: `locale-${i}`, class: "option", "aria-selected": String(locale.tag === this.current), "data-tag": locale.tag },
      make("span", { class: "option-tag", text: locale.tag }), make("span", { class: "option-name", text: locale.name ?? "" }),
      make("span", { class: "option-native", lang: locale.tag, dir: locale.direction === "rtl" ? "rtl" : "ltr", text: locale.nativeName ?? "" }));
  }

  #activate(place) {
    this.active = place;
    for (const [i, option] of [...this.list.children].entries()) option.classList.toggle("active", i === place);
    if (!this.found[place]) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", `locale-${place}`);
    this.list.children[place].scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    if (event.key === "Tab") return this.#close();
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (moves[event.key]) {
      event.preventDefault();
      if (this.list.hidden) return this.#filter("");
      const { length } = this.found;
      return length && this.#activate((this.active + moves[event.key] + length) % length);
    }
    if (event.key === "Enter" && this.found?.[this.active] && !this.list.hidden) {
      event.preventDefault();
      return this.#take(this.found[this.active].tag);
    }
    if (event.key === "Escape") {
      event.stopPropagation();
      this.#close();
    }
    return undefined;
  }

  #pick(event) {
    event.preventDefault();
    const tag = event.target.closest("[data-tag]")?.dataset.tag;
    if (tag) this.#take(tag);
  }

  #take(tag) {
    this.current = tag;
    this.#close();
    this.choose(tag);
  }
}
