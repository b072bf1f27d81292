"use strict";
// Reads a channel as an app does: config, then the index of a locale and device, then bundles. Each
// object is checked against its hash. Objects never change, so they are cached.

const KEPT_BYTES = 64e6;

/**
 * A hash in hexadecimal; property lists have data, other formats text.
 * @param {any} value
 */
function hashText(value) {
  const text = value instanceof Uint8Array ? hexadecimal(value) : String(value).toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error("a reference without a hash");
  return text;
}

/**
 * @param {string} hash
 * @param {string} extension
 */
function objectPath(hash, extension) {
  return `/objects/${hash.slice(0, 2)}/${hash}.${extension}`;
}

/**
 * A date in milliseconds since 1970; some formats write it as text.
 * @param {any} value
 * @returns {number | undefined}
 */
function milliseconds(value) {
  if (value === undefined || value === null) return undefined;
  return value instanceof Date ? value.getTime() : Date.parse(value);
}

/**
 * Fetches a resource, and tries again if the server is busy.
 * @param {string} address
 * @param {RequestInit} [options]
 */
async function fetchPatiently(address, options) {
  for (let turn = 0;; turn += 1) {
    const answer = await fetch(address, options);
    const seconds = Number(answer.headers.get("retry-after"));
    if (answer.status !== 503 || !seconds || turn === 60) return answer;
    await new Promise((go) => setTimeout(go, 1000 * seconds));
  }
}

/** A missing object, which a newer build has replaced; config names its successor. */
class MissingObject extends Error {}

/** A cache of objects by hash, which drops the least recently used ones. */
class ObjectStore {
  constructor() {
    /** @type {Map<string, { size: number, value: Promise<any> }>} */
    this.objects = new Map();
    this.bytes = 0;
    this.loads = 0;
  }

  /**
   * Returns a decoded object; throws if it is missing or does not match its hash.
   * @param {string} base
   * @param {string} hash
   * @param {boolean} isJSON
   */
  load(base, hash, isJSON) {
    const known = this.objects.get(hash);
    if (known) this.objects.delete(hash);
    const entry = known ?? { size: 0, value: this.#fetch(base, hash, isJSON) };
    this.objects.set(hash, entry);
    if (!known) entry.value.catch(() => this.objects.delete(hash));
    return entry.value;
  }

  /**
   * @param {string} base
   * @param {string} hash
   * @param {boolean} isJSON
   */
  async #fetch(base, hash, isJSON) {
    this.loads += 1;
    const response = await fetchPatiently(base + objectPath(hash, isJSON ? "json" : "plist"));
    if (!response.ok) {
      const kind = [403, 404, 410].includes(response.status) ? MissingObject : Error;
      throw new kind(`object ${hash.slice(0, 12)}…: status ${response.status}`);
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    if ((await SHA256.hex(bytes)) !== hash) throw new Error(`object ${hash.slice(0, 12)}… does not match its hash`);
    this.#remember(hash, bytes.length);
    return readPropertyList(bytes, isJSON);
  }

  /**
   * @param {string} hash
   * @param {number} length
   */
  #remember(hash, length) {
    const entry = this.objects.get(hash);
    if (entry) entry.size = length;
    this.bytes += length;
    for (const [oldest, { size: freed }] of this.objects) {
      if (this.bytes <= KEPT_BYTES || oldest === hash) break;
      this.objects.delete(oldest);
      this.bytes -= freed;
    }
  }
}

const objects = new ObjectStore();

/** A release by its config. `base` is the path before `/objects`: empty, `/at/<instant>` or `/channels/<name>`. */
class Release {
  /**
   * @param {string} base
   * @param {Config} config
   * @param {boolean} isJSON
   * @param {Response} answer
   */
  constructor(base, config, isJSON, answer) {
    this.base = base;
    this.config = config;
    this.isJSON = isJSON;
    this.address = answer.url;
    this.tag = answer.headers.get("etag");
    this.rollout = rolloutOf(config);
    this.isNext = false;
  }

