"use strict";
// What every drawn entry is made of: texts that know their field, images, and taps.

const REFERENCE = /^[a-z0-9-]+(?:\/[a-z0-9-]+)+$/;
function isReference(value) {
  return typeof value === "string" && REFERENCE.test(value);
}

function isAddress(value) {
  return typeof value === "string" && /^[a-z][a-z0-9+.-]*:\S/i.test(value);
}

function isAsset(value) {
  return Boolean(value) && typeof value === "object" && typeof value.scales === "object" && value.scales !== null;
}

function isMapping(value) {
  return Boolean(value) && typeof value === "object" && !Array.isArray(value) && !isLeaf(value) && !isAsset(value);
}

/** The path of a list's item as `contentc explain` writes it: by its id, or else by its place. */
function itemPath(path, item, place) {
  return `${path}[${isMapping(item) && typeof item.id === "string" ? item.id : place}]`;
}

/** “pairsWith” and “delivery-fee” as words. */
function words(name) {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** One entry being drawn into a frame. It knows which of the entry's fields have been drawn, so that the others can be listed. */
class Drawing {
  constructor(frame, record) {
    this.frame = frame;
    this.id = record.id;
    this.record = record;
    this.drawn = new Set();
    this.hiddenItems = 0;
    this.content = contentAt(record.content, frame.instant, (from, until, isHidden) => {
      if (isHidden) this.hiddenItems += 1;
      frame.moments.push(milliseconds(from), milliseconds(until));
    });
    if (this.hiddenItems) frame.used.push(`${this.id} ${this.hiddenItems} left out`);
  }

  /** Notes that the field at a path is drawn, with everything below it. */
  draws(...paths) {
    for (const path of paths) if (path !== undefined) this.drawn.add(path);
  }

  /** The fields below a path that nothing has drawn, as `{name, path, value}`; a mapping or list of which nothing is drawn counts as one. */
  undrawn(value, path = "") {
    const children = Array.isArray(value)
      ? value.map((item, place) => ({ path: itemPath(path, item, place), value: item }))
      : Object.keys(value).map((name) => ({ path: path ? `${path}.${name}` : name, value: value[name] }));
    return children.flatMap((child) => {
      if (this.drawn.has(child.path)) return [];
      const isBranch = Array.isArray(child.value) || isMapping(child.value);
      const isTouched = isBranch && [...this.drawn].some((drawn) => drawn.startsWith(child.path) && ".[".includes(drawn[child.path.length]));
      return isTouched ? this.undrawn(child.value, child.path) : [child];
    });
  }

  /** A field's value as text. What is no text in the content (a price, a date) says so by `literal`. */
  text(path, value, { literal = false, ...properties } = {}) {
    this.draws(path);
    const shown = literal ? String(value) : pseudo(String(value), this.frame.pseudo);
    return make("span", { ...properties, class: `text ${properties.class ?? ""}`.trim(), dir: literal ? undefined : "auto", "data-entry": this.id,
      "data-path": path, text: shown });
  }

  /** A file of the content: a picture, sound or film as such, any other as a link that saves it. */
  asset(path, asset, properties = {}) {
    this.draws(path);
    return drawAsset(this, path, asset, properties);
  }

  /** A block of text that the keyboard can reach, so that its place can be looked up without a mouse. */
  block(name, properties, ...children) {
    return make(name, { tabindex: 0, "data-key": this.#key(children), ...properties }, ...children);
  }

  /** A control; `target` is where its tap leads, `path` the field that says so. */
  tap({ path, ...properties }, target, ...children) {
    this.draws(path);
    const leads = target ? { "data-leads": target, title: isReference(target) ? undefined : target } : { "data-leads": "" };
    return make("button", { type: "button", "data-key": this.#key(children), ...leads, ...properties,
      on: { click: () => this.frame.follow(target) } }, ...children);
  }

  #key(children) {
    const first = children.flat().find((child) => child instanceof Element && (child.dataset.path || child.querySelector("[data-path]")));
    return `${this.id} ${first?.dataset.path ?? first?.querySelector("[data-path]").dataset.path ?? ""}`;
  }

  /** A sum of money in the reader's way of writing it. */
  money(amount, currency) {
    const locale = this.frame.context.locale || "en";
    try {
      const parts = new Intl.NumberFormat(locale, currency ? { style: "currency", currency } : {}).formatToParts(Number(amount));
      // Isolated, or else the sign of “US$” would change sides in a line from right to left.
      const isolates = this.frame.body.dir === "rtl";
      return parts.map(({ type, value }) => (isolates && type === "currency" ? `\u2068${value}\u2069` : value)).join("");
    } catch {
      return `${amount} ${currency ?? ""}`.trim();
    }
  }

  /** The entry's picture, whatever its datatype calls it. */
  get picture() {
    const path = ["image", "icon", "logo", "photo", "picture"].find((name) => isPicture(this.content[name]))
      ?? Object.keys(this.content).find((name) => isPicture(this.content[name]));
    return path && { path, asset: this.content[path] };
  }

  /** The first of these fields that holds a text. */
  first(...names) {
    return names.find((name) => typeof this.content[name] === "string" && this.content[name] !== "");
  }

  get tint() {
    return colour(this.content.accent) ?? colour(this.content.tint) ?? colour(this.content.color);
  }
}
