"use strict";
// A bundle that is split by place: its tiles on a map, the entries nearest to a place to stand on, and remarkable tiles.

const NEAREST = 10;
/** The most tiles that one press of a button loads. */
const MOST_SHOWN_TILES = 60;

/** The map of a bundle in a frame. It keeps its position while the frame shows other places. */
class BundleMap {
  static count = 0;

  /**
   * @param {Frame} frame
   * @param {string} name
   */
  constructor(frame, name) {
    this.frame = frame;
    this.name = name;
    this.summary = make("p", { class: "own aside map-summary", lang: "en", dir: "ltr" });
    this.map = new MapView({ label: `Map of ${name}`, stand: (position) => this.#stand(positionText(position)) });
    this.field = make("input", {
      type: "text",
      id: `stand-${name}-${++BundleMap.count}`,
      class: "field map-field",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "48.8566, 2.3522",
      dir: "ltr",
      "data-key": `${name} stand`,
      on: { input: () => this.#type() },
    });
    this.clear = frameButton("Clear", () => this.#stand(""));
    this.wrong = make("p", { class: "map-wrong", role: "alert", lang: "en", dir: "ltr" });
    const form = make(
      "form",
      {
        class: "map-form",
        lang: "en",
        dir: "ltr",
        on: {
          submit: (event) => {
            event.preventDefault();
            this.#standTyped();
          },
        },
      },
      make("label", { class: "own-label", for: this.field.id, text: "Place to stand on: latitude, longitude" }),
      this.field,
      make("button", { type: "submit", class: "own-button", "data-key": `${name} stand here`, text: "Stand here" }),
      this.clear,
    );
    this.zoom = frameButton(
      "Zoom to the nearest",
      () => this.map.fitPositions([this.standing, ...this.found.entries.map(({ position }) => position)]),
    );
    this.result = make("p", { class: "own aside map-result", role: "status", lang: "en", dir: "ltr" });
    this.nearest = make("ol", { class: "nearest" });
    this.lists = make("div", { class: "tile-lists", lang: "en", dir: "ltr" });
    this.dots = make("button", {
      type: "button",
      class: "own-button",
      "data-key": `${name} dots`,
      on: { click: () => this.#loadVisible() },
    });
    this.element = make(
      "div",
      { class: "bundle-map", dir: "ltr" },
      this.summary,
      this.map.element,
      make("div", { class: "map-more", lang: "en", dir: "ltr" }, this.dots, this.zoom),
      form,
      this.wrong,
      this.result,
      this.nearest,
      this.lists,
    );
  }

  #type() {
    this.isTyped = true;
    this.#judge("");
  }

  #stand(text) {
    this.isTyped = false;
    this.#judge("");
    // The search ends later, and must not replace a text that is selected by then.
    this.#showPlace(text);
    return this.frame.stand(text);
  }

  #showPlace(text) {
    this.field.value = text.replace(",", ", ");
  }

  #standTyped() {
    const position = typedPosition(this.field.value);
    if (!position) return this.#judge("Type a latitude and a longitude in degrees, such as 48.8566, 2.3522");
    this.map.reveal(position);
    return this.#stand(positionText(position));
  }

  #judge(text) {
    this.wrong.textContent = text;
    if (text) this.field.setAttribute("aria-invalid", "true");
    else this.field.removeAttribute("aria-invalid");
  }

  /** Loads what the map shows; the returned function draws it. */
  async prepare() {
    const { frame, name } = this;
    const directory = await frame.catalogue.tiles(name);
    const standing = frame.standing;
    const found = standing && await directory.nearest(standing, NEAREST, frame.instant);
    const records = found ? await Promise.all(found.entries.map(({ id, tile }) => recordIn(directory, tile, id))) : [];
    use(frame, records, found?.entries.map(({ id }) => id) ?? []);
    return () => this.#draw({ directory, standing, found, records, rules: frame.tileRules?.[name] });
  }

  #draw({ directory, standing, found, records, rules }) {
    this.directory = directory;
    this.standing = standing;
    this.found = found;
    const { all, count, largest } = directory;
    const full = rules ? all.filter((tile) => tile.count > rules.max) : [];
    const empty = all.filter((tile) => tile.count === 0);
    const kindOf = (tile) => (full.includes(tile) ? "full" : tile.count === 0 ? "empty-tile" : undefined);
    this.summary.textContent = `${counted(all.length, "tile")}, ${counted(count, "entry", "entries")}${
      all.length ? `, at most ${largest} in a tile` : ""
    }`;
    this.map.showTiles(
      all.map((tile) => ({
        ...tile,
        kind: kindOf(tile),
        words: `${tile.name}: ${counted(tile.count, "entry", "entries")}`,
      })),
      largest,
    );
    this.#drawDots();
    this.map.showMarks(standing, found?.entries ?? []);
    // Neither a build nor the result of an earlier search changes a text that is being typed.
    if (!this.isTyped) this.#showPlace(standing ? positionText(standing) : "");
    this.clear.hidden = !standing;
    this.zoom.hidden = !found?.entries.length;
    this.#drawNearest(standing, found, records);
    this.lists.replaceChildren(...this.#full(full, rules), ...this.#empty(empty), this.#allTiles(all));
  }

