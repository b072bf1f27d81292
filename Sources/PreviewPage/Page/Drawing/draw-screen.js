"use strict";
// Screens: the `elements` of an entry, each drawn by its `type`.

const ELEMENTS = ["header", "paragraph", "button", "row", "banner", "image", "space", "input", "toggle"];
const STYLES = ["largeTitle", "title", "headline", "body", "footnote"];

class ScreenDrawing {
  constructor(drawing) {
    this.drawing = drawing;
  }

  draw() {
    const { elements } = this.drawing.content;
    // Items that are no mappings are listed below the screen with the other fields.
    return elements.flatMap((item, place) =>
      isMapping(item) ? this.#drawn(item, itemPath("elements", item, place)) : []
    );
  }

  #drawn(item, path) {
    const { drawing } = this;
    drawing.draws(`${path}.id`, `${path}.type`);
    const element = ELEMENTS.includes(item.type) && this.#element(item, path);
    const rest = drawing.undrawn(item, path);
    drawing.draws(path);
    if (!element) return [leftOver(drawing, rest, path, unknownElement(item))];
    return rest.length ? [element, leftOver(drawing, rest, path)] : [element];
  }

  #element(item, path) {
    const draw = {
      header: this.#header,
      paragraph: this.#paragraph,
      button: this.#button,
      row: this.#row,
      banner: this.#banner,
      image: this.#image,
      space: this.#space,
      input: this.#input,
      toggle: this.#toggle,
    }[item.type];
    const element = draw.call(this, item, path);
    if (element) this.#style(element, item, path);
    return element;
  }

  /** Applies the style of an element. An invalid value counts as not drawn. */
  #style(element, item, path) {
    const { drawing } = this;
    const height = Number(item.height);
    const isAligned = ["start", "center", "end"].includes(item.align);
    element.classList.add("element", `align-${isAligned ? item.align : "start"}`);
    if (isAligned) drawing.draws(`${path}.align`);
    if (isSwitch(item.line)) drawing.draws(`${path}.line`);
    if (isTrue(item.line)) element.classList.add("line");
    if (STYLES.includes(item.fontStyle)) {
      element.classList.add(`font-${item.fontStyle}`);
      drawing.draws(`${path}.fontStyle`);
    }
    if (colour(item.fontColor)) {
      element.style.setProperty("--ink", colour(item.fontColor));
      element.dataset.ownColour = item.fontColor;
      drawing.draws(`${path}.fontColor`);
    }
    if (!(height > 0)) return;
    drawing.draws(`${path}.height`);
    if (item.type === "image") return;
    element.style.setProperty("--height", `${Math.min(height, 2000)}px`);
    element.dataset.height = height;
  }

  #part(item, path, name, properties = {}) {
    return typeof item[name] === "string"
      ? this.drawing.text(`${path}.${name}`, item[name], { class: `part-${name}`, ...properties })
      : undefined;
  }

  #header(item, path) {
    const heading = make("h4", { class: "heading" }, this.#part(item, path, "title"));
    return this.drawing.block("div", { class: "header" }, heading, this.#part(item, path, "value"));
  }

  #paragraph(item, path) {
    if (isMarkdown(item.value)) {
      return make(
        "div",
        { class: "paragraph" },
        this.#part(item, path, "title"),
        this.drawing.markdown(`${path}.value`, item.value),
      );
    }
    return this.drawing.block(
      "div",
      { class: "paragraph" },
      this.#part(item, path, "title"),
      this.#part(item, path, "value"),
    );
  }

  #button(item, path) {
    const ink = colour(item.fontColor);
    const isLight = ink && luminance(ink) > 0.6;
    return this.drawing.tap(
      { class: `tappable button ${isLight ? "filled" : "tinted"}`, path: this.#way(item, path) },
      item.action,
      this.#part(item, path, "title"),
      this.#part(item, path, "value"),
    );
  }

  /** The path of a valid `action`. */
  #way(item, path) {
    return typeof item.action === "string" ? `${path}.action` : undefined;
  }

  #row(item, path) {
    const picture = isPicture(item.image) && this.drawing.asset(`${path}.image`, item.image, { class: "thumbnail" });
    const parts = [picture, this.#part(item, path, "title"), this.#part(item, path, "value")];
    if (!item.action) return this.drawing.block("div", { class: "row" }, ...parts);
    return this.drawing.tap(
      { class: "tappable row", path: this.#way(item, path) },
      item.action,
      ...parts,
      icon("forward"),
    );
  }

  #banner(item, path) {
    const picture = isPicture(item.image) && this.drawing.asset(`${path}.image`, item.image, { class: "thumbnail" });
    const parts = [
      picture,
      make("span", { class: "stack" }, this.#part(item, path, "title"), this.#part(item, path, "value")),
    ];
    if (!item.action) return this.drawing.block("div", { class: "banner" }, ...parts);
    return this.drawing.tap({ class: "tappable banner", path: this.#way(item, path) }, item.action, ...parts);
  }

  #image(item, path) {
    if (!isAsset(item.image)) return undefined;
    const height = Number(item.height);
    const style = height > 0 ? { height: `${Math.min(height, 2000)}px`, width: "auto" } : {};
    return make(
      "div",
      { class: "picture" },
      this.drawing.asset(`${path}.image`, item.image, {
        style,
        alternative: typeof item.title === "string" ? item.title : "",
      }),
    );
  }

  #space() {
    return make("div", { class: "space" });
  }

  #input(item, path) {
    // A caption and a field of one line have about 70 pixels.
    const isLong = Number(item.height) > 80;
    const field = make(isLong ? "textarea" : "input", { class: "field", autocomplete: "off" });
    const caption = make(
      "span",
      { class: "caption" },
      this.#part(item, path, "title"),
      this.#part(item, path, "value"),
    );
    return make("label", { class: "input" }, caption, field);
  }

  #toggle(item, path) {
    const control = make("input", { type: "checkbox", role: "switch", class: "switch" });
    const caption = make("span", { class: "stack" }, this.#part(item, path, "title"), this.#part(item, path, "value"));
    return make("label", { class: "toggle" }, caption, control);
  }
}

/** The reason why an element cannot be drawn. */
function unknownElement({ type, id }) {
  const name = id === undefined ? "" : ` “${id}”`;
  if (type === "image") return `image${name} without a picture`;
  return type === undefined ? `element${name} without a type` : `${type}${name}: not a type that this preview draws`;
}

/** A table of fields that were not drawn. */
function leftOver(drawing, fields, base, title = "Not drawn") {
  const name = (path) => (base && path.startsWith(base) ? path.slice(base.length).replace(/^\./, "") : path);
  const rows = fields.map(({ path, value }) =>
    make(
      "div",
      { class: "field-row" },
      make("dt", { text: name(path) }),
      make("dd", {}, fieldValue(drawing, path, value)),
    )
  );
  return make(
    "div",
    { class: "element left-over" },
    make("p", { class: "own", lang: "en", dir: "ltr", text: title }),
    make("dl", { class: "fields" }, ...rows),
  );
}

/** Returns true for a true boolean, which some formats write as text. */
function isTrue(value) {
  return value === true || value === "YES" || value === "1" || value === "true";
}

/** Returns true for a boolean of any format. */
function isSwitch(value) {
  return isTrue(value) || value === false || value === "NO" || value === "0" || value === "false";
}
