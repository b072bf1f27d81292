"use strict";
// Sizes: by bundle and by context, the largest entries, and the objects that two contexts share.

class SizesPanel {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.view = session.view;
    this.lead = make("p", { class: "lead", text: "Reading sizes …" });
    this.body = make("div", { class: "columns" });
    this.others = [];
    this.other = new Picker({
      id: "sizes-other",
      label: "Context",
      search: "Locale or device",
      options: (text) => matching(this.others, text),
      choose: (value) => {
        this.chosen = value;
        this.update();
      },
    });
    this.element = make("div", { class: "panel sizes" }, panelHead("Sizes"), this.lead, this.body);
  }

  async update() {
    const { locale, device } = this.view.current;
    try {
      const sizes = await this.session.api.ask("sizes");
      const mine = sizes.contexts.find((context) => context.locale === locale && context.device === device) ??
        sizes.contexts[0];
      if (!mine) {
        this.lead.textContent = "There is no build yet.";
        return;
      }
      this.lead.textContent = `A reader of ${mine.locale} on ${mine.device} fetches ${size(mine.gzip)} (${
        size(mine.bytes)
      } uncompressed) in total.`;
      this.body.replaceChildren(
        this.#bundles(mine),
        this.#largest(sizes.largest),
        this.#contexts(sizes.contexts, mine),
        ...Exported.isOn ? [] : [await this.#sharing(sizes.contexts, mine)],
      );
    } catch (error) {
      this.lead.textContent = error.message;
    }
  }

  #bundles({ bundles }) {
    const most = Math.max(1, ...bundles.map(({ bytes }) => bytes));
    const rows = [...bundles].sort((a, b) => b.bytes - a.bytes).map(({ name, bytes, gzip, entries, startup }) => [
      make(
        "th",
        { scope: "row" },
        make("a", { href: this.view.address({ tab: "preview", show: `@${name}` }), text: name }),
        startup && make("span", { class: "tag", text: "startup" }),
      ),
      number(entries),
      meter(bytes, most),
      number(size(bytes)),
      number(size(gzip)),
    ]);
    return tableOf("Bundles", ["Bundle", "Entries", "", "Bytes", "Gzip"], rows);
  }

  #largest(largest) {
    const most = Math.max(1, ...largest.map(({ bytes }) => bytes));
    const rows = largest.slice(0, 20).map(({ entry, bundle, bytes }) => [
      make(
        "th",
        { scope: "row" },
        make("a", { href: this.view.address({ tab: "preview", show: entry }), text: entry }),
      ),
      make("td", { class: "dim", text: bundle }),
      meter(bytes, most),
      number(size(bytes)),
    ]);
    return tableOf("Largest entries", ["Entry", "Bundle", "", "Bytes"], rows);
  }

  #contexts(contexts, mine) {
    const most = Math.max(1, ...contexts.map(({ bytes }) => bytes));
    const rows = [...contexts].sort((a, b) => b.bytes - a.bytes).slice(0, 60).map((context) => [
      make(
        "th",
        { scope: "row" },
        make("a", {
          href: this.view.address({ locale: context.locale, device: context.device }),
          "aria-current": context === mine ? "true" : undefined,
          text: `${context.locale} · ${context.device}`,
        }),
      ),
      meter(context.bytes, most),
      number(size(context.bytes)),
      number(size(context.gzip)),
    ]);
    const title = contexts.length > 60 ? `Contexts (the 60 largest of ${contexts.length})` : "Contexts";
    return tableOf(title, ["Context", "", "Bytes", "Gzip"], rows);
  }

  async #sharing(contexts, mine) {
    const others = contexts.filter((context) => context !== mine).map(({ locale, device }) => `${locale}/${device}`);
    this.others = others.map((name) => ({ value: name, text: name.replace("/", " · ") }));
    if (!others.includes(this.chosen)) this.chosen = others[0] ?? "";
    this.other.update(this.chosen, this.chosen.replace("/", " · ") || "–");
    const box = make(
      "section",
      { class: "block" },
      make("h3", { text: "Shared with another context" }),
      this.other.element,
    );
    if (!this.chosen) {
      box.append(
        make("p", {
          class: "hint",
          text: "There is only one context. A second locale or device can share objects with it.",
        }),
      );
      return box;
    }
    const { sharing = { bytes: 0, sharedBytes: 0, sharedObjects: 0 } } = await this.session.api.ask("sizes", {
      a: `${mine.locale}/${mine.device}`,
      b: this.chosen,
    });
    const share = sharing.bytes ? sharing.sharedBytes / sharing.bytes : 0;
    box.append(
      make(
        "p",
        { class: "figure" },
        make("span", { class: "big", text: percent(share) }),
        ` of ${size(sharing.bytes)}: ${counted(sharing.sharedObjects, "object")}, ${
          size(sharing.sharedBytes)
        } are the same file.`,
      ),
      make("div", { class: "meter wide" }, make("span", { class: "meter-fill", style: { width: `${share * 100}%` } })),
    );
    return box;
  }
}

function tableOf(title, heads, rows) {
  const head = make(
    "tr",
    {},
    ...heads.map((text) =>
      text
        ? make("th", { scope: "col", class: ["Entries", "Bytes", "Gzip"].includes(text) ? "end" : undefined, text })
        : make("td", {})
    ),
  );
  return make(
    "section",
    { class: "block" },
    make("h3", { text: title }),
    make(
      "div",
      { class: "scroller", tabindex: 0, role: "group", "aria-label": title },
      make(
        "table",
        { class: "plain" },
        make("thead", {}, head),
        make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells))),
      ),
    ),
  );
}

function number(text) {
  return make("td", { class: "number", text: String(text) });
}

function meter(value, most) {
  return make(
    "td",
    { class: "meter-cell", "aria-hidden": "true" },
    make(
      "div",
      { class: "meter" },
      make("span", { class: "meter-fill", style: { width: `${(100 * value) / most}%` } }),
    ),
  );
}
