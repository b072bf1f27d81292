"use strict";
// The current view: tab, context and place. The URL's fragment has all of it, so that a link shows the same.

/** The tabs in their order; `main.js` has their panels. */
const TABS = /** @type {const} */ ([
  { name: "preview", title: "Preview" },
  { name: "changes", title: "Changes" },
  { name: "coverage", title: "Coverage" },
  { name: "sizes", title: "Sizes" },
  { name: "schedule", title: "Schedule" },
  { name: "problems", title: "Problems" },
  { name: "translations", title: "Translations" },
]);

/** @param {string} name */
const tabNamed = (name) => TABS.find((tab) => tab.name === name);

/** @type {(keyof CurrentView)[]} */
const FIELDS = [
  "locale",
  "device",
  "country",
  "app",
  "at",
  "pseudo",
  "show",
  "side",
  "channel",
  "rollout",
  "of",
  "stand",
  "filter",
  "find",
];

class View extends EventTarget {
  /**
   * The fragment that the view was read from or written to.
   * @type {string | undefined}
   */
  #shown;

  /**
   * `settle` returns the replacements for missing and unknown parts of an address.
   * @param {(view: CurrentView) => Partial<CurrentView>} settle
   */
  constructor(settle) {
    super();
    this.settle = settle;
    /** @type {string | undefined} */
    this.sourceLocale = undefined;
    this.current = this.#read();
    addEventListener("hashchange", () => this.#followAddress());
  }

  #read() {
    this.#shown = location.hash;
    const [tab, query = ""] = location.hash.slice(1).split("?");
    const given = new URLSearchParams(query);
    const view = /** @type {CurrentView} */ ({ tab: tabNamed(tab) ? tab : "preview" });
    for (const field of FIELDS) view[field] = given.get(field) ?? "";
    view.at = instantText(view.at);
    const stand = typedPosition(view.stand);
    view.stand = stand ? positionText(stand) : "";
    // An export has one build.
    if (Exported.isOn) Object.assign(view, { at: "", pseudo: "" });
    return { ...view, ...this.settle(view) };
  }

  /**
   * The address that shows the view with these changes.
   * @param {Partial<CurrentView>} changes
   */
  address(changes = {}) {
    const view = { ...this.current, ...changes };
    const query = new URLSearchParams();
    for (const field of FIELDS) if (view[field]) query.set(field, view[field]);
    const text = query.toString().replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%2C", ",");
    return `#${view.tab}${text ? `?${text}` : ""}`;
  }

  /**
   * Changes the view. Only a new place or tab is added to the browser's history.
   * @param {Partial<CurrentView>} changes
   */
  set(changes) {
    this.#followAddress();
    const before = this.current;
    const address = this.address(changes);
    const isStep = /** @type {const} */ (["tab", "show"]).some((field) =>
      field in changes && changes[field] !== before[field]
    );
    this.current = { ...before, ...changes };
    if (address !== location.hash) history[isStep ? "pushState" : "replaceState"](null, "", address);
    this.#shown = location.hash;
    this.#tell(before);
  }

  /** Replaces missing and unknown parts again, after a build has changed the known names. */
  settleAgain() {
    this.#followAddress();
    this.set(this.settle(this.current));
  }

  /** Reads the address again if it is new: its event may not have arrived yet. */
  #followAddress() {
    if (location.hash === this.#shown) return;
    const before = this.current;
    this.current = this.#read();
    this.#tell(before);
  }

  /** @param {CurrentView} before */
  #tell(before) {
    const changed = /** @type {(keyof CurrentView)[]} */ (Object.keys(this.current)).filter((field) =>
      this.current[field] !== before[field]
    );
    if (changed.length) this.dispatchEvent(Object.assign(new Event("change"), { changed }));
  }

  get context() {
    const { locale, device, country, app } = this.current;
    return { locale, device, country, app };
  }

  /** The parameters of the reader for the server. The texts of a pseudo-locale are those of the source locale. */
  get reader() {
    const { at, locale, pseudo } = this.current;
    return { ...this.context, locale: isPseudo(pseudo) ? this.sourceLocale ?? locale : locale, at };
  }

  /** The current instant in milliseconds since 1970. */
  get instant() {
    const at = this.current.at || Exported.facts?.at;
    return at ? Date.parse(at) : Date.now();
  }
}

/**
 * An instant in the format of the server; empty for invalid text.
 * @param {string} text
 */
function instantText(text) {
  const instant = new Date(text);
  return text && !Number.isNaN(instant.getTime()) ? instant.toISOString().replace(/\.\d+Z/, "Z") : "";
}
