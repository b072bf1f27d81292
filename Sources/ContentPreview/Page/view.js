"use strict";
// What is looked at: tab, context and place. All of it stands in the URL's fragment, so that a link shows the same.

const TABS = ["preview", "changes", "coverage", "sizes", "schedule", "problems"];
const FIELDS = ["locale", "device", "country", "app", "at", "pseudo", "show", "side", "channel", "of"];

class View extends EventTarget {
  /** `settle` says what stands in for parts of an address that are missing or unknown. */
  constructor(settle) {
    super();
    this.settle = settle;
    this.current = this.#read();
    addEventListener("hashchange", () => this.#followAddress());
  }

  #read() {
    const [tab, query = ""] = location.hash.slice(1).split("?");
    const given = new URLSearchParams(query);
    const view = { tab: TABS.includes(tab) ? tab : "preview" };
    for (const field of FIELDS) view[field] = given.get(field) ?? "";
    view.at = instantText(view.at);
    return { ...view, ...this.settle(view) };
  }

  /** The address that shows the view with these changes. */
  address(changes = {}) {
    const view = { ...this.current, ...changes };
    const query = new URLSearchParams();
    for (const field of FIELDS) if (view[field]) query.set(field, view[field]);
    const text = query.toString().replaceAll("%2F", "/").replaceAll("%3A", ":");
    return `#${view.tab}${text ? `?${text}` : ""}`;
  }

  /** Changes the view. A new place or tab is a step of the browser's history, a switch is not. */
  set(changes) {
    const before = this.current;
    const address = this.address(changes);
    const isStep = ["tab", "show"].some((field) => field in changes && changes[field] !== before[field]);
    this.current = { ...before, ...changes };
    if (address !== location.hash) history[isStep ? "pushState" : "replaceState"](null, "", address);
    this.#tell(before);
  }

  #followAddress() {
    const before = this.current;
    this.current = this.#read();
    this.#tell(before);
  }

  #tell(before) {
    const changed = Object.keys(this.current).filter((field) => this.current[field] !== before[field]);
    if (changed.length) this.dispatchEvent(Object.assign(new Event("change"), { changed }));
  }

  get context() {
    const { locale, device, country, app } = this.current;
    return { locale, device, country, app };
  }

  /** Who reads, and when, as the server asks for it. */
  get reader() {
    return { ...this.context, at: this.current.at };
  }

  /** The instant looked at, in milliseconds since 1970. */
  get instant() {
    return this.current.at ? Date.parse(this.current.at) : Date.now();
  }
}

/** An instant as the server takes it; empty where the text is none. */
function instantText(text) {
  const instant = new Date(text);
  return text && !Number.isNaN(instant.getTime()) ? instant.toISOString().replace(/\.\d+Z/, "Z") : "";
}
