"use strict";
// The top bar: the reader's locale, device and so on, the tabs, and the state of the build.

class TopBar {
  /** @type {InstantPicker} */
  at;
  /** @type {Picker} */
  locale;
  /** @type {Picker} */
  device;
  /** @type {Picker} */
  country;
  /** @type {Picker} */
  app;
  /** @type {Picker} */
  pseudo;

  /**
   * @param {Session} session
   * @param {any} options
   */
  constructor(session, { help, phone }) {
    this.session = session;
    this.view = session.view;
    this.#buildSwitches();
    this.status = make("p", { class: "status", role: "status" });
    this.heading = make("h1", { class: "app-name" }, make("span", { class: "mark", "aria-hidden": "true" }), "Preview");
    this.tabs = make("nav", { class: "tabs", "aria-label": "Views" });
    this.tabStops = new Roving(this.tabs, ".tab");
    const buttons = make(
      "div",
      { class: "top-buttons", role: "toolbar", "aria-label": "Page" },
      !Exported.isOn && iconButton("phone", "On a phone (Q)", phone),
      iconButton("theme", "Light or dark (D)", () => switchTheme()),
      iconButton("help", "Keyboard shortcuts (?)", help),
    );
    this.buttonStops = new Roving(buttons, "button");
    const top = document.getElementById("top");
    // The sticky columns below the bar depend on its height.
    new ResizeObserver(() => document.documentElement.style.setProperty("--top", `${top.offsetHeight}px`)).observe(top);
    top.replaceChildren(
      make("div", { class: "top-row" }, this.heading, this.summary, this.switches, this.status, buttons),
      this.tabs,
      make("div", { id: "notices" }),
    );
    for (const news of ["state", "apps"]) session.addEventListener(news, () => this.update());
    session.addEventListener("connection", () => this.#drawStatus());
    this.view.addEventListener("change", () => this.update());
    this.#drawTabs();
    this.#drawStatus();
  }

  #picker(id, label, options, search) {
    return new Picker({
      id,
      label,
      search,
      options: (text) => matching(options(), text),
      choose: (value) => this.view.set({ [id]: value }),
    });
  }

