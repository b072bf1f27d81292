"use strict";
// Readers of the text formats: JSON, XML property lists, and OpenStep (ASCII) property lists.

/**
 * Reads an object of any format; dictionaries have `get` and `keys`.
 * @param {Uint8Array} bytes
 * @param {boolean} isJSON
 * @returns {any}
 */
function readPropertyList(bytes, isJSON) {
  if (!isJSON && bytes[0] === 0x62 && bytes[1] === 0x70) return BinaryPropertyList.read(bytes);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const value = isJSON
    ? JSON.parse(text)
    : /^\s*<(\?xml|!DOCTYPE|plist)/.test(text)
    ? readXML(text)
    : new OpenStep(text).read();
  return value && typeof value === "object" && !Array.isArray(value) && !isLeaf(value)
    ? new PlainDictionary(value)
    : value;
}

/** @param {string} text */
function readXML(text) {
  const parsed = new DOMParser().parseFromString(text, "application/xml");
  const root = parsed.documentElement;
  if (root.nodeName !== "plist" || root.children.length !== 1) throw new Error("not an XML property list");
  return xmlValue(root.children[0], 0);
}

/**
 * @param {Element} node
 * @param {number} depth
 * @returns {any}
 */
function xmlValue(node, depth) {
  if (depth > DEEPEST) throw new Error("a property list that is nested too deep");
  const text = node.textContent ?? "";
  switch (node.nodeName) {
    case "string":
      return text;
    case "integer":
      return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
    case "real":
      return Number(text);
    case "true":
      return true;
    case "false":
      return false;
    case "date":
      return new Date(text);
    case "data":
      return Uint8Array.from(atob(text.replace(/\s/g, "")), (character) => character.charCodeAt(0));
    case "array":
      return Array.from(node.children, (child) => xmlValue(child, depth + 1));
    case "dict":
      return xmlDictionary(node, depth);
    default:
      throw new Error(`an XML property list with <${node.nodeName}>`);
  }
}

/**
 * @param {Element} node
 * @param {number} depth
 */
function xmlDictionary(node, depth) {
  const members = Object.create(null);
  for (let i = 0; i + 1 < node.children.length; i += 2) {
    members[node.children[i].textContent ?? ""] = xmlValue(node.children[i + 1], depth + 1);
  }
  return members;
}

/** OpenStep's format knows texts, data, lists and dictionaries; numbers and dates arrive as their texts. */
class OpenStep {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  read() {
    const value = this.#value(0);
    this.#skip();
    if (this.at < this.text.length) throw new Error("text after the end of a property list");
    return value;
  }

  #skip() {
    const space = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
    space.lastIndex = this.at;
    space.exec(this.text);
    this.at = space.lastIndex;
  }

  /** @param {RegExp} pattern */
  #take(pattern) {
    this.#skip();
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) throw new Error(`a property list that cannot be read at character ${this.at}`);
    this.at = pattern.lastIndex;
    return match;
  }

  #next() {
    this.#skip();
    return this.text[this.at];
  }

  /**
   * @param {number} depth
   * @returns {any}
   */
  #value(depth) {
    if (depth > DEEPEST) throw new Error("a property list that is nested too deep");
    switch (this.#next()) {
      case "{":
        return this.#dictionary(depth);
      case "(":
        return this.#list(depth);
      case "<":
        return this.#data();
      default:
        return this.#string();
    }
  }

  /** @param {number} depth */
  #dictionary(depth) {
    const members = Object.create(null);
    this.#take(/\{/y);
    while (this.#next() !== "}") {
      const key = this.#string();
      this.#take(/=/y);
      members[key] = this.#value(depth + 1);
      this.#take(/;/y);
    }
    this.#take(/\}/y);
    return members;
  }

  /** @param {number} depth */
  #list(depth) {
    const items = [];
    this.#take(/\(/y);
    while (this.#next() !== ")") {
      items.push(this.#value(depth + 1));
      if (this.#next() === ",") this.#take(/,/y);
    }
    this.#take(/\)/y);
    return items;
  }

  #data() {
    const digits = this.#take(/<([0-9a-fA-F\s]*)>/y)[1].replace(/\s/g, "");
    return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  }

  #string() {
    if (this.#next() !== '"') return this.#take(/[^\s{}()<>=;,"]+/y)[0];
    /** @type {Record<string, string>} */
    const escapes = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };
    return this.#take(/"((?:[^"\\]|\\[^])*)"/y)[1].replace(/\\(U[0-9a-fA-F]{4}|[0-7]{1,3}|[^])/g, (_, code) => {
      if (/^U.{4}$/.test(code)) return String.fromCharCode(parseInt(code.slice(1), 16));
      if (/^[0-7]/.test(code)) return String.fromCharCode(parseInt(code, 8));
      return escapes[code] ?? code;
    });
  }
}