  /**
   * The release as the readers in its rollout get it; the release itself if no rollout is on.
   * @returns {Release}
   */
  nextSide() {
    if (!this.rollout || this.isNext) return this;
    const side = { config: nextSide(this.config), isNext: true };
    return Object.assign(Object.create(Release.prototype), this, side);
  }

  /**
   * Loads `<base>/<channel>/config`; `format` is the one that is tried first.
   * @param {string} base
   * @param {string} channel
   * @param {string} [format]
   */
  static async load(base, channel, format) {
    const extensions = format === "json" ? ["json", "plist"] : ["plist", "json"];
    let answer;
    for (const extension of extensions) {
      answer = await fetchPatiently(`${base}/${channel}/config.${extension}`, { cache: "no-cache" });
      if (!answer.ok) continue;
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return new Release(base, readPropertyList(bytes, extension === "json").plain(), extension === "json", answer);
    }
    const said = await answer?.json().catch(() => ({}));
    throw new Error(said?.error ?? `${channel}/config: status ${answer?.status}`);
  }

  /** Returns true if config has changed or cannot be read; asks with the known entity tag, as an app does. */
  async isOutdated() {
    const answer = await fetch(this.address, {
      cache: "no-store",
      headers: this.tag ? { "If-None-Match": this.tag } : {},
    });
    return answer.status !== 304;
  }

  /**
   * The declared locale for a requested one, by the rule in docs/reference/locales.md.
   * @param {string} requested
   */
  locale(requested) {
    return matchedLocale(requested, this.config, (tag) => Object.hasOwn(this.config.locales, tag));
  }

  /** @param {string} requested */
  device(requested) {
    return this.config.devices?.[requested] ? requested : "any";
  }

  /** @param {Context} context */
  async catalogue(context) {
    const hash = hashText(this.config.indexes[this.locale(context.locale)][this.device(context.device)]);
    const index = await objects.load(this.base, hash, this.isJSON);
    return new Catalogue(this, hash, index, context);
  }
}

/**
 * The declared locale for a requested one: `matches`, then declared locales, then without the last subtag.
 * @param {string} requested
 * @param {Pick<Config,"matches"|"sourceLocale">} config
 * @param {(tag: string) => boolean} isDeclared
 */
function matchedLocale(requested, { matches = {}, sourceLocale }, isDeclared) {
  for (let tag = requested; tag; tag = tag.slice(0, Math.max(0, tag.lastIndexOf("-")))) {
    if (Object.hasOwn(matches, tag)) return matches[tag];
    if (isDeclared(tag)) return tag;
  }
  return sourceLocale;
}

/**
 * Compares versions of one to eight dotted integers; missing parts are 0. NaN if one is no version.
 * @param {string} one
 * @param {string} other
 */
