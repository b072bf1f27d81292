"use strict";
// A map of tiles, drawn without pictures of the land: borders of tiles, entries, and a grid of degrees. It is moved by
// dragging, the wheel, buttons and keys.

/** The distance of grid lines in degrees. */
const GRID_STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45, 90];
/** The largest width of the whole map in pixels: a tile of the greatest depth is then 256 pixels wide. */
const MAP_WIDEST = 256 * 2 ** 16;
/** The width of the whole map in units of the drawing; small numbers would be rounded when drawn. */
const MAP_UNITS = 65536;

class MapView {
  /** @type {{ from: Point, to: Point }} */
  bounds;
  /** @type {Point} */
  origin;
  /** @type {SVGElement} */
  dots;

  /** `stand(position)` is called for a click, and for Enter. */
  constructor({ label, stand }) {
    this.stand = stand;
    this.label = label;
    this.centre = { x: 0.5, y: 0.5 };
    this.width = 0;
    this.height = 0;
    this.pointers = new Map();
    this.world = shape("g", { class: "map-world" });
    this.grid = shape("g", { class: "map-grid" });
    this.marks = shape("g", { class: "map-marks" });
    this.drawing = shape("svg", { class: "map-drawing", "aria-hidden": "true" }, this.world, this.grid, this.marks);
    this.surface = make(
      "div",
      {
        class: "map-surface",
        tabindex: 0,
        role: "application",
        "aria-roledescription": "map",
        "data-key": `map ${label}`,
        on: {
          keydown: (event) => this.#key(event),
          pointerdown: (event) => this.#press(event),
          pointermove: (event) => this.#drag(event),
          pointerup: (event) => this.#release(event),
          pointercancel: (event) => this.pointers.delete(event.pointerId),
        },
      },
      this.drawing,
      make("span", { class: "map-cross", "aria-hidden": "true" }),
    );
    this.surface.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.where = make("p", { class: "own map-where", "aria-live": "polite" });
    const button = (name, text, action) => iconButton(name, text, action, { "data-key": `map ${text}` });
    this.element = make(
      "div",
      { class: "map", role: "group", "aria-label": label, lang: "en", dir: "ltr" },
      this.surface,
      make(
        "div",
        { class: "map-buttons" },
        button("plus", "Zoom in (+)", () => this.#zoom(2)),
        button("minus", "Zoom out (-)", () => this.#zoom(0.5)),
        button("fit", "Show all tiles (0)", () => this.fit()),
      ),
      this.where,
    );
    new ResizeObserver(() => this.#resize()).observe(this.surface);
  }

  /** Shows tiles: `{box, name, count, kind, words}`, filled by their share of the largest count. */
  showTiles(tiles, largest) {
    const points = tiles.map(({ box: [south, west, north, east] }) => ({
      from: mercator({ latitude: north, longitude: west }),
      to: mercator({ latitude: south, longitude: east }),
    }));
    const all = {
      from: { x: Math.min(...points.map(({ from }) => from.x)), y: Math.min(...points.map(({ from }) => from.y)) },
      to: { x: Math.max(...points.map(({ to }) => to.x)), y: Math.max(...points.map(({ to }) => to.y)) },
    };
    this.bounds = tiles.length ? all : { from: { x: 0, y: 0 }, to: { x: 1, y: 1 } };
    this.origin = { x: (this.bounds.from.x + this.bounds.to.x) / 2, y: (this.bounds.from.y + this.bounds.to.y) / 2 };
    this.tiles = tiles.map((tile, i) => ({ ...tile, ...points[i] }));
    this.surface.setAttribute(
      "aria-label",
      `${this.label}. Arrow keys move it, plus and minus zoom, 0 shows all tiles, Enter puts the place to stand on at the centre.`,
    );
    this.dots = shape("path", { class: "map-dots" });
    this.world.replaceChildren(
      ...this.tiles.map(({ from, to, name, kind, count, words: text }) => {
        const start = this.#unit(from);
        const end = this.#unit(to);
        const share = largest ? count / largest : 0;
        return shape("rect", {
          class: `map-tile ${kind ?? ""}`.trim(),
          "data-tile": name,
          x: start.x,
          y: start.y,
          width: end.x - start.x,
          height: end.y - start.y,
          style: { "--share": String(Math.round(share * 100) / 100) },
        }, shape("title", {}, text));
      }),
      this.dots,
    );
    if (!this.isMoved) this.fit();
    else this.#draw();
  }

  /** Shows the entries of loaded tiles as dots. */
  showDots(positions) {
    this.dots.setAttribute(
      "d",
      positions.map((position) => {
        const { x, y } = this.#unit(mercator(position));
        return `M${x} ${y}h0`;
      }).join(""),
    );
  }

  /** Shows the place to stand on, and the nearest entries with their numbers. */
  showMarks(standing, nearest) {
    this.standing = standing;
    this.nearest = nearest;
    this.#drawMarks();
  }

  /** Shows all tiles. */
  fit() {
    const { from, to } = this.bounds;
    this.centre = { ...this.origin };
    this.isMoved = false;
    if (this.width) {
      this.scale = this.#limited(
        0.92 * Math.min(this.width / Math.max(to.x - from.x, 1e-9), this.height / Math.max(to.y - from.y, 1e-9)),
      );
    }
    this.#draw();
  }

  /** Shows all of some positions. */
  fitPositions(positions) {
    const points = positions.map(mercator);
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [from, to] = [{ x: Math.min(...xs), y: Math.min(...ys) }, { x: Math.max(...xs), y: Math.max(...ys) }];
    this.scale = this.#limited(
      0.8 * Math.min(this.width / Math.max(to.x - from.x, 1e-6), this.height / Math.max(to.y - from.y, 1e-6)),
    );
    this.#moveTo({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
    this.#tellCentre();
  }

  /** Moves the map if a position is not in view. */
  reveal(position) {
    const { x, y } = this.#pixel(mercator(position));
    if (x > 12 && y > 12 && x < this.width - 12 && y < this.height - 12) return;
    this.#moveTo(mercator(position));
  }

  /** The parts of the map from its corners, as boxes are. */
  get view() {
    const [from, to] = [this.#point(0, 0), this.#point(this.width, this.height)];
    return { from, to };
  }

  /** The tiles that are in view. */
  get visible() {
    const { from, to } = this.view;
    return this.tiles.filter((tile) =>
      tile.from.x < to.x && tile.to.x > from.x && tile.from.y < to.y && tile.to.y > from.y
    );
  }

  #unit({ x, y }) {
    return { x: (x - this.origin.x) * MAP_UNITS, y: (y - this.origin.y) * MAP_UNITS };
  }

  #pixel({ x, y }) {
    return {
      x: (x - this.centre.x) * this.scale + this.width / 2,
      y: (y - this.centre.y) * this.scale + this.height / 2,
    };
  }

