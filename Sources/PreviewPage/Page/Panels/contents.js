"use strict";
// The list of the release's bundles and entries. Long lists are shown in parts.

class Contents {
  constructor(open) {
    this.open = open;
    this.opened = new Set();
    this.limits = new Map();
    /** The titles of searched bundles. */
    this.known = new WeakMap();
    this.filter = make("input", {
      type: "search",
      class: "search",
      placeholder: "Find an entry",
      "aria-label": "Find an entry or a title",
      autocomplete: "off",
      spellcheck: "false",
      on: { input: () => this.#soon() },
    });
    this.list = make("div", { class: "contents-list", on: { keydown: (event) => this.#fold(event) } });
    this.stops = new Roving(this.list, ".bundle, .id, .more-ids", "vertical");
    this.element = make(
      "nav",
      { class: "contents", "aria-label": "Contents" },
      make("div", { class: "pane-head" }, make("h2", { text: "Contents" })),
      make("div", { class: "search-box" }, icon("search"), this.filter),
      this.list,
    );
  }

  #soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draw(), 60);
  }

  update(catalogue, place) {
    const who = ({ context }) => JSON.stringify(context);
    const isSame = this.catalogue?.hash === catalogue.hash && who(this.catalogue) === who(catalogue);
    this.catalogue = catalogue;
    this.place = place;
    if (!isSame) return this.draw();
    return this.mark(place);
  }

  /** Marks the place that the frame shows. */
  mark(place) {
    this.place = place;
    for (const link of this.list.querySelectorAll("[data-place]")) {
      if (link.dataset.place === place) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    this.stops.update();
  }

  /** Opens the focused bundle's entries with the right arrow, and closes them with the left one. */
  #fold(event) {
    const isOpening = { ArrowRight: true, ArrowLeft: false }[event.key];
    const twist = event.target.closest(".group")?.querySelector(".twist");
    if (isOpening === undefined || !twist) return;
    event.preventDefault();
    if ((twist.getAttribute("aria-expanded") === "true") !== isOpening) twist.click();
    if (!isOpening) event.target.closest(".group").querySelector(".bundle").focus();
  }

  async draw() {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const wanted = this.filter.value.trim().toLowerCase();
    const names = this.catalogue.names();
    const groups = await Promise.all(names.map((name) => (wanted ? this.#found(name, wanted) : this.#group(name))));
    if (turn !== this.turn) return;
    const held = this.list.contains(document.activeElement) ? { ...document.activeElement?.dataset } : {};
    const shown = [...groups.filter(Boolean), this.#maintenance(wanted)].filter(Boolean);
    this.list.replaceChildren(...shown.length ? shown : [this.#nothing()]);
    const again = held.place !== undefined
      ? `[data-place="${CSS.escape(held.place)}"]`
      : held.group && `[data-group="${CSS.escape(held.group)}"]`;
    if (again) this.list.querySelector(again)?.focus({ preventScroll: true });
    this.mark(this.place);
  }

  #nothing() {
    if (!this.filter.value) return make("p", { class: "hint", text: "This release has no bundle for this reader." });
    const clear = make("button", {
      type: "button",
      class: "tool",
      text: "Clear the search",
      on: {
        click: () => {
          this.filter.value = "";
          this.filter.focus();
          this.draw();
        },
      },
    });
    return make(
      "div",
      { class: "nothing" },
      make("p", { class: "hint", text: `No bundle or entry matches “${this.filter.value.trim()}”.` }),
      clear,
    );
  }

  /** The item for the maintenance screen, which replaces all bundles. */
  #maintenance(wanted) {
    if (!this.catalogue.release.config.maintenance || !"maintenance".includes(wanted)) return undefined;
    const link = make(
      "button",
      {
        type: "button",
        class: "bundle",
        "data-place": "maintenance",
        on: { click: () => this.open("maintenance") },
      },
      make("span", { text: "maintenance" }),
      make("span", { class: "tags" }, make("span", { class: "tag", text: "instead" })),
    );
    return make("section", { class: "group" }, make("div", { class: "group-head" }, link));
  }

  async #group(name) {
    const isOpen = this.opened.has(name);
    const body = make("ul", { class: "ids", id: `contents-${name}`, hidden: !isOpen });
    const toggle = make("button", {
      type: "button",
      class: "twist",
      tabindex: -1,
      "data-group": name,
      "aria-expanded": String(isOpen),
      "aria-controls": `contents-${name}`,
      "aria-label": `${this.catalogue.isTiled(name) ? "Tiles" : "Entries"} of ${name}`,
      on: { click: () => this.#toggle(name, toggle, body) },
    }, icon("forward"));
    const link = make(
      "button",
      {
        type: "button",
        class: "bundle",
        "data-place": `@${name}`,
        on: { click: () => this.open(`@${name}`) },
      },
      make("span", { text: name }),
      this.#tags(name),
    );
    if (isOpen) await this.#fill(name, body);
    return make("section", { class: "group" }, make("div", { class: "group-head" }, toggle, link), body);
  }

  #tags(name) {
    const count = this.catalogue.rows[name].count;
    const kind = this.catalogue.isTiled(name)
      ? "tiles"
      : this.catalogue.isSplit(name)
      ? "split"
      : this.catalogue.isStartup(name)
      ? "startup"
      : undefined;
    return make(
      "span",
      { class: "tags" },
      kind && make("span", { class: "tag", text: kind }),
      make("span", { class: "count", text: String(this.catalogue.count(name) ?? count) }, unseen(" entries")),
    );
  }

  async #toggle(name, toggle, body) {
    const isOpen = !this.opened.delete(name);
    if (isOpen) this.opened.add(name);
    toggle.setAttribute("aria-expanded", String(isOpen));
    body.hidden = !isOpen;
    if (isOpen) await this.#fill(name, body);
  }

  async #fill(name, body) {
    // The tiles of a map are listed in the place of its entries: only the search loads them all.
    const isTiled = this.catalogue.isTiled(name);
    const ids = isTiled ? (await this.catalogue.tiles(name)).all : await this.catalogue.order(name);
    const limit = this.limits.get(name) ?? 60;
    body.replaceChildren(...ids.slice(0, limit).map((one) => (isTiled ? this.#tileLink(name, one) : this.#link(one))));
    if (ids.length > limit) body.append(this.#more(name, body, limit, ids.length));
    this.mark(this.place);
  }

  #more(name, body, limit, count) {
    return make(
      "li",
      {},
      make("button", {
        type: "button",
        class: "text-button more-ids",
        text: `${Math.min(240, count - limit)} more of ${count - limit}`,
        on: {
          click: () => {
            this.limits.set(name, limit + 240);
            this.#fill(name, body);
          },
        },
      }),
    );
  }

  #tileLink(bundle, { name, count }) {
    const place = `@${bundle}/${name}`;
    return make(
      "li",
      {},
      make(
        "button",
        { type: "button", class: "id", "data-place": place, on: { click: () => this.open(place) } },
        name,
        make("span", { class: "dim", text: ` (${count})` }),
        unseen(` ${count === 1 ? "entry" : "entries"}`),
      ),
    );
  }

  /** A link to an entry, with its title in a result of a search. */
  #link(id, title) {
    const cut = id.indexOf("/") + 1;
    return make(
      "li",
      {},
      make(
        "button",
        { type: "button", class: "id", "data-place": id, on: { click: () => this.open(id) } },
        make("span", { class: "dim", text: id.slice(0, cut) }),
        id.slice(cut),
        title && make("bdi", { class: "id-title", text: title }),
      ),
    );
  }

  /** The titles of a bundle's entries by id. Entries in objects of their own have none here: another bundle usually has their title. */
  async #titles(name) {
    if (this.catalogue.isSplit(name)) return new Map();
    const bundle = await this.catalogue.bundle(name);
    if (!this.known.has(bundle)) {
      const entries = bundle.get("entries");
      const title = (id) =>
        ["title", "name", "label"].map((key) => entries.get(id).get("content")?.get?.(key)).find((text) =>
          typeof text === "string"
        );
      this.known.set(bundle, new Map(bundle.get("order").map((id) => [id, title(id) ?? ""])));
    }
    return this.known.get(bundle);
  }

  async #found(name, wanted) {
    const titles = await this.#titles(name);
    const ids = (await this.catalogue.order(name)).filter((id) =>
      id.includes(wanted) || titles.get(id)?.toLowerCase().includes(wanted)
    );
    const isNamed = name.toLowerCase().includes(wanted);
    if (!ids.length && !isNamed) return undefined;
    const link = make(
      "button",
      {
        type: "button",
        class: "bundle",
        "data-place": `@${name}`,
        on: { click: () => this.open(`@${name}`) },
      },
      make("span", { text: name }),
      make("span", { class: "count", text: String(ids.length) }, unseen(" found")),
    );
    return make(
      "section",
      { class: "group" },
      make("div", { class: "group-head" }, link),
      make(
        "ul",
        { class: "ids" },
        ...ids.slice(0, 40).map((id) => this.#link(id, titles.get(id))),
        ids.length > 40 && make("li", { class: "hint", text: `and ${ids.length - 40} more` }),
      ),
    );
  }
}