  #drawNearest(standing, found, records) {
    const { directory, frame } = this;
    this.result.textContent = !standing
      ? "Click the map, or type coordinates, to find the nearest entries."
      : `The nearest ${found.entries.length} of ${counted(directory.count, "entry", "entries")} to ${
        positionWords(standing)
      }. A reader loads ${found.read} of ${counted(directory.all.length, "tile")} to find them.`;
    this.nearest.replaceChildren(
      ...records.map((record, i) =>
        make(
          "li",
          { class: "near" },
          make("span", {
            class: "own near-distance",
            lang: "en",
            dir: "ltr",
            text: `${i + 1} · ${distanceWords(found.entries[i].distance)}`,
          }),
          card(frame, record),
        )
      ),
    );
    this.nearest.hidden = !records.length;
    this.nearest.dir = frame.body.dir;
  }

  /** Shows the entries of loaded tiles, and offers to load the others in view. */
  #drawDots() {
    const loaded = this.directory.all.filter((tile) => this.directory.isLoaded(tile));
    this.map.showDots(
      loaded.flatMap(({ quadkey }) =>
        this.directory.entries.get(quadkey).map(({ position }) => position).filter(Boolean)
      ),
    );
    this.dots.textContent = loaded.length < this.directory.all.length
      ? `Load the tiles in view (${loaded.length} of ${this.directory.all.length} loaded)`
      : "All tiles are loaded";
    this.dots.disabled = loaded.length === this.directory.all.length;
  }

  async #loadVisible() {
    const { directory } = this;
    const tiles = this.map.visible.map(({ quadkey }) => directory.tile(quadkey)).filter((tile) =>
      tile && !directory.isLoaded(tile)
    );
    try {
      await directory.loadAll(tiles.slice(0, MOST_SHOWN_TILES));
    } catch (error) {
      this.frame.tell(error.message);
    }
    if (directory === this.directory) this.#drawDots();
    if (tiles.length > MOST_SHOWN_TILES) {
      this.frame.tell(`${tiles.length - MOST_SHOWN_TILES} tiles in view are not loaded. Zoom in, or press again.`);
    } else this.frame.tell(`${counted(tiles.length, "tile")} loaded`);
  }

  #full(tiles, rules) {
    if (!tiles.length) return [];
    const deepest = tiles.every(({ quadkey }) => quadkey.length === 16);
    const why = deepest
      ? "a tile is divided at most 16 times"
      : `a part would be smaller than ${distanceWords(rules.minimumTile)} (minimumTile)`;
    return [
      this.#list(
        "Too full",
        `${counted(tiles.length, "tile has", "tiles have")} more than ${rules.max} entries (max). ${
          tiles.length === 1 ? "It is" : "They are"
        } not divided, since ${why}.`,
        tiles,
      ),
    ];
  }

  #empty(tiles) {
    if (!tiles.length) return [];
    return [
      this.#list(
        "Empty for this reader",
        `${
          counted(tiles.length, "tile has", "tiles have")
        } no entries for this country and app version. Other readers get some.`,
        tiles,
      ),
    ];
  }

  #list(title, text, tiles) {
    return make(
      "section",
      { class: "tile-list remarkable" },
      make("h4", { class: "own section", text: title }),
      make("p", { class: "tile-note", text }),
      this.#links(tiles),
    );
  }

  #allTiles(tiles) {
    const sorted = [...tiles].sort((a, b) => b.count - a.count);
    return make(
      "details",
      { class: "tile-list" },
      make("summary", { class: "own", "data-key": `${this.name} all tiles`, text: "All tiles, the fullest first" }),
      this.#links(sorted),
    );
  }

  #links(tiles) {
    const rest = tiles.length - 200;
    return make(
      "ul",
      { class: "tile-links" },
      ...tiles.slice(0, 200).map((tile) =>
        make(
          "li",
          {},
          make("button", {
            type: "button",
            class: "own-button",
            "data-key": `${this.name} ${tile.name}`,
            on: { click: () => this.frame.go(`@${this.name}/${tile.name}`) },
          }, `${tile.name} (${tile.count})`),
        )
      ),
      rest > 0 && make("li", { class: "own", text: `and ${counted(rest, "more tile")}` }),
    );
  }
}

/** An entry of a tile, as `Catalogue.entry` returns it. */
async function recordIn(directory, tile, id) {
  return { id, bundle: directory.name, tile: tile.name, ...plain((await directory.load(tile)).get("entries").get(id)) };
}

/** The map of a bundle: its node, and a function that draws it. */
async function drawMap(frame, name) {
  if (!frame.maps.has(name)) frame.maps.set(name, new BundleMap(frame, name));
  const map = frame.maps.get(name);
  return { nodes: [map.element], apply: await map.prepare() };
}

/** The entries of one tile. */
async function drawTile(frame, { bundle, directory, tile }) {
  const ids = (await directory.load(tile)).get("order");
  const [south, west, north, east] = tile.box;
  const facts = `${counted(tile.count, "entry", "entries")} from ${
    positionWords({ latitude: south, longitude: west }, 2)
  } to ${positionWords({ latitude: north, longitude: east }, 2)}`;
  return [
    make("p", { class: "own aside", lang: "en", dir: "ltr", text: facts }),
    frameButton("Show the map", () => frame.go(`@${bundle}`)),
    await cardsOf(frame, ids, `@${bundle}/${tile.name}`, (id) => recordIn(directory, tile, id)),
  ];
}