  #point(x, y) {
    return {
      x: (x - this.width / 2) / this.scale + this.centre.x,
      y: (y - this.height / 2) / this.scale + this.centre.y,
    };
  }

  #limited(scale) {
    return Math.max(Math.min(this.width, this.height) * 0.9, Math.min(MAP_WIDEST, scale));
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.surface;
    if (!width || (width === this.width && height === this.height)) return;
    this.width = width;
    this.height = height;
    if (!this.bounds) return;
    if (!this.isMoved) this.fit();
    else this.#draw();
  }

  #moveTo({ x, y }) {
    this.centre = { x: Math.max(0, Math.min(1, x)), y: Math.max(0, Math.min(1, y)) };
    this.isMoved = true;
    this.#draw();
  }

  /** Zooms so that the point at a pixel, or the centre, stays in its place. */
  #zoom(factor, x = this.width / 2, y = this.height / 2) {
    const fixed = this.#point(x, y);
    this.scale = this.#limited(this.scale * factor);
    this.#moveTo({ x: fixed.x - (x - this.width / 2) / this.scale, y: fixed.y - (y - this.height / 2) / this.scale });
    this.#tellCentre();
  }

  #wheel(event) {
    event.preventDefault();
    const { left, top } = this.surface.getBoundingClientRect();
    const ratio = this.#ratio;
    this.#zoom(
      2 ** (-Math.max(-240, Math.min(240, event.deltaY * (event.deltaMode ? 16 : 1))) / 240),
      (event.clientX - left) / ratio,
      (event.clientY - top) / ratio,
    );
  }

  /** Pixels of the page for a pixel of the map. */
  get #ratio() {
    return this.surface.offsetWidth ? this.surface.getBoundingClientRect().width / this.surface.offsetWidth : 1;
  }

  #at(event) {
    const { left, top } = this.surface.getBoundingClientRect();
    return { x: (event.clientX - left) / this.#ratio, y: (event.clientY - top) / this.#ratio };
  }

  #press(event) {
    if (event.button !== 0) return;
    this.surface.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { ...this.#at(event), travelled: 0 });
  }

  #drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#at(event);
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    const travelled = before.travelled + Math.hypot(now.x - before.x, now.y - before.y) + (others.length ? 99 : 0);
    this.pointers.set(event.pointerId, { ...now, travelled });
    if (others.length) return this.#pinch(before, now, others[0]);
    if (travelled < 4) return undefined;
    return this.#moveTo({
      x: this.centre.x - (now.x - before.x) / this.scale,
      y: this.centre.y - (now.y - before.y) / this.scale,
    });
  }

  #pinch(before, now, other) {
    const factor = Math.hypot(now.x - other.x, now.y - other.y) /
      Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
    this.#zoom(Math.max(0.5, Math.min(2, factor)), other.x, other.y);
  }

  #release(event) {
    const pressed = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (pressed && pressed.travelled < 4) this.#standAt(this.#at(event));
  }

  #standAt({ x, y }) {
    const point = this.#point(x, y);
    if (point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1) this.stand(positionAt(point));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.surface) return;
    const step = (x, y) => () => {
      this.#moveTo({
        x: this.centre.x + (x * this.width) / 4 / this.scale,
        y: this.centre.y + (y * this.height) / 4 / this.scale,
      });
      this.#tellCentre();
    };
    const act = {
      ArrowLeft: step(-1, 0),
      ArrowRight: step(1, 0),
      ArrowUp: step(0, -1),
      ArrowDown: step(0, 1),
      "+": () => this.#zoom(2),
      "=": () => this.#zoom(2),
      "-": () => this.#zoom(0.5),
      0: () => this.fit(),
      Enter: () => this.#standAt({ x: this.width / 2, y: this.height / 2 }),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Tells screen readers the centre once the map rests. */
  #tellCentre() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const across = distanceBetween(positionAt(this.#point(0, this.height / 2)), positionAt(this.centre));
      this.where.textContent = `Centre ${positionWords(positionAt(this.centre), this.#decimals)}, ${
        distanceWords(2 * across)
      } wide`;
    }, 300);
  }

  get #decimals() {
    return Math.max(1, Math.min(5, Math.ceil(Math.log10(this.scale / 360)) - 1));
  }

  #draw() {
    if (!this.width || !this.scale) return;
    const { x, y } = this.#pixel(this.origin);
    this.drawing.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.world.setAttribute("transform", `translate(${x} ${y}) scale(${this.scale / MAP_UNITS})`);
    this.#drawGrid();
    this.#drawMarks();
  }

  #drawMarks() {
    if (!this.width || !this.scale) return;
    const numbers = (this.nearest ?? []).map(({ position }, i) => {
      const { x, y } = this.#pixel(mercator(position));
      return shape(
        "g",
        { class: "map-near", transform: `translate(${x} ${y})` },
        shape("circle", { r: 8 }),
        shape("text", { "text-anchor": "middle", y: 3.5 }, String(i + 1)),
      );
    });
    const at = this.standing && this.#pixel(mercator(this.standing));
    this.marks.replaceChildren(
      ...numbers.reverse(),
      ...at
        ? [
          shape(
            "g",
            { class: "map-stand", transform: `translate(${at.x} ${at.y})` },
            shape("circle", { r: 7 }),
            shape("path", { d: "M-12 0h24M0 -12v24" }),
          ),
        ]
        : [],
    );
  }

  /** Draws meridians and parallels with their degrees, at least 60 pixels apart. */
  #drawGrid() {
    const { from, to } = this.view;
    const step = GRID_STEPS.find((degrees) => (degrees / 360) * this.scale >= 60) ?? 90;
    const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    const [north, south] = [
      positionAt({ x: 0.5, y: Math.max(0, from.y) }).latitude,
      positionAt({ x: 0.5, y: Math.min(1, to.y) }).latitude,
    ];
    const [west, east] = [Math.max(-180, from.x * 360 - 180), Math.min(180, to.x * 360 - 180)];
    const top = Math.max(0, this.#pixel({ x: 0, y: 0 }).y);
    const bottom = Math.min(this.height, this.#pixel({ x: 0, y: 1 }).y);
    const [left, right] = [
      Math.max(0, this.#pixel({ x: 0, y: 0 }).x),
      Math.min(this.width, this.#pixel({ x: 1, y: 0 }).x),
    ];
    const parts = [];
    for (const longitude of multiples(west, east, step)) {
      const { x } = this.#pixel(mercator({ latitude: 0, longitude }));
      parts.push(
        shape("path", { d: `M${x} ${top}V${bottom}` }),
        shape("text", { x: x + 3, y: bottom - 4 }, degreeWords(longitude, "EW", decimals)),
      );
    }
    for (const latitude of multiples(south, north, step)) {
      const { y } = this.#pixel(mercator({ latitude, longitude: 0 }));
      parts.push(
        shape("path", { d: `M${left} ${y}H${right}` }),
        shape("text", { x: left + 3, y: y - 3 }, degreeWords(latitude, "NS", decimals)),
      );
    }
    this.grid.replaceChildren(...parts);
  }
}

/** The multiples of a step from one number to another, at most 200. */
function multiples(from, to, step) {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.min(200, Math.floor(to / step) - first + 1));
  return Array.from({ length: count }, (_, i) => (first + i) * step);
}
