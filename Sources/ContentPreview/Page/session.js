"use strict";
// What the page knows of the build: its state, the release and catalogue in view, and the news about them.

class Session extends EventTarget {
  constructor() {
    super();
    this.view = new View((view) => this.#settle(view));
    this.api = new API();
    this.state = undefined;
    this.connection = "connecting";
    this.releases = new Map();
    this.oldestApps = new Set();
    /** Field of the view → what an address asked for that there is not, and what is shown instead. */
    this.replaced = new Map();
  }

  async begin() {
    await this.#loadState();
    this.#listen();
  }

  async #loadState() {
    const response = await fetch("/api/state", { cache: "no-store" });
    if (!response.ok) throw new Error(`/api/state answers ${response.status}`);
    this.isReached = true;
    this.state = { app: "content", locales: [], devices: [], countries: [], versions: [], diagnostics: [], ...await response.json() };
    Places.editor = this.state.editor;
    this.api.begin(`${this.state.run} ${this.state.generation}`);
    this.view.set(this.#settle(this.view.current));
    this.#tell("state");
  }

  /** A view without a locale or device gets the first; one with a name that is not declared gets what readers would, and it is said. */
  #settle({ locale, device, side, channel }) {
    if (!this.state) return {};
    const { locales, devices, comparing = [] } = this.state;
    // Before the first build nobody knows what there is.
    if (!locales.length) return {};
    const settled = {};
    if (!locales.some(({ tag }) => tag === locale)) settled.locale = this.#replace("locale", locale, declaredLocale(this.state, locale));
    if (device !== "any" && !devices.some(({ name }) => name === device)) settled.device = this.#replace("device", device, device ? "any" : devices[0]?.name ?? "any");
    if (channel && !comparing.includes(channel)) settled.channel = this.#replace("channel", channel, "");
    if (["live", "both"].includes(side) && !comparing.length) settled.side = this.#replace("side", side, "");
    return settled;
  }

