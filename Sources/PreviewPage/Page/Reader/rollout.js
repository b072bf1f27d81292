"use strict";
// A release in steps: config has the content of the readers in a rollout beside that of the others. The rules are those of
// docs/reference/output.md, as apps apply them.

/** The keys that both sides of a rollout share. */
const SHARED_KEYS = ["app", "channel", "format", "issued", "next", "purge", "record", "release"];

/** The keys of `next` about the rollout; the others replace those of the stable side. */
const ROLLOUT_KEYS = ["name", "below", "release", "testers", "without"];

/** The limit that is above every reader's number. */
const EVERYONE = 2 ** 48;

const MOST_TESTERS = 100;

/**
 * The rollout of a config; undefined without one. A malformed one counts as none.
 * @param {Config} config
 * @returns {Rollout | undefined}
 */
function rolloutOf({ next }) {
  if (!isDictionary(next)) return undefined;
  const { name, testers = [], without = [], indexes = {} } = next;
  const [below, release] = [next.below, next.release].map(wholeNumber);
  const isValid = typeof name === "string" && /^[a-z0-9-]{1,64}$/.test(name) &&
    below <= EVERYONE && release <= 2 ** 53 &&
    Array.isArray(testers) && testers.length <= MOST_TESTERS &&
    new Set(testers.map(wholeNumber).filter((number) => number < EVERYONE)).size === testers.length &&
    Array.isArray(without) && without.every((key) => typeof key === "string") &&
    isDictionary(indexes) && Object.values(indexes).every(isDictionary);
  return isValid ? { name, below, release } : undefined;
}

/**
 * The config that the readers in its rollout get.
 * @param {Config} config
 * @returns {Config}
 */
function nextSide(config) {
  const next = config.next ?? {};
  /** @type {(key: string) => boolean} */
  const isKept = (key) => key !== "next" && (SHARED_KEYS.includes(key) || !next.without?.includes(key));
  /** @type {(key: string) => boolean} */
  const isReplaced = (key) => !SHARED_KEYS.includes(key) && !ROLLOUT_KEYS.includes(key);
  const side = Object.fromEntries([
    ...Object.entries(config).filter(([key]) => isKept(key)),
    ...Object.entries(next).filter(([key]) => isReplaced(key)),
  ]);
  /** @type {(device: string) => boolean} */
  const isDevice = (device) => device === "any" || Object.hasOwn(side.devices ?? {}, device);
  const stable = Object.entries(config.indexes ?? {}).filter(([locale]) => Object.hasOwn(side.locales ?? {}, locale));
  side.indexes = Object.fromEntries([
    ...Object.entries(next.indexes ?? {}),
    ...stable.map(([locale, devices]) => {
      const own = next.indexes && Object.hasOwn(next.indexes, locale) ? next.indexes[locale] : {};
      const others = Object.entries(devices).filter(([device]) => isDevice(device));
      return [locale, Object.fromEntries([...others, ...Object.entries(own)])];
    }),
  ]);
  return /** @type {Config} */ (side);
}

/**
 * The percentage of the readers below a limit, rounded down to four decimals.
 * @param {number} below
 */
function percentBelow(below) {
  return Number((BigInt(below) * 15625n) >> 42n) / 10000;
}

/**
 * A whole number from 0, which some formats write as text; NaN for another value.
 * @param {any} value
 */
function wholeNumber(value) {
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) && number >= 0 ? number : NaN;
}

/** @param {any} value */
function isDictionary(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) && !isLeaf(value);
}
