"use strict";
// The share of texts in the readers' own language, by locale and datatype.

// Each text is in one of these states. A translated or inherited one may be outdated, too.
const STATES = [
  ["translated", "translated"],
  ["inherited", "inherited"],
  ["fallback", "falling back"],
  ["missing", "missing"],
];

class CoveragePanel {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.view = session.view;
    this.lead = make("p", { class: "lead", text: "Counting …" });
    this.table = make("div", {
      class: "scroller",
      tabindex: 0,
      role: "group",
      "aria-label": "Coverage by locale and datatype",
    });
    this.detail = make("div", { class: "coverage-detail", "aria-live": "polite" });
    const legend = make(
      "p",
      { class: "legend" },
      ...[...STATES, ["outdated", "outdated"]].map(([state, text]) =>
        make("span", { class: "legend-item" }, make("span", { class: `key ${state}` }), text)
      ),
    );
    this.element = make(
      "div",
      { class: "panel coverage" },
      panelHead("Coverage", legend),
      this.lead,
      this.table,
      this.detail,
    );
  }

  async update() {
    try {
      const coverage = await this.session.api.ask("coverage");
      this.#draw(coverage);
      if (this.chosen) await this.#list(...this.chosen);
    } catch (error) {
      this.lead.textContent = error.message;
    }
  }

  #draw({ datatypes, isLocked, locales, share, sourceLocale }) {
    const outdated = locales.reduce((sum, row) => sum + row.outdated, 0);
    const known = outdated
      ? ` ${
        counted(outdated, "text that readers see is", "texts that readers see are")
      } outdated: the source text has changed since.`
      : "";
    const told = isLocked
      ? known
      : " Outdated translations are unknown, since there is no record of the source texts yet: “contentc translations lock” makes translations.lock.";
    this.lead.textContent = `${
      percent(share)
    } of all texts that readers see are in their language. Source: ${sourceLocale}.${told}`;
    const head = make(
      "tr",
      {},
      make("th", { scope: "col", text: "Locale" }),
      make("th", { scope: "col", text: "All" }),
      ...datatypes.map((name) => make("th", { scope: "col", text: name })),
    );
    const rows = locales.map((row) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, row.locale, this.#name(row.locale)),
        this.#cell(row, row.locale),
        ...datatypes.map((name) => (row.datatypes[name]
          ? this.#cell(row.datatypes[name], row.locale, name)
          : make("td", { class: "dim", text: "–" }))
        ),
      )
    );
    this.table.replaceChildren(make("table", { class: "matrix" }, make("thead", {}, head), make("tbody", {}, ...rows)));
    this.#markChosen();
  }

  #name(locale) {
    const name = this.session.state.locales.find(({ tag }) => tag === locale)?.name;
    return name && make("span", { class: "locale-name", text: name });
  }

  #cell(counts, locale, datatype) {
    const total = STATES.reduce((sum, [state]) => sum + counts[state], 0) || 1;
    const states = STATES.filter(([state]) => counts[state]).map(([state, text]) => `${counts[state]} ${text}`);
    const told = [...states, ...(counts.outdated ? [`${counts.outdated} outdated`] : [])].join(", ");
    const mark = counts.outdated
      ? make("span", { class: "outdated-count", "aria-hidden": "true", text: counts.outdated.toLocaleString("en") })
      : "";
    const bar = make(
      "span",
      { class: "bar", "aria-hidden": "true" },
      ...STATES.map(([state]) =>
        make("span", { class: `part ${state}`, style: { width: `${(100 * counts[state]) / total}%` } })
      ),
    );
    const label = `${locale}${datatype ? `, ${datatype}` : ""}: ${percent(counts.share)}; ${told}`;
    return make(
      "td",
      {},
      make(
        "button",
        {
          type: "button",
          class: "cell",
          "aria-label": label,
          title: told,
          "data-cell": `${locale} ${datatype ?? ""}`,
          style: { "--share": `${Math.round(counts.share * 100)}%` },
          on: { click: () => this.#list(locale, datatype) },
        },
        mark,
        percent(counts.share),
        bar,
      ),
    );
  }

  #markChosen() {
    for (const cell of this.table.querySelectorAll(".cell")) {
      cell.setAttribute(
        "aria-pressed",
        String(this.chosen !== undefined && cell.dataset.cell === `${this.chosen[0]} ${this.chosen[1] ?? ""}`),
      );
    }
  }

  async #list(locale, datatype) {
    this.chosen = [locale, datatype];
    this.#markChosen();
    const { entries = [] } = await this.session.api.ask("coverage", { locale, datatype });
    const found = entries.map(({ entry, fields }) => ({
      entry,
      fields: fields.filter(({ state }) => state !== "inherited"),
    })).filter(({ fields }) => fields.length);
    const title = make("h3", { text: `${locale}${datatype ? ` · ${datatype}` : ""}` });
    if (!found.length) {
      return this.detail.replaceChildren(
        title,
        make("p", { class: "hint", text: "Every text is translated. Other cells list what is left to translate." }),
      );
    }
    const items = found.slice(0, 300).map(({ entry, fields }) => this.#entry(locale, entry, fields));
    const all = found.flatMap(({ fields }) => fields);
    const [outdated, others] = [
      all.filter(({ state }) => state === "outdated"),
      all.filter(({ state }) => state !== "outdated"),
    ];
    const filter = outdated.length ? (others.length ? "" : "outdated") : "missing";
    // An inherited text is translated in the locale that it is from.
    const sources = new Set(outdated.map(({ from }) => from));
    const place = !others.length && sources.size === 1 ? [...sources][0] : locale;
    return this.detail.replaceChildren(
      title,
      make(
        "p",
        { class: "dim" },
        `${counted(found.length, "entry", "entries")} to translate. `,
        make("a", {
          href: this.view.address({ tab: "translations", locale: place, filter, find: "" }),
          text: "Show them beside their source",
        }),
      ),
      make("ul", { class: "todo" }, ...items, ...more(found.length - 300, "entry", "entries")),
    );
  }

  #entry(locale, entry, fields) {
    return make(
      "li",
      {},
      make("a", { class: "id-link", href: this.view.address({ tab: "preview", locale, show: entry }), text: entry }),
      make(
        "span",
        { class: "todo-fields" },
        ...fields.map(({ path, state, from, location }) =>
          make(
            "span",
            { class: `todo-field ${state}` },
            location && Places.address(location)
              ? Places.link(location, path)
              : make("code", { title: location && shortPlace(location), text: path }),
            make("span", { class: "dim", text: ` ${state === "outdated" || !from ? state : from}` }),
          )
        ),
      ),
    );
  }
}

/** A percentage with at most one decimal, rounded down as in `contentc coverage`, so that 100 % means all. */
function percent(share) {
  return `${Math.floor(share * 1000 + 1e-9) / 10} %`;
}
