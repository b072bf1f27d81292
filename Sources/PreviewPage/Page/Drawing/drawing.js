"use strict";
// The parts of every drawn entry: texts with their fields, files, and controls.

const REFERENCE = /^[a-z0-9-]+(?:\/[a-z0-9-]+)+$/;
function isReference(value) {
  return typeof value === "string" && REFERENCE.test(value);
}

function isAddress(value) {
  return typeof value === "string" && /^[a-z][a-z0-9+.-]*:\S/i.test(value);
}

/** The path of a list's item as in `contentc explain`: by its id, or its index without one. */
function itemPath(path, item, place) {
  return `${path}[${isMapping(item) && typeof item.id === "string" ? item.id : place}]`;
}

/** A name such as “pairsWith” or “delivery-fee” as words. */
function words(name) {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** The drawing of an entry in a frame. It records the drawn fields, so that the others can be listed. */
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

  /** Records that the fields at paths are drawn, with everything below them. */
  draws(...paths) {
    for (const path of paths) if (path !== undefined) this.drawn.add(path);
  }

  /** The fields below a path that are not drawn, as `{name, path, value}`. A mapping or list without drawn parts is one field. */
  undrawn(value, path = "") {
    const children = Array.isArray(value)
      ? value.map((item, place) => ({ path: itemPath(path, item, place), value: item }))
      : Object.keys(value).map((name) => ({ path: path ? `${path}.${name}` : name, value: value[name] }));
    return children.flatMap((child) => {
      if (this.drawn.has(child.path)) return [];
      const isBranch = Array.isArray(child.value) || isMapping(child.value);
      const isTouched = isBranch &&
        [...this.drawn].some((drawn) => drawn.startsWith(child.path) && ".[".includes(drawn[child.path.length]));
      return isTouched ? this.undrawn(child.value, child.path) : [child];
    });
  }

  /**
   * A field's value as text. `literal` values (a price, a date, an address) are not of the content's language; those that are
   * written from left to right everywhere have `dir`.
   * @param {string} path
   * @param {any} value
   * @param {Record<string, any>} properties
   */
  text(path, value, { literal = false, ...properties } = {}) {
    this.draws(path);
    return make("span", {
      ...properties,
      class: `text ${properties.class ?? ""}`.trim(),
      dir: properties.dir ?? (literal ? undefined : "auto"),
      "data-entry": this.id,
      "data-path": path,
      text: String(value),
    });
  }

  /** A file of the content: a picture, a player, or a link that saves it. */
  asset(path, asset, properties = {}) {
    this.draws(path);
    return drawAsset(this, path, asset, properties);
  }

  /** A text with styles. */
  markdown(path, value) {
    return drawMarkdown(this, path, value);
  }

  /** A focusable block of text, so that its source can be shown without a mouse. */
  block(name, properties, ...children) {
    return make(name, { tabindex: 0, "data-key": this.#key(children), ...properties }, ...children);
  }

  /**
   * A control that opens `target`, which the field at `path` names.
   * @param {{ path?: string, [attribute: string]: any }} properties
   * @param {string | undefined} target
   * @param {...any} children
   */
  tap({ path, ...properties }, target, ...children) {
    this.draws(path);
    const leads = target
      ? { "data-leads": target, title: isReference(target) ? undefined : target }
      : { "data-leads": "" };
    return make("button", {
      type: "button",
      "data-key": this.#key(children),
      ...leads,
      ...properties,
      on: { click: () => this.frame.follow(target) },
    }, ...children);
  }

  #key(children) {
    const first = children.flat().find((child) =>
      child instanceof Element && (child.dataset.path || child.querySelector("[data-path]"))
    );
    return `${this.id} ${first?.dataset.path ?? first?.querySelector("[data-path]").dataset.path ?? ""}`;
  }

  /** An amount of money in the reader's locale. */
  money(amount, currency) {
    const locale = this.frame.context.locale || "en";
    try {
      const parts = new Intl.NumberFormat(locale, currency ? { style: "currency", currency } : {}).formatToParts(
        Number(amount),
      );
      // Without isolation, the sign of “US$” would change sides in right-to-left text.
      const isolates = this.frame.body.dir === "rtl";
      return parts.map(({ type, value }) => (isolates && type === "currency" ? `\u2068${value}\u2069` : value)).join(
        "",
      );
    } catch {
      return `${amount} ${currency ?? ""}`.trim();
    }
  }

  /** The entry's picture, by common names or the first one. */
  get picture() {
    const path = ["image", "icon", "logo", "photo", "picture"].find((name) => isPicture(this.content[name])) ??
      Object.keys(this.content).find((name) => isPicture(this.content[name]));
    return path && { path, asset: this.content[path] };
  }

  /** The first of these fields with a non-empty text. */
  first(...names) {
    return names.find((name) => typeof this.content[name] === "string" && this.content[name] !== "");
  }

  get tint() {
    return colour(this.content.accent) ?? colour(this.content.tint) ?? colour(this.content.color);
  }
}
