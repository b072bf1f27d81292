"use strict";
// The units of a locale, the texts that a person has typed and not saved, and the requests that change content.

/** The units of a locale are those of `/api/translations`; the page adds nothing to them. */
class Translations {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.drafts = new Drafts(`drafts ${session.state.app}`);
    /** @type {string[]} */
    this.targets = [];
    /** @type {Unit[]} */
    this.units = [];
    /** @type {Map<string, Unit>} */
    this.byID = new Map();
    /**
     * The last answer; undefined before the first one.
     * @type {KnownTranslations}
     */
    this.known = /** @type {any} */ (undefined);
  }

  get isEditable() {
    return Boolean(this.known?.isEditable);
  }

  /** The locale to translate into: the reader's, or the first one if the reader's has no translations. */
  get locale() {
    const { locale } = this.session.view.current;
    return this.targets.includes(locale) ? locale : this.targets[0];
  }

  /**
   * Loads the locales and the units; `isFresh` asks again in the same build.
   * @param {boolean} isFresh
   */
  async load(isFresh = false) {
    const { api } = this.session;
    if (isFresh) api.forget("translations");
    const wanted = this.targets.length ? this.locale : undefined;
    let known = await api.ask("translations", { locale: wanted }).catch((error) => {
      // The content may not have the locale any more.
      if (!wanted) throw error;
      return api.ask("translations");
    });
    this.targets = known.targets;
    if (this.locale && this.locale !== known.locale) known = await api.ask("translations", { locale: this.locale });
    this.known = known;
    this.units = known.units ?? [];
    this.byID = new Map(this.units.map((unit) => [unit.id, unit]));
  }

  /**
   * Saves a text and returns the report; the unit has it at once if the save is not refused.
   * @param {Unit} unit
   * @param {Draft} draft
   * @returns {Promise<TranslationReport>}
   */
  async save(unit, draft) {
    const { locale } = this.known;
    const others = this.#others(unit);
    const body = { locale, ...written(unit, draft), others: others.map((one) => written(one.unit, one.draft)) };
    const report = await this.session.api.send("translations", {
      body: JSON.stringify(body),
      type: "application/json",
      token: this.known.token,
    });
    if (report.isRefused) return report;
    for (const one of [{ unit, draft }, ...others]) this.#saved(one.unit, one.draft);
    this.session.api.forget("translations");
    return report;
  }

  /**
   * The other typed texts of the same plural or list, which is written as a whole.
   * @param {Unit} unit
   */
  #others(unit) {
    if (!unit.group) return [];
    return this.units.flatMap((one) => {
      const draft = this.drafts.get(this.known.locale, one.id);
      const isOther = one.group === unit.group && one.id !== unit.id;
      return isOther && draft && draft.text.trim() !== "" ? [{ unit: one, draft }] : [];
    });
  }

  /**
   * @param {Unit} unit
   * @param {Draft} draft
   */
  #saved(unit, draft) {
    const { locale } = this.known;
    // The build that follows reads the file; until then, the page shows the saved text.
    for (const one of [unit, this.byID.get(unit.id) ?? unit]) {
      Object.assign(one, { target: draft.text, state: "translated", isOutdated: false, inherited: undefined });
    }
    // The person may have typed on meanwhile.
    const typed = this.drafts.get(locale, unit.id);
    if (!typed || typed.text === draft.text) this.drafts.drop(locale, unit.id);
    else this.drafts.keep(locale, unit.id, { text: typed.text, source: draft.source, previous: draft.text });
  }

  /**
   * `equalAs` says what a translation that equals its source text is: "missing", "translated", or as the file says.
   * @param {File} file
   * @param {boolean} isDryRun
   * @param {string} equalAs
   * @returns {Promise<TranslationReport>}
   */
  importFile(file, isDryRun, equalAs) {
    return this.session.api.send("translations/import", {
      parameters: { name: file.name, dryRun: isDryRun ? "1" : "", equalAs },
      body: file,
      type: "application/octet-stream",
      token: this.known.token,
    });
  }

  /**
   * Downloads a file for translators; throws the server's message.
   * @param {string} format
   * @param {boolean} isMissingOnly
   */
  async export(format, isMissingOnly) {
    const query = new URLSearchParams({
      locale: this.known.locale,
      to: format,
      ...isMissingOnly ? { missing: "1" } : {},
    });
    const answer = await fetch(`/api/translations/export?${query}`, { cache: "no-store" });
    if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error ?? `status ${answer.status}`);
    const address = URL.createObjectURL(await answer.blob());
    make("a", { href: address, download: `${this.known.locale}.${format}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }
}

/**
 * A typed text as the server gets it.
 * @param {Unit} unit
 * @param {Draft} draft
 */
function written(unit, draft) {
  return { id: unit.id, source: draft.source, previous: draft.previous, target: draft.text };
}

/**
 * The progress of a unit as one word.
 * @param {Unit} unit
 */
function progress(unit) {
  if (unit.target === undefined) return "missing";
  if (unit.isOutdated) return "outdated";
  return unit.state === "needs-review" ? "review" : unit.state;
}

/**
 * Returns true for a unit that a filter shows: all, missing, or outdated.
 * @param {Unit} unit
 * @param {string} filter
 */
function passes(unit, filter) {
  const state = progress(unit);
  return filter === "missing"
    ? state === "missing"
    : filter === "outdated"
    ? ["outdated", "review"].includes(state)
    : true;
}

/** Typed texts that are not saved, by locale and id. They outlive builds, and a reload of the page in the same tab. */
class Drafts {
  /**
   * `key` is the name under which the tab stores the texts.
   * @param {string} key
   */
  constructor(key) {
    this.key = key;
    this.all = new Map(this.#stored());
  }

  /** @returns {[string, Draft][]} */
  #stored() {
    try {
      return JSON.parse(sessionStorage.getItem(this.key) ?? "[]");
    } catch {
      return [];
    }
  }

  /**
   * @param {string} locale
   * @param {string} id
   */
  get(locale, id) {
    return this.all.get(`${locale} ${id}`);
  }

  /**
   * The drafts of a locale, as pairs of an id and a draft.
   * @param {string} locale
   * @returns {[string, Draft][]}
   */
  of(locale) {
    const own = [...this.all].filter(([key]) => key.startsWith(`${locale} `));
    return own.map(([key, draft]) => [key.slice(locale.length + 1), draft]);
  }

  /**
   * Keeps a text with the source and the translation that the person saw.
   * @param {string} locale
   * @param {string} id
   * @param {Draft} draft
   */
  keep(locale, id, draft) {
    this.all.set(`${locale} ${id}`, draft);
    this.#store();
  }

  /**
   * @param {string} locale
   * @param {string} id
   */
  drop(locale, id) {
    this.all.delete(`${locale} ${id}`);
    this.#store();
  }

  #store() {
    try {
      sessionStorage.setItem(this.key, JSON.stringify([...this.all]));
    } catch {
      // Without storage, drafts last until the page is closed.
    }
  }
}
