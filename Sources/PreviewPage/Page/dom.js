"use strict";
// The only place that creates elements. Texts become text nodes, styles use the CSS object model (which
// the page's Content-Security-Policy allows), and nothing is parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  home: "M4 11l8-7 8 7M6 10v10h12V10",
  list: "M4 6h16M4 12h16M4 18h16",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12l5 5 9-10",
  close: "M6 6l12 12M18 6L6 18",
  pin: "M9 4h6l-1 6 4 3v2H6v-2l4-3zM12 15v6",
  help: "M9.2 9a3 3 0 1 1 4.3 2.7c-1 .5-1.5 1.1-1.5 2.3M12 17.5v.5",
  clock: "M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  alert: "M12 4l9 16H3zM12 10v4M12 17v.5",
  link: "M10 14l8-8M12 6h6v6M9 7H5v12h12v-4",
  theme: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  sliders: "M4 8h9M17 8h3M15 6v4M4 16h3M11 16h9M9 14v4",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 4M15 9v.5",
  file: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  phone: "M7 3h10v18H7zM11 18h2",
  chevron: "M6 9l6 6 6-6",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
};

/**
 * Makes an element. `properties`: `class`, `text`, `on` (event → function), `style` (name → value); all others are attributes.
 * @param {string} name
 * @param {Record<string, any>} properties
 * @param {...any} children
 * @returns {any}
 */
function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") element.className = value;
    else if (key === "text") element.textContent = value;
    else if (key === "on") {
      Object.entries(value).forEach(([event, handler]) => element.addEventListener(event, handler));
    } else if (key === "style") setStyle(element, value);
    else if (["value", "checked", "disabled", "hidden"].includes(key)) Object.assign(element, { [key]: value });
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/**
 * @param {ElementCSSInlineStyle} element
 * @param {Record<string, string | undefined>} properties
 */
function setStyle(element, properties) {
  for (const [property, value] of Object.entries(properties)) if (value) element.style.setProperty(property, value);
}

/**
 * An inline drawing, hidden from screen readers; its meaning must be given in words.
 * @param {keyof typeof ICONS} name
 */
function icon(name) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  drawing.setAttribute("class", `icon icon-${name}`);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  drawing.append(path);
  return drawing;
}

/**
 * An element of a drawing. `style` sets properties; text children become text nodes.
 * @param {string} name
 * @param {Record<string, any>} properties
 * @param {...(Node | string)} children
 */
function shape(name, properties = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "style") setStyle(element, value);
    else element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * A button with an icon and an accessible label.
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {(event: MouseEvent) => void} action
 * @param {Record<string, any>} properties
 */
function iconButton(name, label, action, properties = {}) {
  return make("button", {
    type: "button",
    class: "icon-button",
    "aria-label": label,
    title: label,
    on: { click: action },
    ...properties,
  }, icon(name));
}

/** The keys that move a roving focus. */
const MOVES = { horizontal: { ArrowLeft: -1, ArrowRight: 1 }, vertical: { ArrowUp: -1, ArrowDown: 1 } };

/** A group of elements that is one stop of the Tab key (roving tabindex); arrows, Home and End move within it. */
class Roving {
  /**
   * @param {HTMLElement} container
   * @param {string} selector
   * @param {keyof typeof MOVES} direction
   */
  constructor(container, selector, direction = "horizontal") {
    this.container = container;
    this.selector = selector;
    /** @type {Record<string, number>} */
    this.moves = MOVES[direction];
    /** @type {HTMLElement | undefined} */
    this.current = undefined;
    container.addEventListener("keydown", (event) => this.#key(event));
    container.addEventListener("focusin", (event) => this.#enter(/** @type {any} */ (event.target).closest(selector)));
    this.update();
  }

  /** @returns {any[]} */
  get items() {
    const items = /** @type {any[]} */ ([...this.container.querySelectorAll(this.selector)]);
    return items.filter((item) => !item.disabled && !item.hidden && !item.closest("[hidden]"));
  }

  /** Must be called after the elements change. */
  update() {
    const { items } = this;
    const current = items.find((item) => item === document.activeElement) ?? items.find((item) => item.ariaCurrent) ??
      items.find((item) => item === this.current) ?? items[0];
    this.#enter(current, items);
  }

  /**
   * @param {HTMLElement | null | undefined} current
   * @param {HTMLElement[]} items
   */
  #enter(current, items = this.items) {
    if (!current) return;
    this.current = current;
    for (const item of items) item.tabIndex = item === current ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { items } = this;
    const at = items.indexOf(/** @type {Element} */ (event.target).closest(this.selector));
    if (at < 0 || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { Home: 0, End: items.length - 1 }[event.key] ?? at + (this.moves[event.key] ?? NaN);
    if (Number.isNaN(to)) return;
    event.preventDefault();
    items[(to + items.length) % items.length].focus();
  }
}

/**
 * Text for screen readers only.
 * @param {string} text
 */
function unseen(text) {
  return make("span", { class: "unseen", text });
}

/**
 * Returns a valid colour (`#RGB`, `#RRGGBB` or `#RRGGBBAA`) as it is, and undefined for anything else.
 * @param {any} value
 */
function colour(value) {
  return typeof value === "string" && /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value) ? value : undefined;
}

/**
 * The red, green, blue and alpha of a colour, each from 0 to 1.
 * @param {string} hex
 */
function channels(hex) {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : hex.slice(1).match(/../g) ?? [];
  const [red, green, blue, alpha = 1] = digits.map((pair) => parseInt(pair, 16) / 255);
  return [red, green, blue, alpha];
}

/**
 * The relative luminance as defined by WCAG 2.
 * @param {string} hex
 */
function luminance(hex) {
  const [red, green, blue] = channels(hex).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * The contrast of two colours as defined by WCAG 2, from 1 to 21.
 * @param {string} one
 * @param {string} other
 */
function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * A text colour that is legible on a background (WCAG 2, 1.4.3): white, the page's ink, or black.
 * @param {string} background
 */
function legible(background) {
  return ["#fff", "#10201a"].find((ink) => contrast(ink, background) >= 4.5) ?? "#000";
}

const decimal = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/**
 * A number of bytes for people.
 * @param {number} bytes
 */
function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${decimal.format(bytes / 1000)} kB` : `${decimal.format(bytes / 1e6)} MB`;
}

/**
 * “1 entry”, “2 entries”.
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
function counted(count, one, many = `${one}s`) {
  return `${new Intl.NumberFormat("en").format(count)} ${count === 1 ? one : many}`;
}

/**
 * Copies text. Over plain HTTP from another machine, only the deprecated command works.
 * @param {string} text
 */
async function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = make("textarea", { class: "unseen", "aria-hidden": "true", value: text });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/**
 * Announces a text on the screen for a moment, and to screen readers.
 * @param {string} text
 */
function say(text) {
  const place = document.getElementById("said");
  place.textContent = text;
  place.dataset.shown = "";
  clearTimeout(say.timer);
  say.timer = setTimeout(() => delete place.dataset.shown, 2600);
}
say.timer = 0;
