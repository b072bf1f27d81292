"use strict";
// Bundles that are split by place: the directory of their tiles, and the search for the nearest entries.

/** The most tiles that are loaded at the same time. */
const TILES_AT_ONCE = 6;

/**
 * The last known tile of an entry, by bundle and id, so that a build does not need a new search.
 * @type {Map<string, string>}
 */
const tileHints = new Map();

/** The tiles of a bundle for one reader. */
class TileDirectory {
  /**
   * `object` is the decoded directory; `load` returns the bundle of a tile's row for the reader.
   * @param {string} name
   * @param {Dictionary} object
   * @param {Partial<Context>} context
   * @param {(row: Row) => Promise<Dictionary>} load
   */
  constructor(name, object, context, load) {
    this.name = name;
    this.loadRow = load;
    /** @type {string} */
    this.place = object.get("place");
    /** @type {Map<string, Promise<Dictionary>>} */
    this.bundles = new Map();
    /** @type {Map<string, TileEntry[]>} */
    this.entries = new Map();
    /** @type {Record<string, Row>} */
    const rows = plain(object.get("tiles")) ?? {};
    /** @type {Tile[]} */
    this.all = Object.keys(rows).sort().map((quadkey) => {
      const row = variant(rows[quadkey], context);
      return {
        quadkey,
        name: `t${quadkey}`,
        row,
        count: Number(row.count) || 0,
        box: /** @type {Box} */ ((row.box ?? []).map(Number)),
      };
    }).filter(({ quadkey, box }) => /^[0-3]{0,16}$/.test(quadkey) && box.length === 4 && box.every(Number.isFinite));
    this.byKey = new Map(this.all.map((tile) => [tile.quadkey, tile]));
    this.count = this.all.reduce((sum, { count }) => sum + count, 0);
    this.largest = this.all.reduce((most, { count }) => Math.max(most, count), 0);
  }

  /** @param {string|undefined} quadkey */
  tile(quadkey) {
    return quadkey === undefined ? undefined : this.byKey.get(quadkey);
  }

  /** @param {Tile} tile */
  isLoaded(tile) {
    return this.entries.has(tile.quadkey);
  }

  /**
   * The entries of a loaded tile.
   * @param {Tile} tile
   */
  #entriesOf(tile) {
    return this.entries.get(tile.quadkey) ?? [];
  }

  /**
   * Returns the bundle of a tile.
   * @param {Tile} tile
   */
  load(tile) {
    const known = this.bundles.get(tile.quadkey);
    if (known) return known;
    const loading = this.loadRow(tile.row).then((bundle) => this.#note(tile, bundle));
    this.bundles.set(tile.quadkey, loading);
    loading.catch(() => this.bundles.delete(tile.quadkey));
    return loading;
  }

  /**
   * Remembers the positions of a tile's entries.
   * @param {Tile} tile
   * @param {Dictionary} bundle
   */
  #note(tile, bundle) {
    const entries = bundle.get("entries");
    const points = bundle.get("order").map((/** @type {string} */ id) => {
      const place = plain(entries.get(id).get("content")?.get?.(this.place));
      return {
        id,
        position: positionIn(place),
        from: entries.get(id).get("from"),
        until: entries.get(id).get("until"),
      };
    });
    this.entries.set(tile.quadkey, points);
    if (tileHints.size > 50000) tileHints.clear();
    for (const { id } of points) tileHints.set(`${this.name} ${id}`, tile.quadkey);
    return bundle;
  }

  /**
   * Loads tiles in small groups, in order, until `isEnough` returns true.
   * @param {Tile[]} tiles
   * @param {() => boolean} isEnough
   */
  async loadAll(tiles = this.all, isEnough = () => false) {
    for (let at = 0; at < tiles.length && !isEnough(); at += TILES_AT_ONCE) {
      await Promise.all(tiles.slice(at, at + TILES_AT_ONCE).map((tile) => this.load(tile)));
    }
  }

  /** All entries with their positions, in the order of tiles. */
  async order() {
    await this.loadAll();
    return this.all.flatMap((tile) => this.#entriesOf(tile).map(({ id }) => id));
  }

  /**
   * The entry with an id, and its tile; undefined if no tile has it. Loads tiles until one has it.
   * @param {string} id
   */
  async find(id) {
    const hint = this.tile(tileHints.get(`${this.name} ${id}`));
    if (hint) await this.load(hint);
    const holder = () => this.all.find(({ quadkey }) => this.entries.get(quadkey)?.some((entry) => entry.id === id));
    await this.loadAll(this.all.filter((tile) => !this.isLoaded(tile)), () => holder() !== undefined);
    const tile = holder();
    return tile && { tile, record: (await this.load(tile)).get("entries").get(id) };
  }

  /**
   * The entries nearest to a position that a reader sees at an instant: `{entries: [{id, tile, distance}], read}`, where
   * `read` is the number of tiles that a reader without a cache loads.
   * @param {Position} position
   * @param {number} limit
   * @param {number} instant
   */
  async nearest(position, limit, instant) {
    const search = new NearestSearch(this.all, position, limit);
    for (let tiles = search.next(4); tiles.length; tiles = search.next(4)) {
      await Promise.all(tiles.map((tile) => this.load(tile)));
      for (const tile of tiles) {
        search.add(
          tile,
          this.#entriesOf(tile).filter((entry) => !hiddenAt(entry, instant)),
        );
      }
    }
    return { entries: search.results, read: search.loadedCount };
  }
}

/**
 * The exact search of NearestSearch.swift: tiles are loaded in the order of the least distance that an entry in them can
 * have, until the results are nearer than all entries of the other tiles.
 */
class NearestSearch {
  /**
   * @param {Tile[]} tiles
   * @param {Position} origin
   * @param {number} limit
   */
  constructor(tiles, origin, limit) {
    this.origin = origin;
    this.limit = limit;
    /** @type {NearEntry[]} */
    this.results = [];
    this.loadedCount = 0;
    this.tiles = tiles.map((tile) => ({ tile, bound: distanceToBox(origin, tile.box), isLoaded: false }))
      .sort((a, b) => a.bound - b.bound || (a.tile.quadkey < b.tile.quadkey ? -1 : 1));
    this.byTile = new Map(this.tiles.map((one) => [one.tile, one]));
  }

  /**
   * The tiles to load now, nearest first; empty if the results are complete.
   * @param {number} most
   */
  next(most) {
    const found = [];
    let expected = 0;
    for (const { tile, bound, isLoaded } of this.tiles) {
      if (isLoaded) continue;
      // An entry at exactly the bound is not enough: one of the tile can have a lesser id.
      const nearer = this.results.filter(({ distance }) => distance < bound).length;
      if (found.length === most || nearer + expected >= this.limit) break;
      found.push(tile);
      expected += tile.count;
    }
    return found;
  }

  /**
   * Adds all entries of a tile.
   * @param {Tile} tile
   * @param {TileEntry[]} entries
   */
  add(tile, entries) {
    const known = this.byTile.get(tile);
    if (known) known.isLoaded = true;
    this.loadedCount += 1;
    const added = entries.flatMap(({ id, position }) =>
      position ? [{ id, tile, position, distance: distanceBetween(this.origin, position) }] : []
    );
    this.results = [...this.results, ...added].sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1)).slice(
      0,
      this.limit,
    );
  }
}
