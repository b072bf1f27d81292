"use strict";
// Screens and steps: an entry's `elements`, from top to bottom, each by its `type`.

const STYLES = ["largeTitle", "title", "headline", "body", "footnote"];

class ScreenDrawing {
  constructor(drawing) {
    this.drawing = drawing;
  }

  draw() {
    const { elements } = this.drawing.content;
    return elements.filter(isMapping).map((item, place) => this.#element(item, itemPath("elements", item, place)));
  }

  #element(item, path) {
    const kinds = { header: this.#header, paragraph: this.#paragraph, button: this.#button, row: this.#row, banner: this.#banner,
      image: this.#image, space: this.#space, input: this.#input, toggle: this.#toggle };
    const draw = Object.hasOwn(kinds, item.type) ? kinds[item.type] : this.#unknown;
    const element = draw.call(this, item, path);
    element.classList.add("element", `align-${["center", "end"].includes(item.align) ? item.align : "start"}`);
    if (isTrue(item.line)) element.classList.add("line");
    this.#style(element, item);
    return element;
  }

  #style(element, item) {
    const height = Number(item.height);
    if (STYLES.includes(item.fontStyle)) element.classList.add(`font-${item.fontStyle}`);
    if (colour(item.fontColor)) {
      element.style.setProperty("--ink", colour(item.fontColor));
      element.dataset.ownColour = item.fontColor;
    }
    if (height > 0 && item.type !== "image") {
      element.style.setProperty("--height", `${Math.min(height, 2000)}px`);
      element.dataset.height = height;
    }
  }

  #part(item, path, name, properties = {}) {
    return typeof item[name] === "string" ? this.drawing.text(`${path}.${name}`, item[name], { class: `part-${name}`, ...properties }) : undefined;
  }

  #header(item, path) {
    const heading = make("h4", { class: "heading" }, this.#part(item, path, "title"));
    return this.drawing.block("div", { class: "header" }, heading, this.#part(item, path, "value"));
  }

  #paragraph(item, path) {
    return this.drawing.block("div", { class: "paragraph" }, this.#part(item, path, "title"), this.#part(item, path, "value"));
  }

  #button(item, path) {
    const ink = colour(item.fontColor);
    const isLight = ink && luminance(ink) > 0.6;
    return this.drawing.tap({ class: `tappable button ${isLight ? "filled" : "tinted"}` }, item.action,
      this.#part(item, path, "title"), this.#part(item, path, "value"));
  }

  #row(item, path) {
    const picture = isAsset(item.image) && this.drawing.image(`${path}.image`, item.image, { class: "thumbnail" });
    const parts = [picture, this.#part(item, path, "title"), this.#part(item, path, "value")];
    if (!item.action) return this.drawing.block("div", { class: "row" }, ...parts);
    return this.drawing.tap({ class: "tappable row" }, item.action, ...parts, icon("forward"));
  }

  #banner(item, path) {
    const picture = isAsset(item.image) && this.drawing.image(`${path}.image`, item.image, { class: "thumbnail" });
    const parts = [picture, make("span", { class: "stack" }, this.#part(item, path, "title"), this.#part(item, path, "value"))];
    if (!item.action) return this.drawing.block("div", { class: "banner" }, ...parts);
    return this.drawing.tap({ class: "tappable banner" }, item.action, ...parts);
  }

  #image(item, path) {
    if (!isAsset(item.image)) return this.#unknown(item, path);
    const height = Number(item.height);
    const style = height > 0 ? { height: `${Math.min(height, 2000)}px`, width: "auto" } : {};
    return make("div", { class: "picture" }, this.drawing.image(`${path}.image`, item.image, { style, alternative: item.title ?? "" }));
  }

  #space() {
    return make("div", { class: "space" });
  }

  #input(item, path) {
    const isLong = Number(item.height) > 60;
    const field = make(isLong ? "textarea" : "input", { class: "field", autocomplete: "off" });
    const caption = make("span", { class: "caption" }, this.#part(item, path, "title"), this.#part(item, path, "value"));
    return make("label", { class: "input" }, caption, field);
  }

  #toggle(item, path) {
    const control = make("input", { type: "checkbox", role: "switch", class: "switch" });
    const caption = make("span", { class: "stack" }, this.#part(item, path, "title"), this.#part(item, path, "value"));
    return make("label", { class: "toggle" }, caption, control);
  }

  #unknown(item, path) {
    const texts = Object.keys(item).filter((name) => typeof item[name] === "string" && !["type", "id", "align", "fontStyle", "fontColor"].includes(name));
    return this.drawing.block("div", { class: "unknown" },
      make("span", { class: "own", lang: "en", dir: "ltr", text: `${item.type ?? "element"} “${item.id ?? ""}”: not a type that this preview draws` }),
      ...texts.map((name) => this.drawing.text(`${path}.${name}`, item[name])));
  }
}

/** Formats without booleans write them as texts. */
function isTrue(value) {
  return value === true || value === "YES" || value === "1" || value === "true";
}
