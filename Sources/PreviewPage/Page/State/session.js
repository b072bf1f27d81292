"use strict";
// The state of the page: the build's state, the current release and catalogue, and events about them.

class Session extends EventTarget {
  constructor() {
    super();
    this.view = new View((view) => this.#settle(view));
    this.api = new API();
    /**
     * The last answer; undefined before the first one.
     * @type {BuildState}
     */
    this.state = /** @type {any} */ (undefined);
    /** @type {BuildEvent | undefined} */
    this.news = undefined;
    /** @type {string | undefined} */
    this.config = undefined;
    /** @type {Promise<any> | undefined} */
    this.building = undefined;
    /** @type {number | undefined} */
    this.lostAt = undefined;
    /** @type {string | undefined} */
    this.liveProblem = undefined;
    this.connection = "connecting";
    /** @type {Map<string, Promise<Release>>} */
    this.releases = new Map();
    /** @type {Set<string>} */
    this.oldestApps = new Set();
    /**
     * The unknown values in the address by field, each with its replacement.
     * @type {Map<keyof CurrentView, { asked: string, shown: string }>}
     */
    this.replaced = new Map();
  }

  async begin() {
    await this.#loadState();
    this.#listen();
  }

  async #loadState() {
    const address = Exported.isOn ? "./export.json" : "/api/state";
    const response = await fetch(address, { cache: "no-store" });
    if (!response.ok) throw new Error(`${address}: status ${response.status}`);
    this.state = {
      app: "content",
      locales: [],
      devices: [],
      countries: [],
      versions: [],
      diagnostics: [],
      ...await response.json(),
    };
    Places.editor = this.state.editor;
    if (Exported.isOn) Exported.state = this.state;
    this.view.sourceLocale = this.state.sourceLocale;
    this.api.begin(`${this.state.run} ${this.state.generation}`);
    this.view.settleAgain();
    this.#tell("state");
  }