  #buildSwitches() {
    const { session, view } = this;
    const state = () => session.state ?? { locales: [], devices: [], countries: [], versions: [] };
    this.locale = this.#picker(
      "locale",
      "Locale",
      () =>
        state().locales.map(({ tag, name = "", nativeName = "", direction }) => ({
          value: tag,
          text: tag,
          detail: name,
          more: nativeName,
          lang: tag,
          dir: direction,
        })),
      "Tag or name",
    );
    this.device = this.#picker(
      "device",
      "Device",
      () => [
        ...state().devices.map(({ name, parent }) => ({
          value: name,
          text: name,
          detail: parent && parent !== "any" ? `a kind of ${parent}` : "",
        })),
        ...isExportedDevice(state(), "any") ? [{ value: "any", text: "any other" }] : [],
      ],
    );
    this.country = this.#picker(
      "country",
      "Country",
      () => [
        { value: "", text: "unknown" },
        ...withCurrent(state().countries, view.current.country).map((country) => ({
          value: country,
          text: country,
          detail: countryName(country),
        })),
      ],
    );
    this.app = this.#picker(
      "app",
      "App version",
      () => [
        { value: "", text: "unknown" },
        ...appVersions(state().versions, this.#oldestApps, view.current.app)
          .map(([value, text]) => ({ value, text })),
      ],
    );
    this.at = new InstantPicker(session);
    this.pseudo = this.#picker(
      "pseudo",
      "Pseudo-locale",
      () => [{ value: "", text: "off" }, ...Object.entries(PSEUDO).map(([value, text]) => ({ value, text }))],
    );
    this.switches = make(
      "div",
      { class: "switches", id: "switches", role: "group", "aria-label": "Reader" },
      ...[this.locale, this.device, this.country, this.app, this.at, this.pseudo].map(({ element }) => element),
    );
    this.summaryText = make("span", {});
    this.summary = make(
      "button",
      {
        type: "button",
        class: "summary",
        "aria-expanded": "false",
        "aria-controls": "switches",
        on: { click: () => this.#unfold() },
      },
      icon("sliders"),
      this.summaryText,
    );
  }

  /** The oldest supported versions; an export has only the versions that were chosen for it. */
  get #oldestApps() {
    const { state, oldestApps } = this.session;
    return Exported.isOn ? [] : [state?.minimumApp, ...oldestApps].filter(Boolean);
  }

  #unfold() {
    const isOpen = this.switches.classList.toggle("open");
    this.summary.setAttribute("aria-expanded", String(isOpen));
  }

  /** Opens the list of a switch. */
  open(name) {
    if (!this.switches.classList.contains("open") && this.summary.offsetParent) this.#unfold();
    this[name].open();
  }

  update() {
    const { state } = this.session;
    if (!state) return;
    const { current } = this.view;
    this.#nameDocument();
    this.heading.replaceChildren(make("span", { class: "mark", "aria-hidden": "true" }), state.app, unseen(" preview"));
    this.locale.update(
      current.locale,
      current.locale || "–",
      false,
      state.locales.find(({ tag }) => tag === current.locale)?.name,
    );
    this.device.update(current.device, current.device === "any" ? "any other" : current.device || "–");
    this.country.update(current.country, current.country || "unknown", Boolean(current.country));
    this.app.update(
      current.app,
      appVersions([], this.#oldestApps, current.app).find(([value]) => value === current.app)?.[1] ?? "unknown",
      Boolean(current.app),
    );
    this.pseudo.update(current.pseudo, isPseudo(current.pseudo) ? current.pseudo : "off", isPseudo(current.pseudo));
    this.at.update();
    if (Exported.isOn) {
      this.country.element.hidden = !state.countries.length;
      this.app.element.hidden = !state.versions.length;
      this.at.element.hidden = this.pseudo.element.hidden = true;
    }
    this.summaryText.textContent = [
      current.locale,
      current.device,
      current.country,
      current.app && `app ${current.app}`,
      current.at && localInstant(new Date(current.at)),
      isPseudo(current.pseudo) && current.pseudo,
    ]
      .filter(Boolean).join(" · ");
    this.#drawTabs();
    this.#drawStatus();
  }

  /** Names the browser's tab by what the page shows, so that several tabs can be told apart. */
  #nameDocument() {
    const { state, errors, view: { current } } = this.session;
    const shown = current.tab === "preview" ? current.show.replace(/^@/, "") : tabNamed(current.tab)?.title;
    document.title = `${errors.length ? "⚠ " : ""}${[shown, `${state.app} preview`].filter(Boolean).join(" · ")}`;
  }

  #drawTabs() {
    const { errors, problems } = this.session;
    const counts = { problems: problems.length };
    const held = this.tabs.contains(document.activeElement) ? document.activeElement?.dataset.tab : undefined;
    // An address that begins with a fragment would be that of a skip link, once it is scrolled away.
    this.tabs.replaceChildren(
      ...TABS.map(({ name: tab, title }) =>
        make(
          "a",
          {
            href: `./${this.view.address({ tab })}`,
            class: "tab",
            "data-tab": tab,
            "aria-current": this.view.current.tab === tab ? "page" : undefined,
            on: { click: (event) => this.#goTo(event, tab) },
          },
          make("span", { class: "tab-name", "data-text": title, text: title }),
          counts[tab]
            ? make("span", { class: `pill ${errors.length ? "bad" : "fair"}`, text: String(counts[tab]) })
            : undefined,
        )
      ),
    );
    this.#scrollTabs();
    this.tabStops.update();
    if (held) this.tabs.querySelector(`[data-tab=${held}]`).focus();
  }

  /** Scrolls to the current tab where not all have room. */
  #scrollTabs() {
    const current = this.tabs.querySelector("[aria-current]");
    if (!current || this.tabs.scrollWidth <= this.tabs.clientWidth) return;
    const [inner, outer] = [current.getBoundingClientRect(), this.tabs.getBoundingClientRect()];
    if (inner.right > outer.right) this.tabs.scrollLeft += inner.right - outer.right + 16;
    if (inner.left < outer.left) this.tabs.scrollLeft += inner.left - outer.left - 16;
  }

  #goTo(event, tab) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.view.set({ tab });
  }

  #drawStatus() {
    const { session } = this;
    const [kind, text] = session.connection === "lost"
      ? ["lost", "No connection"]
      : session.errors.length
      ? ["bad", `${counted(session.errors.length, "error")}; last good build shown`]
      : session.state?.writing.ok === false
      ? ["bad", `Shown, but not written: ${session.state.writing.message}`]
      : session.state?.build
      ? this.#built(session)
      : ["wait", session.state ? "Building for the first time" : "Connecting"];
    if (this.status.dataset.kind === kind && this.status.dataset.text === text) return;
    Object.assign(this.status.dataset, { kind, text });
    const shown = make("span", { class: "status-text", title: text, text });
    const isProblem = kind === "warned" || session.errors.length > 0;
    this.status.replaceChildren(
      make("span", { class: "dot" }),
      isProblem
        ? make("a", {
          class: "status-link",
          href: `./${this.view.address({ tab: "problems" })}`,
          on: { click: (event) => this.#goTo(event, "problems") },
        }, shown)
        : shown,
    );
  }

  #built({ state, problems }) {
    if (Exported.facts) return this.#exported(Exported.facts, problems);
    const time = `Built in ${state.build.milliseconds} ms`;
    return problems.length ? ["warned", `${counted(problems.length, "warning")} · ${time}`] : ["good", time];
  }

  /**
   * The version that was exported, and its moment.
   * @param {ExportFacts} facts
   * @param {Problem[]} problems
   */
  #exported({ label, at }, problems) {
    const found = problems.length ? counted(problems.length, "warning") : "";
    const text = [found, label, `Exported as of ${shownInstant(Date.parse(at))}`].filter(Boolean).join(" · ");
    return [problems.length ? "warned" : "good", text];
  }
}

/** The versions in the content's conditions, the oldest supported ones, and one that is too old. */
function appVersions(versions, oldest, current) {
  const known = withCurrent(sortedVersions([...versions, ...oldest]), current);
  const [first] = sortedVersions(oldest);
  const tooOld = first && compareVersions("0", first) < 0 ? [["0", `below ${first}`]] : [];
  return [
    ...tooOld,
    ...known.filter((version) => !tooOld.length || version !== "0").map((version) => [version, version]),
  ];
}

function withCurrent(list, current) {
  return current && !list.includes(current) ? [...list, current] : list;
}

const regionNames = new Intl.DisplayNames("en", { type: "region" });

function countryName(country) {
  try {
    return regionNames.of(country);
  } catch {
    return country;
  }
}

/** Switches between light and dark until the page is closed. */
function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  say(isDark ? "Light" : "Dark");
}