  #replace(field, asked, shown) {
    if (asked) this.replaced.set(field, { asked, shown });
    return shown;
  }

  /** Forgets what addresses asked for once something else is chosen. */
  keepReplaced(view) {
    for (const [field, { shown }] of this.replaced) if (view[field] !== shown) this.replaced.delete(field);
  }

  #listen() {
    const events = new News("/api/events");
    events.addEventListener("connection", ({ detail }) => this.#connect(detail));
    events.addEventListener("build", ({ detail }) => this.#built(detail));
    this.events = events;
  }

  #connect(connection) {
    this.connection = connection;
    if (connection === "lost") this.lostAt ??= Date.now();
    else this.lostAt = undefined;
    this.#tell("connection");
  }

  /** A build was tried. News are taken one after the other, and only the latest of those that wait. */
  #built(news) {
    const before = this.news;
    this.news = news;
    // Generations begin anew with every start of the preview.
    const isSame = (known) => known.run === news.run && known.generation === news.generation;
    const isKnown = before ? isSame(before) && before.config === news.config && before.written === news.written
      : isSame(this.state) && this.state.writing.ok === news.written;
    if (isKnown) this.config ??= news.config;
    else this.building = Promise.resolve(this.building).then(() => news === this.news && this.#take(news));
  }

  /** What is on screen comes first; what is beside it follows. */
  async #take(news) {
    performance.mark(`build-${news.generation}`);
    this.api.begin(`${news.run} ${news.generation}`);
    this.releases.clear();
    const isNew = news.config === undefined || news.config !== this.config || this.view.current.at;
    this.config = news.config;
    // A failed attempt tells the config of the last good one, whose news may have been passed over.
    if (isNew) await this.#tellAll("build");
    performance.mark(`painted-${news.generation}`);
    document.documentElement.dataset.generation = news.generation;
    await this.#loadState().catch((error) => say(error.message));
    document.documentElement.dataset.settled = news.generation;
  }

  /** The release in view: the build, the build at an instant, or what is live in a channel. */
  release(channel = "") {
    const { at } = this.view.current;
    const base = channel ? `/channels/${encodeURIComponent(channel)}` : at ? `/at/${at}` : "";
    if (!this.releases.has(base)) {
      const loading = Release.load(base, channel || "preview", channel ? undefined : this.state.format);
      this.releases.set(base, loading);
      if (channel) loading.then(({ config }) => this.#note(config.minimumApp), () => {});
      loading.catch(() => this.releases.get(base) === loading && this.releases.delete(base));
    }
    return this.releases.get(base);
  }

  /** What is live may turn other apps away than the build. */
  #note(minimumApp) {
    if (!minimumApp || this.oldestApps.has(minimumApp)) return;
    this.oldestApps.add(minimumApp);
    this.#tell("apps");
  }

  /** The channel that the build is held against: the one in the address, or else the first that the preview was started with. */
  get channel() {
    const { comparing = [] } = this.state;
    return comparing.includes(this.view.current.channel) ? this.view.current.channel : comparing[0];
  }

  /** What the preview shows: `build`, `live` in its place, or `both`. */
  get side() {
    return this.channel && ["live", "both"].includes(this.view.current.side) ? this.view.current.side : "build";
  }

  /** Tells if what is live in the channel is another by now, or can be read again, or no longer. */
  async lookAgain() {
    const base = `/channels/${encodeURIComponent(this.channel)}`;
    const known = await Promise.resolve(this.releases.get(base)).catch(() => undefined);
    if (known && !await known.isOutdated()) return;
    this.releases.delete(base);
    // Loaded here, so that the next look knows it though nothing may be drawn of it.
    const problem = await this.release(this.channel).then(() => undefined, (error) => error.message);
    const isOld = problem !== undefined && problem === this.liveProblem;
    this.liveProblem = problem;
    if (!isOld) this.#tell("live");
  }

  async catalogue(channel) {
    return (await this.release(channel)).catalogue(this.view.context);
  }

  /** What a frame needs to show a reader. */
  async reader(channel) {
    const { locale, device, country, app, pseudo: kind } = this.view.current;
    const catalogue = await this.catalogue(channel);
    const what = channel ? `Live in ${channel}, release ${catalogue.release.config.release}` : "This build";
    const caption = [what, locale, device, country, app && `app ${app}`].filter(Boolean).join(" · ");
    return { catalogue, instant: this.view.instant, pseudo: kind, kinds: this.deviceKind(device), caption, channel };
  }

  async fallbacks() {
    const { entries, isShown = true } = await this.api.ask("fallbacks", this.view.reader);
    // Of another save than the one on screen nobody would know which marks are right.
    return isShown ? entries : {};
  }

  /** How a device is drawn, by its name or an ancestor's: there is no other word about its size. */
  deviceKind(device) {
    const kinds = [["tv", /tv|television|stick/i], ["watch", /watch|wear/i], ["tablet", /pad|tablet/i], ["desktop", /desktop|mac|web|pc$/i],
      ["phone", /phone|mobile|android|ios/i]];
    for (let name = device; name && name !== "any"; name = this.state.devices.find((one) => one.name === name)?.parent) {
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

  #tell(type) {
    this.dispatchEvent(new Event(type));
  }

  /** Tells, and waits for whatever listeners promise. */
  async #tellAll(type) {
    const event = Object.assign(new Event(type), { waiting: [] });
    this.dispatchEvent(event);
    await Promise.all(event.waiting);
  }
}

/** The declared locale that readers get who ask for a tag. */
function declaredLocale({ locales, matches, sourceLocale }, tag) {
  const known = (wanted) => locales.some((locale) => locale.tag === wanted);
  const found = tag ? matchedLocale(tag, { matches: matches ?? {}, sourceLocale }, known) : sourceLocale;
  return known(found) ? found : locales[0].tag;
}