  /**
   * Replaces missing and unknown names in a view by those that readers get.
   * @param {CurrentView} view
   * @returns {Partial<CurrentView>}
   */
  #settle({ locale, device, country, app, side, channel }) {
    if (!this.state) return {};
    const { locales, devices, countries, versions, comparing = [] } = this.state;
    // Before the first build, no names are known.
    if (!locales.length) return {};
    const settled = {};
    if (!locales.some(({ tag }) => tag === locale)) {
      settled.locale = this.#replace("locale", locale, declaredLocale(this.state, locale));
    }
    if (!isExportedDevice(this.state, device)) {
      const other = isExportedDevice(this.state, "any") ? "any" : devices[0]?.name ?? "any";
      settled.device = this.#replace("device", device, device ? other : devices[0]?.name ?? "any");
    }
    if (Exported.isOn) {
      if (country && !countries.includes(country)) settled.country = this.#replace("country", country, "");
      if (app && !versions.includes(app)) settled.app = this.#replace("app", app, "");
    }
    if (channel && !comparing.includes(channel)) settled.channel = this.#replace("channel", channel, "");
    if (["live", "both"].includes(side) && !comparing.length) settled.side = this.#replace("side", side, "");
    return settled;
  }

  /**
   * @param {keyof CurrentView} field
   * @param {string} asked
   * @param {string} shown
   */
  #replace(field, asked, shown) {
    if (asked) this.replaced.set(field, { asked, shown });
    return shown;
  }

  /**
   * Drops a notice after another value is chosen.
   * @param {CurrentView} view
   */
  keepReplaced(view) {
    for (const [field, { shown }] of this.replaced) if (view[field] !== shown) this.replaced.delete(field);
  }

  #listen() {
    // A plain file server has no news.
    if (Exported.isOn) return;
    const events = new News("/api/events");
    events.addEventListener("connection", ({ detail }) => this.#connect(detail));
    events.addEventListener("build", ({ detail }) => this.#built(detail));
    this.events = events;
  }

  /** @param {string} connection */
  #connect(connection) {
    this.connection = connection;
    if (connection === "lost") this.lostAt ??= Date.now();
    else this.lostAt = undefined;
    this.#tell("connection");
  }

  /**
   * Handles an event about an attempt to build. Events are handled in order, and only the latest pending one.
   * @param {BuildEvent} news
   */
  #built(news) {
    const before = this.news;
    this.news = news;
    // Generations begin at 1 with each start of the preview.
    /** @type {(known: { run: string, generation: number }) => boolean} */
    const isSame = (known) => known.run === news.run && known.generation === news.generation;
    const isKnown = before
      ? isSame(before) && before.config === news.config && before.written === news.written
      : isSame(this.state) && this.state.writing.ok === news.written;
    if (isKnown) this.config ??= news.config;
    else this.building = Promise.resolve(this.building).then(() => news === this.news ? this.#take(news) : undefined);
  }

  /**
   * Updates the screen first, then everything else.
   * @param {BuildEvent} news
   */
  async #take(news) {
    performance.mark(`build-${news.generation}`);
    this.api.begin(`${news.run} ${news.generation}`);
    this.releases.clear();
    const isNew = news.config === undefined || news.config !== this.config || this.view.current.at;
    this.config = news.config;
    // A failed attempt has the config of the last good build, whose event may have been skipped.
    if (isNew) await this.#tellAll("build");
    performance.mark(`painted-${news.generation}`);
    document.documentElement.dataset.generation = `${news.generation}`;
    await this.#loadState().catch((error) => say(error.message));
    document.documentElement.dataset.settled = `${news.generation}`;
  }

  /**
   * The current release: the build, the build at an instant or with pseudo-locales, or a channel's live release.
   * @param {string} channel
   */
  release(channel = "") {
    const { at, pseudo } = this.view.current;
    if (Exported.isOn) return this.#exportedRelease(channel);
    const base = channel
      ? `/channels/${encodeURIComponent(channel)}`
      : isPseudo(pseudo)
      ? `/pseudo/${at || "now"}`
      : at
      ? `/at/${at}`
      : "";
    const known = this.releases.get(base);
    if (known) return known;
    const loading = Release.load(base, channel || "preview", channel ? undefined : this.state.format);
    this.releases.set(base, loading);
    if (channel) {
      loading.then((release) => {
        for (const { config } of [release, release.nextSide()]) this.#note(config.minimumApp);
      }, () => {});
    }
    loading.catch(() => this.releases.get(base) === loading && this.releases.delete(base));
    return loading;
  }

  /**
   * The build of an export, or what it is compared with.
   * @param {string} channel
   */
  async #exportedRelease(channel) {
    const { root } = Exported;
    const place = channel ? `channels/${encodeURIComponent(channel)}` : "preview";
    const format = channel ? Exported.facts?.channels[channel]?.format : Exported.facts?.format;
    if (!format) throw new Error(`nothing was published in '${channel}' yet`);
    const known = this.releases.get(place);
    if (known) return known;
    const loading = Release.load(root, place, format);
    this.releases.set(place, loading);
    loading.catch(() => this.releases.get(place) === loading && this.releases.delete(place));
    return loading;
  }

  /**
   * A live release may require another app version than the build.
   * @param {string|undefined} minimumApp
   */
  #note(minimumApp) {
    if (!minimumApp || this.oldestApps.has(minimumApp)) return;
    this.oldestApps.add(minimumApp);
    this.#tell("apps");
  }

  /** The channel that is compared with the build: the one in the address, or the first of the command line. */
  get channel() {
    const { comparing = [] } = this.state;
    return comparing.includes(this.view.current.channel) ? this.view.current.channel : comparing[0];
  }

  /**
   * True for content that an export is compared with, and that is in no channel.
   * @param {string | undefined} channel
   */
  isBase(channel) {
    return channel !== undefined && channel === Exported.facts?.base;
  }

  /** The side of a channel's rollout that is shown: `next`, or empty for the stable side. */
  get rollout() {
    return this.view.current.rollout === "next" ? "next" : "";
  }

  /** The content that is shown: `build`, `live` or `both`. */
  get side() {
    return this.channel && ["live", "both"].includes(this.view.current.side) ? this.view.current.side : "build";
  }

  /** Checks the channel's live release, and notifies listeners if it or its error has changed. */
  async lookAgain() {
    const base = `/channels/${encodeURIComponent(this.channel)}`;
    const known = await Promise.resolve(this.releases.get(base)).catch(() => undefined);
    if (known && !await known.isOutdated()) return;
    this.releases.delete(base);
    // Loaded here, so that the next check knows it even if it is not drawn.
    const problem = await this.release(this.channel).then(() => undefined, (error) => error.message);
    const isOld = problem !== undefined && problem === this.liveProblem;
    this.liveProblem = problem;
    if (!isOld) this.#tell("live");
  }

  /**
   * The catalogue of the reader, of a pseudo-locale where the release has it, or of a given context.
   * @param {string} [channel]
   * @param {Context} [context]
   */
  async catalogue(channel, context) {
    const loaded = await this.release(channel);
    const release = channel && this.rollout ? loaded.nextSide() : loaded;
    if (context) return release.catalogue(context);
    const { pseudo } = this.view.current;
    const isReal = isPseudo(pseudo) && Object.hasOwn(release.config.locales, pseudo);
    return release.catalogue(isReal ? { ...this.view.context, locale: pseudo } : this.view.context);
  }

  /**
   * The values that a frame needs to show a reader; of another locale than the reader's if it is given.
   * @param {string} [channel]
   * @param {string} [locale]
   * @returns {Promise<FrameReader>}
   */
  async reader(channel, locale) {
    const { device, country, app, stand } = this.view.current;
    const catalogue = await this.catalogue(channel, locale ? { ...this.view.context, locale } : undefined);
    const { rollout, isNext, config: { release } } = catalogue.release;
    const what = !channel ? "This build" : this.isBase(channel) ? "Before" : `Live in ${channel}, release ${release}`;
    const side = channel && rollout && (isNext ? "next side" : "stable side");
    const reader = [catalogue.context.locale, device, country, app && `app ${app}`];
    const caption = [what, side, ...reader].filter(Boolean).join(" · ");
    return {
      catalogue,
      instant: this.view.instant,
      kinds: this.deviceKind(device),
      caption,
      channel,
      stand: typedPosition(stand),
      tileRules: channel ? {} : this.state.tiles ?? {},
    };
  }

  async fallbacks() {
    if (isPseudo(this.view.current.pseudo)) return {};
    const { entries, isShown = true } = await this.api.ask("fallbacks", this.view.reader);
    // The fallbacks of another save than the one on the screen may be wrong.
    return isShown ? entries : {};
  }

  /**
   * The kind of a device, by its name or an ancestor's name.
   * @param {string} device
   */
  deviceKind(device) {
    /** @type {[string, RegExp][]} */
    const kinds = [
      ["tv", /tv|television|stick/i],
      ["watch", /watch|wear/i],
      ["tablet", /pad|tablet/i],
      ["desktop", /desktop|mac|web|pc$/i],
      ["phone", /phone|mobile|android|ios/i],
    ];
    const parent = (/** @type {string} */ name) => this.state.devices.find((one) => one.name === name)?.parent ?? "any";
    for (let name = device; name && name !== "any"; name = parent(name)) {
      const kind = kinds.find(([, pattern]) => pattern.test(name));
      if (kind) return kind[0];
    }
    return "phone";
  }

  get problems() {
    return this.state?.diagnostics ?? [];
  }

  get errors() {
    return this.problems.filter(({ severity }) => severity === "error");
  }

  /** @param {string} type */
  #tell(type) {
    this.dispatchEvent(new Event(type));
  }

  /**
   * Dispatches an event and waits for the listeners.
   * @param {string} type
   */
  async #tellAll(type) {
    const event = Object.assign(new Event(type), { waiting: [] });
    this.dispatchEvent(event);
    await Promise.all(event.waiting);
  }
}

/**
 * The declared locale that readers of a tag get.
 * @param {Pick<BuildState, "locales" | "matches" | "sourceLocale">} state
 * @param {string} tag
 */
function declaredLocale({ locales, matches, sourceLocale }, tag) {
  /** @type {(wanted: string) => boolean} */
  const known = (wanted) => locales.some((locale) => locale.tag === wanted);
  const found = tag ? matchedLocale(tag, { matches: matches ?? {}, sourceLocale }, known) : sourceLocale;
  return known(found) ? found : locales[0].tag;
}
