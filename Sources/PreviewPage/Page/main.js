"use strict";
// The page: a session, the top bar, and one panel at a time.

class Page {
  constructor() {
    this.session = new Session();
    this.help = new Help();
    this.phone = new PhoneDialog(this.session);
    this.top = new TopBar(this.session, { help: () => this.help.toggle(), phone: () => this.phone.toggle() });
    this.notices = new Notices(this.session, (field) => this.top.open(field));
    this.main = document.getElementById("main");
    this.panels = {};
    this.#listen();
  }

  #listen() {
    const { session } = this;
    session.view.addEventListener("change", ({ changed }) => this.#viewChanged(changed));
    session.addEventListener("build", (event) => event.waiting.push(this.show(true)));
    session.addEventListener("live", () => this.show(true));
    session.addEventListener("state", () => this.#stateChanged());
    bindKeys(this.#keys());
    // Not by the link itself: the fragment of the address belongs to the view.
    document.querySelector(".skip")?.addEventListener("click", (event) => {
      event.preventDefault();
      this.focusMain();
    });
  }

  /** Moves the focus to the screen, or to the panel without one. */
  focusMain() {
    (this.main.querySelector(".frame:not([hidden]) .frame-body") ?? this.main).focus();
  }

  async begin() {
    try {
      await this.session.begin();
    } catch (error) {
      this.main.replaceChildren(
        emptyState(
          "alert",
          ...Exported.isOn
            ? ["The exported preview cannot be read", `${error.message}. A web server must send its files.`]
            : [
              "The preview’s server does not answer",
              `${error.message}. Start it in a terminal; this page connects automatically.`,
              command(startCommand(this.session)),
            ],
        ),
      );
      if (!Exported.isOn) setTimeout(() => this.begin(), 2000);
      return;
    }
    try {
      if (!Exported.isOn) this.watch = new LiveWatch(this.session);
      await this.show();
      document.documentElement.dataset.generation = `${this.session.state.generation}`;
      document.documentElement.dataset.settled = `${this.session.state.generation}`;
    } catch (error) {
      this.main.replaceChildren(emptyState("alert", "This view failed", error.message));
    }
  }

  panel(tab) {
    /** @type {Record<typeof TABS[number]["name"], new (session: Session) => any>} */
    const kinds = {
      preview: PreviewPanel,
      changes: ChangesPanel,
      coverage: CoveragePanel,
      sizes: SizesPanel,
      schedule: SchedulePanel,
      problems: ProblemsPanel,
      translations: TranslationsPanel,
    };
    return (this.panels[tab] ??= new kinds[tab](this.session));
  }

  /** Shows and updates the current panel. */
  async show(isAfterBuild = false) {
    const panel = this.panel(this.session.view.current.tab);
    if (panel.element.parentNode !== this.main) this.main.replaceChildren(panel.element);
    await this.#updated(panel, isAfterBuild);
  }

  /** Updates a panel after its running update; requests during an update are combined into one. */
  #updated(panel, isAfterBuild = false) {
    panel.isAfterBuild ||= isAfterBuild;
    panel.next ??= Promise.resolve(panel.running).then(() => {
      const isAfterBuild = panel.isAfterBuild;
      Object.assign(panel, { next: undefined, isAfterBuild: false, running: this.#update(panel, isAfterBuild) });
      return panel.running;
    });
    return panel.next;
  }

  /** Updates a panel and reports a failure, which does not affect other panels. */
  async #update(panel, isAfterBuild) {
    try {
      await panel.update(isAfterBuild);
    } catch (error) {
      say(`This view failed: ${error.message}`);
      console.error(error);
    }
  }

  #viewChanged(changed) {
    if (!this.session.state) return;
    if (changed.includes("at")) this.session.releases.clear();
    this.show();
  }

  #stateChanged() {
    const { tab } = this.session.view.current;
    if (!this.panels[tab]) return;
    if (tab === "preview") this.panels.preview.refreshState();
    else this.#updated(this.panels[tab]);
  }

  #keys() {
    const { view } = this.session;
    const inPreview = (act) => () => view.current.tab === "preview" && act(this.panel("preview"));
    const inTranslations = (act) => view.current.tab === "translations" && act(this.panel("translations"));
    const keys = {
      "?": () => this.help.toggle(),
      "l": () => this.top.open("locale"),
      "v": () => this.top.open("device"),
      "t": () => this.top.open("at"),
      "s": () => this.focusMain(),
      "q": () => this.phone.toggle(),
      "/": () => this.#find(),
      "n": () => inTranslations((panel) => panel.step(1)),
      "u": () => inTranslations((panel) => panel.step(-1)),
      "[": () => this.#stepLocale(-1),
      "]": () => this.#stepLocale(1),
      "d": switchTheme,
      "h": inPreview((panel) => panel.frame.go("")),
      "c": inPreview((panel) => panel.inspector.copy()),
      "e": inPreview((panel) => panel.inspector.openInEditor()),
      "p": inPreview((panel) => panel.inspector.togglePin()),
      "m": inPreview((panel) => panel.toggleMarks()),
      "b": inPreview((panel) => panel.sides.step()),
      "Backspace": inPreview((panel) => panel.frame.goBack()),
    };
    if (Exported.isOn) { for (const key of ["t", "q", "e"]) delete keys[key]; }
    TABS.forEach(({ name }, i) => (keys[i + 1] = () => view.set({ tab: name })));
    return keys;
  }

  /** Focuses the search of the current panel. */
  #find() {
    const panel = this.panel(this.session.view.current.tab);
    panel.contents?.element.classList.add("open");
    (panel.contents?.filter ?? panel.search)?.focus();
  }

  #stepLocale(step) {
    const tags = this.session.state.locales.map(({ tag }) => tag);
    const at = tags.indexOf(this.session.view.current.locale);
    this.session.view.set({ locale: tags[(at + step + tags.length) % tags.length] });
  }
}

const page = new Page();
page.begin();
