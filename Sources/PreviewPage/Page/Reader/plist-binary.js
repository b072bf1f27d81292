"use strict";
// A lazy reader of binary property lists: a dictionary finds a key without decoding its other values, so
// that an entry of a large bundle is fast to read.

const SECONDS_TO_2001 = 978307200;
const DEEPEST = 128;

/** A dictionary of any format: `keys()`, `get(key)`, `plain()`. */
class PlainDictionary {
  /** @param {Record<string, any>} members */
  constructor(members) {
    this.members = members;
  }
  keys() {
    return Object.keys(this.members);
  }
  /** @param {string} key */
  get(key) {
    const value = Object.hasOwn(this.members, key) ? this.members[key] : undefined;
    return value && typeof value === "object" && !Array.isArray(value) && !isLeaf(value)
      ? new PlainDictionary(value)
      : value;
  }
  plain() {
    return this.members;
  }
}

/** @param {any} value */
function isLeaf(value) {
  return value instanceof Date || value instanceof Uint8Array;
}

class BinaryDictionary {
  /**
   * @param {BinaryPropertyList} file
   * @param {number} place
   * @param {number} count
   * @param {number} depth
   */
  constructor(file, place, count, depth) {
    this.file = file;
    this.place = place;
    this.count = count;
    this.depth = depth;
    this.asked = 0;
    /** @type {Map<string, number> | undefined} */
    this.places = undefined;
  }
  keys() {
    return Array.from({ length: this.count }, (_, i) => this.file.value(this.#key(i), this.depth + 1));
  }
  /**
   * Searches the keys for the first requests, and then creates an index.
   * @param {string} key
   */
  get(key) {
    this.asked += 1;
    if (this.asked < 4) return this.#search(key);
    this.places ??= new Map(this.keys().map((name, i) => [name, i]));
    const place = this.places.get(key);
    return place === undefined ? undefined : this.file.value(this.#value(place), this.depth + 1);
  }
  /** @param {string} key */
  #search(key) {
    const wanted = /^[\x00-\x7f]*$/.test(key) ? new TextEncoder().encode(key) : undefined;
    for (let i = 0; i < this.count; i++) {
      const reference = this.#key(i);
      const isIt = wanted ? this.file.isASCII(reference, wanted) : this.file.value(reference, this.depth + 1) === key;
      if (isIt) return this.file.value(this.#value(i), this.depth + 1);
    }
    return undefined;
  }
  plain() {
    const members = Object.create(null);
    for (let i = 0; i < this.count; i++) {
      members[this.file.value(this.#key(i), this.depth + 1)] = this.file.plain(this.#value(i), this.depth + 1);
    }
    return members;
  }
  /** @param {number} i */
  #key(i) {
    return this.file.unsigned(this.place + i * this.file.referenceSize, this.file.referenceSize);
  }
  /** @param {number} i */
  #value(i) {
    return this.#key(i + this.count);
  }
}

class BinaryPropertyList {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    const { length } = bytes;
    const magic = String.fromCharCode(...bytes.subarray(0, 6));
    if (length < 40 || magic !== "bplist") throw new Error("not a binary property list");
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, length);
    this.offsetSize = bytes[length - 26];
    this.referenceSize = bytes[length - 25];
    this.count = this.unsigned(length - 24, 8);
    this.root = this.unsigned(length - 16, 8);
    this.table = this.unsigned(length - 8, 8);
  }

  /** @param {Uint8Array} bytes */
  static read(bytes) {
    const file = new BinaryPropertyList(bytes);
    return file.value(file.root, 0);
  }

  /**
   * @param {number} at
   * @param {number} width
   */
  unsigned(at, width) {
    if (at + width > this.bytes.length) throw new Error("a property list that ends too early");
    let number = 0;
    for (let i = 0; i < width; i++) number = number * 256 + this.bytes[at + i];
    return number;
  }

  /**
   * The offset of an object's bytes, its kind, and its number of items.
   * @param {number} reference
   */
  #head(reference) {
    if (reference >= this.count) throw new Error("a reference to an object that is not there");
    const at = this.unsigned(this.table + reference * this.offsetSize, this.offsetSize);
    if (at >= this.table) throw new Error("an object that is not in its file");
    const kind = this.bytes[at] >> 4;
    const low = this.bytes[at] & 15;
    if (low !== 15 || kind < 4) return { at: at + 1, kind, count: low };
    const width = 1 << (this.bytes[at + 1] & 15);
    return { at: at + 2 + width, kind, count: this.unsigned(at + 2, width) };
  }

