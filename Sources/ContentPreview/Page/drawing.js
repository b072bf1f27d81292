"use strict";
// What every drawn entry is made of: texts that know their field, images, and taps.

const REFERENCE = /^[a-z0-9-]+(?:\/[a-z0-9-]+)+$/;
const IMAGE_ENDINGS = { "image/png": ["png"], "image/jpeg": ["jpg", "jpeg"], "image/gif": ["gif"], "image/webp": ["webp"],
  "image/svg+xml": ["svg"], "image/avif": ["avif"], "image/heic": ["heic"] };

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

/** One entry being drawn into a frame. */
class Drawing {
  constructor(frame, record) {
    this.frame = frame;
    this.id = record.id;
    this.record = record;
    this.content = record.content;
  }

  /** A field's value as text. What is no text in the content (a price, a date) says so by `literal`. */
  text(path, value, { literal = false, ...properties } = {}) {
    const shown = literal ? String(value) : pseudo(String(value), this.frame.pseudo);
    return make("span", { ...properties, class: `text ${properties.class ?? ""}`.trim(), dir: literal ? undefined : "auto", "data-entry": this.id,
      "data-path": path, text: shown });
  }

  /** A block of text that the keyboard can reach, so that its place can be looked up without a mouse. */
  block(name, properties, ...children) {
    return make(name, { tabindex: 0, "data-key": this.#key(children), ...properties }, ...children);
  }

  /** A control; `target` is where its tap leads. */
  tap(properties, target, ...children) {
    const leads = target ? { "data-leads": target, title: isReference(target) ? undefined : target } : { "data-leads": "" };
    return make("button", { type: "button", "data-key": this.#key(children), ...leads, ...properties,
      on: { click: () => this.frame.follow(target) } }, ...children);
  }

  #key(children) {
    const first = children.flat().find((child) => child instanceof Element && (child.dataset.path || child.querySelector("[data-path]")));
    return `${this.id} ${first?.dataset.path ?? first?.querySelector("[data-path]").dataset.path ?? ""}`;
  }

  /** An image in the densities that the content has. `alternative` is what screen readers say; none means it only decorates. */
  image(path, asset, { alternative = "", ...properties } = {}) {
    const endings = IMAGE_ENDINGS[asset.type] ?? [String(asset.type).split("/").pop()];
    const addresses = (ending) => Object.entries(asset.scales).map(([scale, { object }]) => [
      scale, this.frame.catalogue.release.base + objectPath(hashText(object), ending),
    ]);
    const picture = make("img", { ...properties, alt: alternative, width: asset.width, height: asset.height, decoding: "async",
      "data-entry": this.id, "data-path": path });
    const show = (ending) => {
      picture.srcset = addresses(ending).map(([scale, address]) => `${address} ${parseFloat(scale) || 1}x`).join(", ");
      picture.src = addresses(ending)[0][1];
    };
    if (endings[1]) picture.addEventListener("error", () => show(endings[1]), { once: true });
    show(endings[0]);
    return picture;
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
    const path = ["image", "icon", "logo", "photo", "picture"].find((name) => isAsset(this.content[name]))
      ?? Object.keys(this.content).find((name) => isAsset(this.content[name]));
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