function compareVersions(one, other) {
  const [a, b] = [one, other].map((version) =>
    /^\d+(?:\.\d+){0,7}$/.test(version) ? String(version).split(".").map(Number) : [NaN]
  );
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * The valid versions in ascending order, each once.
 * @param {string[]} versions
 */
function sortedVersions(versions) {
  const valid = [...new Set(versions)].filter((version) => compareVersions(version, version) === 0);
  return valid.sort(compareVersions);
}

/**
 * A row with its first variant for this country and version; an unknown one meets no condition.
 * @param {Row} row
 * @param {Partial<Context>} reader
 * @returns {Row}
 */
function variant(row, { country, app }) {
  const met = (row.variants ?? []).find((v) => (
    (v.country === undefined || v.country === country) &&
    (v.from === undefined || (app && compareVersions(app, v.from) >= 0)) &&
    (v.before === undefined || (app && compareVersions(app, v.before) < 0))
  ));
  return met ? { ...row, ...met } : row;
}

/** The bundles of a context. */
class Catalogue {
  /**
   * @param {Release} release
   * @param {string} hash
   * @param {Dictionary} index
   * @param {Context} context
   */
  constructor(release, hash, index, context) {
    this.release = release;
    this.hash = hash;
    this.context = context;
    /** @type {Dictionary | undefined} */
    this.startup = index.get("startup");
    /** @type {Record<string, Row>} */
    this.rows = index.get("bundles").plain();
    /** @type {Map<string, Promise<TileDirectory>>} */
    this.directories = new Map();
  }

  /** The content of the maintenance screen for this context. */
  async maintenance() {
    const { locale, device } = this.context;
    const { payloads } = this.release.config.maintenance ?? { payloads: {} };
    const hash = hashText(payloads[this.release.locale(locale)][this.release.device(device)]);
    return plain(await objects.load(this.release.base, hash, this.release.isJSON));
  }

  names() {
    return Object.keys(this.rows);
  }

  /** @param {string} name */
  isSplit(name) {
    return this.rows[name].list !== undefined || this.isTiled(name);
  }

  /**
   * Returns true for a bundle that is split by place.
   * @param {string} name
   */
  isTiled(name) {
    return this.rows[name].tiles !== undefined;
  }

  /** @param {string} name */
  isStartup(name) {
    return this.startup?.get(name) !== undefined;
  }

  /** @param {string} name */
  count(name) {
    return variant(this.rows[name], this.context).count;
  }

  /**
   * The hash of a bundle for this context.
   * @param {string} name
   */
  key(name) {
    const row = this.rows[name];
    return hashText(row.tiles ?? row.list ?? variant(row, this.context).object);
  }

  /**
   * A bundle's dictionary (`order`, `entries`). The index includes startup bundles without a matching variant.
   * @param {string} name
   * @returns {Promise<Dictionary>}
   */
  async bundle(name) {
    const row = variant(this.rows[name], this.context);
    const inside = this.startup?.get(name);
    if (inside && row.object === this.rows[name].object) return inside;
    return this.#object(row);
  }

  /**
   * @param {Row} row
   * @returns {Promise<Dictionary>}
   */
  #object(row) {
    return objects.load(this.release.base, hashText(row.object), this.#isJSON(row));
  }

  /** @param {Row} row */
  #isJSON(row) {
    return row.format ? row.format === "json" : this.release.isJSON;
  }

  /**
   * @param {string} name
   * @returns {Promise<Dictionary>}
   */
  list(name) {
    return objects.load(this.release.base, hashText(this.rows[name].list), this.#isJSON(this.rows[name]));
  }

  /**
   * The directory of a bundle that is split by place.
   * @param {string} name
   */
  tiles(name) {
    const known = this.directories.get(name);
    if (known) return known;
    const row = this.rows[name];
    const loading = objects.load(this.release.base, hashText(row.tiles), this.#isJSON(row))
      .then((object) =>
        new TileDirectory(name, object, this.context, (tile) => this.#object({ format: row.format, ...tile }))
      );
    this.directories.set(name, loading);
    loading.catch(() => this.directories.delete(name));
    return loading;
  }

  /**
   * A tile by the name of its bundle, such as `stores/t03`: `{bundle, directory, tile}`; undefined for another name.
   * @param {string} name
   */
  async tileNamed(name) {
    const [, bundle, quadkey] = name.match(/^(.+)\/t([0-3]{0,16})$/s) ?? [];
    if (bundle === undefined || !Object.hasOwn(this.rows, bundle) || !this.isTiled(bundle)) return undefined;
    const directory = await this.tiles(bundle);
    const tile = directory.tile(quadkey);
    return tile && { bundle, directory, tile };
  }

  /**
   * The ids of a bundle, in order. For a bundle with tiles, this loads all of them.
   * @param {string} name
   * @returns {Promise<string[]>}
   */
  async order(name) {
    if (this.isTiled(name)) return (await this.tiles(name)).order();
    if (!this.isSplit(name)) return (await this.bundle(name)).get("order");
    const rests = (await this.list(name)).get("entries").keys();
    const datatype = await this.#splitDatatype(name, rests[0]);
    return rests.map((/** @type {string} */ rest) => `${datatype}/${rest}`);
  }

  /**
   * @param {string} name
   * @param {string | undefined} first
   */
  async #splitDatatype(name, first) {
    if (first === undefined) return name;
    const bundle = await this.#part(name, first);
    return bundle?.get("order")[0].split("/")[0];
  }

  /**
   * @param {string} name
   * @param {string} rest
   */
  async #part(name, rest) {
    const row = (await this.list(name)).get("entries").get(rest);
    if (row === undefined) return undefined;
    return this.#object(variant({ format: this.rows[name].format, ...plain(row) }, this.context));
  }

  /**
   * An entry of a bundle; undefined if the bundle does not contain it.
   * @param {string} name
   * @param {string} id
   * @returns {Promise<EntryRecord | undefined>}
   */
  async entry(name, id) {
    if (this.isTiled(name)) {
      const found = await (await this.tiles(name)).find(id);
      return found && { id, bundle: name, tile: found.tile.name, ...plain(found.record) };
    }
    const bundle = this.isSplit(name) ? await this.#part(name, id.slice(id.indexOf("/") + 1)) : await this.bundle(name);
    const record = bundle?.get("entries").get(id);
    return record === undefined ? undefined : { id, bundle: name, ...plain(record) };
  }

  /**
   * Finds an entry in split bundles, then `likely`, startup bundles, all others, and tiles, which it loads until one has it.
   * @param {string} id
   * @param {string} [likely]
   */
  async find(id, likely) {
    /** @type {(name: string) => number} */
    const rank = (name) => {
      if (this.isSplit(name) && !this.isTiled(name)) return 0;
      if (name === likely) return 1;
      if (this.isTiled(name)) return 4;
      return this.isStartup(name) ? 2 : 3;
    };
    for (const name of this.names().sort((a, b) => rank(a) - rank(b))) {
      const record = await this.entry(name, id);
      if (record) return record;
    }
    return undefined;
  }
}

/** @param {any} value */
function isAsset(value) {
  return Boolean(value) && typeof value === "object" && typeof value.scales === "object" && value.scales !== null;
}

/** @param {any} value */
function isMapping(value) {
  return Boolean(value) && typeof value === "object" && !Array.isArray(value) && !isLeaf(value) && !isAsset(value) &&
    !isMarkdown(value);
}

/** @param {any} value */
function isMarkdown(value) {
  if (!value || typeof value !== "object" || typeof value.plain !== "string" || !Array.isArray(value.blocks)) {
    return false;
  }
  return value.blocks.every((/** @type {any} */ block) =>
    block && typeof block === "object" && typeof block.type === "string"
  ) &&
    Object.keys(value).every((key) => ["plain", "blocks", "page"].includes(key));
}

/**
 * The content for readers at an instant in milliseconds since 1970: without list items whose `when` does
 * not apply. `told` is called with `from`, `until`, and true for an omitted item.
 * @param {any} value
 * @param {number} instant
 * @param {(from: number | undefined, until: number | undefined, isOmitted: boolean) => void} told
 * @returns {any}
 */
function contentAt(value, instant, told) {
  if (Array.isArray(value)) {
    return value.filter((item) => isShownAt(item, instant, told)).map((item) =>
      withoutTimes(contentAt(item, instant, told))
    );
  }
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, contentAt(one, instant, told)]));
}

/**
 * @param {any} item
 * @param {number} instant
 * @param {(from: number | undefined, until: number | undefined, isOmitted: boolean) => void} told
 */
function isShownAt(item, instant, told) {
  if (!isMapping(item) || !isMapping(item.when)) return true;
  const [from, until] = [item.when.from, item.when.until].map(milliseconds);
  const isShown = !((from ?? -Infinity) > instant || (until ?? Infinity) <= instant);
  told(from, until, !isShown);
  return isShown;
}

/**
 * An item without `when`, which the compiler adds for readers.
 * @param {any} item
 */
function withoutTimes(item) {
  if (!isMapping(item) || !isMapping(item.when)) return item;
  const { when, ...own } = item;
  return own;
}

/**
 * The reason why an entry is hidden at an instant: “appears” (later), “ended”, or undefined.
 * @param {{from?:any,until?:any,[other:string]:any}} record
 * @param {number} instant
 */
function hiddenAt(record, instant) {
  if ((milliseconds(record.from) ?? -Infinity) > instant) return "appears";
  if ((milliseconds(record.until) ?? Infinity) <= instant) return "ended";
  return undefined;
}
