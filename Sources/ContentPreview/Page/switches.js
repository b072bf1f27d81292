"use strict";
// The top bar: who reads, with what, where and when; the tabs; and how the build is doing.

const TAB_NAMES = { preview: "Preview", changes: "Changes", coverage: "Coverage", sizes: "Sizes", schedule: "Schedule", problems: "Problems" };

class TopBar {
  constructor(session, { help }) {
    this.session = session;
    this.view = session.view;
    this.locale = new LocalePicker((tag) => this.view.set({ locale: tag }));
    this.device = this.#select("device", "Device");
    this.country = this.#select("country", "Country");
    this.app = this.#select("app", "App version");
    this.pseudo = this.#select("pseudo", "Pseudo-locale");
    this.#buildInstant();
    this.#buildSwitches();
    this.status = make("p", { class: "status", role: "status" });
    this.heading = make("h1", { class: "app-name" });
    this.tabs = make("nav", { class: "tabs", "aria-label": "Views" });
    const buttons = make("div", { class: "top-buttons" }, iconButton("theme", "Light or dark (D)", () => switchTheme()),
      iconButton("help", "Keyboard shortcuts (?)", help));
    document.getElementById("top").append(make("div", { class: "top-row" }, this.heading, this.summary, this.switches, this.status, buttons), this.tabs);
    for (const news of ["state", "apps"]) session.addEventListener(news, () => this.update());
    session.addEventListener("connection", () => this.#drawStatus());
    this.view.addEventListener("change", () => this.update());
  }

  #select(field, label) {
    const select = make("select", { id: field, on: { change: () => this.view.set({ [field]: select.value }) } });
    return { select, element: make("div", { class: "switch-box" }, make("label", { for: field, text: label }), select) };
  }

  #buildInstant() {
    this.at = make("input", { type: "datetime-local", id: "at", step: "1", on: { change: () => this.#setInstant() } });
    this.now = make("button", { type: "button", class: "now", text: "Now", on: { click: () => this.view.set({ at: "" }) } });
    this.when = make("div", { class: "switch-box instant" }, make("label", { for: "at", text: "Instant" }), make("div", { class: "joined" }, this.now, this.at));
  }

  #setInstant() {
    this.view.set({ at: instantText(this.at.value) });
  }

  #buildSwitches() {
    this.switches = make("div", { class: "switches", id: "switches", role: "group", "aria-label": "Reader" }, this.locale.element, this.device.element,
      this.country.element, this.app.element, this.when, this.pseudo.element);
    this.summaryText = make("span", {});
    this.summary = make("button", { type: "button", class: "summary", "aria-expanded": "false", "aria-controls": "switches",
      on: { click: () => this.#unfold() } }, icon("sliders"), this.summaryText);
  }

  #unfold() {
    const isOpen = this.switches.classList.toggle("open");
    this.summary.setAttribute("aria-expanded", String(isOpen));
  }

  update() {
    const { state } = this.session;
    if (!state) return;
    const { current } = this.view;
    document.title = `${this.session.errors.length ? "⚠ " : ""}${state.app} preview`;
    this.heading.replaceChildren(make("span", { class: "mark", "aria-hidden": "true" }), state.app, unseen(" preview"));
    this.locale.update(state.locales, current.locale);
    this.#options(this.device, [...state.devices.map(({ name }) => [name, name]), ["any", "any other"]], current.device);
    this.#options(this.country, [["", "unknown"], ...withCurrent(state.countries, current.country).map((country) => [country, countryName(country)])], current.country);
    this.#options(this.app, [["", "unknown"], ...appVersions(state.versions, [state.minimumApp, ...this.session.oldestApps].filter(Boolean), current.app)], current.app);
    this.#options(this.pseudo, [["", "off"], ...Object.entries(PSEUDO)], current.pseudo);
    this.at.value = current.at ? localInstant(new Date(current.at)) : "";
    this.now.setAttribute("aria-pressed", String(!current.at));
    this.summaryText.textContent = [current.locale, current.device, current.country, current.app, current.at && "at an instant", current.pseudo]
      .filter(Boolean).join(" · ");
    this.#drawTabs();
    this.#drawStatus();
  }

  #options({ select }, options, current) {
    const wanted = JSON.stringify(options);
    if (select.dataset.options !== wanted) {
      select.replaceChildren(...options.map(([value, text]) => make("option", { value, text })));
      select.dataset.options = wanted;
    }
    select.value = current;
    select.classList.toggle("set", Boolean(current) && select.id !== "device");
  }

  #drawTabs() {
    const { errors, problems } = this.session;
    const counts = { problems: problems.length };
    const held = this.tabs.contains(document.activeElement) ? document.activeElement.dataset.tab : undefined;
    this.tabs.replaceChildren(...TABS.map((tab) => make("a", { href: this.view.address({ tab }), class: "tab", "data-tab": tab,
      "aria-current": this.view.current.tab === tab ? "page" : undefined, on: { click: (event) => this.#goTo(event, tab) } }, TAB_NAMES[tab],
    counts[tab] ? make("span", { class: `pill ${errors.length ? "bad" : "fair"}`, text: String(counts[tab]) }) : undefined)));
    if (held) this.tabs.querySelector(`[data-tab=${held}]`).focus();
  }

  #goTo(event, tab) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.view.set({ tab });
  }

  #drawStatus() {
    const { session } = this;
    const [kind, text] = session.connection === "lost" ? ["lost", "Not connected"]
      : session.errors.length ? ["bad", `${counted(session.errors.length, "error")}; last good build shown`]
      : session.state?.writing.ok === false ? ["bad", `Shown, but not written: ${session.state.writing.message}`]
        : session.state?.build ? ["good", `Built in ${session.state.build.milliseconds} ms`] : ["wait", "Waiting for a build"];
    if (this.status.dataset.kind === kind && this.status.dataset.text === text) return;
    Object.assign(this.status.dataset, { kind, text });
    this.status.replaceChildren(make("span", { class: "dot" }), make("span", { class: "status-text", title: text, text }));
  }
}

/** The versions that the content tells apart, the oldest that may go on here or in a channel, and one that may not. */
function appVersions(versions, oldest, current) {
  const known = withCurrent([...new Set([...versions, ...oldest])].sort(compareVersions), current);
  const [first] = [...oldest].sort(compareVersions);
  const tooOld = first && compareVersions("0", first) < 0 ? [["0", `below ${first}`]] : [];
  return [...tooOld, ...known.filter((version) => !tooOld.length || version !== "0").map((version) => [version, version])];
}

function withCurrent(list, current) {
  return current && !list.includes(current) ? [...list, current] : list;
}

const regionNames = new Intl.DisplayNames("en", { type: "region" });

function countryName(country) {
  try {
    return `${country} ${regionNames.of(country)}`;
  } catch {
    return country;
  }
}

/** An instant in this machine's time, as `datetime-local` takes it. */
function localInstant(instant) {
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
}

/** Light, dark, or as the system has it, in turn: what is chosen holds until the page is left. */
function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  say(isDark ? "Light" : "Dark");
}