  /**
   * @param {number} reference
   * @param {Uint8Array} wanted
   */
  isASCII(reference, wanted) {
    const { at, kind, count } = this.#head(reference);
    if (kind !== 5 || count !== wanted.length) return false;
    for (let i = count - 1; i >= 0; i--) if (this.bytes[at + i] !== wanted[i]) return false;
    return true;
  }

  /**
   * @param {number} reference
   * @param {number} depth
   * @returns {any}
   */
  value(reference, depth) {
    if (depth > DEEPEST) throw new Error("a property list that is nested too deep");
    const { at, kind, count } = this.#head(reference);
    switch (kind) {
      case 0:
        return count === 9 ? true : count === 8 ? false : null;
      case 1:
        return this.#integer(at, count);
      case 2:
        return this.#real(at, count);
      case 3:
        return new Date((this.#real(at, count === 3 ? 3 : 0) + SECONDS_TO_2001) * 1000);
      case 4:
        return this.#span(at, count);
      case 5:
        return this.#ascii(at, count);
      case 6:
        return this.#wide(at, count);
      case 10:
        return Array.from(
          { length: count },
          (_, i) => this.value(this.unsigned(at + i * this.referenceSize, this.referenceSize), depth + 1),
        );
      case 13:
        return new BinaryDictionary(this, at, count, depth);
      default:
        throw new Error(`a property list with an object of kind ${kind}`);
    }
  }

  /**
   * @param {number} reference
   * @param {number} depth
   */
  plain(reference, depth) {
    return plain(this.value(reference, depth));
  }

  /**
   * Reads an integer of 2 to the `power` bytes.
   * @param {number} at
   * @param {number} power
   */
  #integer(at, power) {
    if (power > 4) throw new Error("an integer of more than 16 bytes");
    if (power < 3) return this.unsigned(at, 1 << power);
    const number = this.view.getBigInt64(power === 4 ? at + 8 : at);
    return Number.isSafeInteger(Number(number)) ? Number(number) : number;
  }

  /**
   * @param {number} at
   * @param {number} power
   */
  #real(at, power) {
    if (power !== 2 && power !== 3) throw new Error("a number that has neither 4 nor 8 bytes");
    return power === 2 ? this.view.getFloat32(at) : this.view.getFloat64(at);
  }

  /**
   * The bytes of an object, which must be before the table of offsets.
   * @param {number} at
   * @param {number} length
   */
  #span(at, length) {
    if (at + length > this.table) throw new Error("an object that ends after its file");
    return this.bytes.subarray(at, at + length);
  }

  /**
   * @param {number} at
   * @param {number} count
   */
  #ascii(at, count) {
    const bytes = this.#span(at, count);
    return count > 4096 ? new TextDecoder("latin1").decode(bytes) : String.fromCharCode(...bytes);
  }

  /**
   * @param {number} at
   * @param {number} count
   */
  #wide(at, count) {
    return new TextDecoder("utf-16be", { ignoreBOM: true }).decode(this.#span(at, 2 * count));
  }
}

/**
 * A completely decoded value; dictionaries become objects without a prototype.
 * @param {any} value
 * @returns {any}
 */
function plain(value) {
  if (value instanceof BinaryDictionary || value instanceof PlainDictionary) return value.plain();
  return Array.isArray(value) ? value.map(plain) : value;
}
