import assert from "node:assert/strict";
import { test } from "node:test";
import { load, seeded, vectors } from "./page.mjs";

const {
  degreeWords,
  distanceBetween,
  distanceToBox,
  distanceWords,
  mercator,
  NearestSearch,
  positionAt,
  positionIn,
  positionText,
  positionWords,
  TileDirectory,
  typedPosition,
  PlainDictionary,
} = load(["Reader"], [
  "degreeWords",
  "distanceBetween",
  "distanceToBox",
  "distanceWords",
  "mercator",
  "NearestSearch",
  "positionAt",
  "positionIn",
  "positionText",
  "positionWords",
  "TileDirectory",
  "typedPosition",
  "PlainDictionary",
]);

const position = ([latitude, longitude]) => ({ latitude, longitude });

test("distances are those of the compiler", () => {
  for (const { from, to, metres } of vectors.distances) {
    // Below a millimetre at the antipode, and far less for near positions.
    const tolerance = Math.max(1e-9 * metres, 1e-9);
    const [there, back] = [
      distanceBetween(position(from), position(to)),
      distanceBetween(position(to), position(from)),
    ];
    assert.ok(Math.abs(there - metres) <= tolerance, `${from} to ${to}: ${there}`);
    assert.equal(there, back, `${from} to ${to}`);
  }
});

test("the distance to a box is a lower bound by less than two micrometres", () => {
  for (const { position: from, box, metres } of vectors.boxes) {
    const bound = distanceToBox(position(from), box);
    assert.ok(bound <= metres + 1e-8 && metres - bound < 2e-6, `${from} to ${box}: ${bound}`);
  }
});

test("no position in a box is nearer than the distance to the box", () => {
  const random = seeded(11);
  for (let turn = 0; turn < 2000; turn++) {
    const [south, west] = [random() * 170 - 90, random() * 350 - 180];
    const box = [south, west, south + random() * (90 - south), west + random() * (180 - west)];
    const from = position([random() * 180 - 90, random() * 360 - 180]);
    const inside = position([south + random() * (box[2] - south), west + random() * (box[3] - west)]);
    assert.ok(distanceToBox(from, box) <= distanceBetween(from, inside), `${JSON.stringify(from)} to ${box}`);
  }
});

test("the map's points lead back to their positions", () => {
  for (const [latitude, longitude] of [[0, 0], [52.52, 13.405], [-33.87, 151.21], [85, -180], [-85, 180]]) {
    const { x, y } = mercator({ latitude, longitude });
    const back = positionAt({ x, y });
    assert.ok(Math.abs(back.latitude - latitude) < 1e-9 && Math.abs(back.longitude - longitude) < 1e-9);
  }
  assert.deepEqual([mercator(position([90, 0])).y, mercator(position([-90, 0])).y], [0, 1]);
});

test("a position in the output has two numbers, or their texts", () => {
  assert.deepEqual(positionIn({ latitude: 1.5, longitude: -2 }), position([1.5, -2]));
  assert.deepEqual(positionIn({ latitude: "48.8566", longitude: "2.3522" }), position([48.8566, 2.3522]));
  for (
    const other of [undefined, null, "48, 2", {}, { latitude: 91, longitude: 0 }, { latitude: 0, longitude: -181 }]
  ) {
    assert.equal(positionIn(other), undefined);
  }
});

for (
  const [text, expected] of [
    ["48.8566, 2.3522", [48.8566, 2.3522]],
    ["48.8566 2.3522", [48.8566, 2.3522]],
    ["-33.87;151.21", [-33.87, 151.21]],
    ["−33.87, 151.21", [-33.87, 151.21]],
    ["33.87° S 151.21° E", [-33.87, 151.21]],
    ["33.87S151.21E", [-33.87, 151.21]],
    ["10 n, 20 w", [10, -20]],
    [" 0,0 ", [0, 0]],
    ["90, 180", [90, 180]],
    ["91, 0", undefined],
    ["0, 181", undefined],
    ["48.8566", undefined],
    ["Paris", undefined],
    ["", undefined],
    ["1,2,3", undefined],
  ]
) {
  test(`the typed text ${JSON.stringify(text)} is ${expected ?? "no position"}`, () => {
    assert.deepEqual(typedPosition(text), expected && position(expected));
  });
}

test("an address has positions with at most six decimals", () => {
  assert.equal(positionText(position([48.85660049, 2.3522])), "48.8566,2.3522");
  assert.equal(positionText(position([-0.0000001, -0])), "0,0");
  for (const text of ["48.8566,2.3522", "-33.87,151.21", "0,0"]) assert.equal(positionText(typedPosition(text)), text);
});

test("distances and positions have words", () => {
  assert.deepEqual([0, 999.4, 999.6, 2345, 99949, 99951, 1234567].map(distanceWords), [
    "0 m",
    "999 m",
    "1 km",
    "2.3 km",
    "99.9 km",
    "100 km",
    "1,235 km",
  ]);
  assert.equal(positionWords(position([48.8566, 2.3522])), "48.8566° N, 2.3522° E");
  assert.equal(positionWords(position([-33.87, -151.21]), 1), "33.9° S, 151.2° W");
  assert.equal(degreeWords(0, "NS"), "0°");
  assert.equal(degreeWords(-180, "EW"), "180°");
});

const shops = Object.entries(vectors.tiles).map(([quadkey, { box, entries }]) => ({
  quadkey,
  box,
  count: Object.keys(entries).length,
  entries: Object.entries(entries).map(([id, place]) => ({ id, position: position(place) })),
}));

test("a search finds the entries that the compiler's search finds, and loads as many tiles", () => {
  for (const { origin, limit, ids, loaded } of vectors.searches) {
    const search = new NearestSearch(shops, position(origin), limit);
    for (let tiles = search.next(4); tiles.length; tiles = search.next(4)) {
      for (const tile of tiles) search.add(tile, tile.entries);
    }
    assert.deepEqual(search.results.map(({ id }) => id), ids, `${origin}`);
    assert.equal(search.loadedCount, loaded, `${origin}`);
  }
});

test("a search loads each tile that can have an entry with the same distance and a lesser id", () => {
  const here = position([10, 0]);
  const [west, east] = [[0, -90, 40, 0], [0, 0, 40, 90]].map((box, i) => ({ quadkey: `${i}`, box, count: 1 }));
  const search = new NearestSearch([west, east], here, 1);
  search.add(west, [{ id: "shop/b", position: here }]);
  assert.deepEqual(search.next(4), [east]);
  search.add(east, [{ id: "shop/a", position: here }]);
  assert.deepEqual(search.results.map(({ id }) => id), ["shop/a"]);
});

/** A directory of the shops, and the quadkeys of the tiles that it loads. `times` has the `from` and `until` of ids. */
function directory(times = {}, failing = new Set()) {
  const loads = [];
  const rows = Object.fromEntries(shops.map(({ quadkey, box, count }) => [quadkey, { box, count }]));
  const bundle = ({ box }) => {
    const { quadkey, entries } = shops.find((one) => one.box === box);
    loads.push(quadkey);
    if (failing.has(quadkey)) return Promise.reject(new Error("offline"));
    const records = entries.map(({ id, position }) => [id, { content: { where: position }, ...times[id] }]);
    return Promise.resolve(
      new PlainDictionary({ order: records.map(([id]) => id), entries: Object.fromEntries(records) }),
    );
  };
  const tiles = new TileDirectory("shops", new PlainDictionary({ place: "where", tiles: rows }), {}, bundle);
  return { tiles, loads };
}

test("a directory loads each tile once", async () => {
  const { tiles, loads } = directory();
  assert.equal(tiles.count, shops.reduce((sum, { count }) => sum + count, 0));
  const { origin, limit, ids } = vectors.searches[2];
  for (let turn = 0; turn < 2; turn++) {
    const found = await tiles.nearest(position(origin), limit, 0);
    assert.deepEqual(found.entries.map(({ id }) => id), ids);
  }
  assert.equal(new Set(loads).size, loads.length);
  assert.equal((await tiles.order()).length, tiles.count);
  assert.equal(loads.length, shops.length);
});

test("a directory omits entries that are hidden at the instant", async () => {
  const { origin, ids } = vectors.searches[0];
  const { tiles } = directory({ [ids[0]]: { until: new Date(1000) } });
  assert.equal((await tiles.nearest(position(origin), 1, 999)).entries[0].id, ids[0]);
  assert.notEqual((await tiles.nearest(position(origin), 1, 1000)).entries[0].id, ids[0]);
});

test("a directory finds an entry by its id, and first where it was last", async () => {
  const [{ id }] = shops.at(-1).entries;
  const found = await directory().tiles.find(id);
  assert.equal(found.tile.quadkey, shops.at(-1).quadkey);
  const { tiles, loads } = directory();
  assert.equal((await tiles.find(id)).tile.quadkey, shops.at(-1).quadkey);
  assert.deepEqual(loads, [shops.at(-1).quadkey]);
  assert.equal(await tiles.find("shop/none"), undefined);
});

test("a directory loads a tile again after a failure", async () => {
  const failing = new Set(["0"]);
  const { tiles, loads } = directory({}, failing);
  await assert.rejects(tiles.load(tiles.tile("0")), /offline/);
  failing.clear();
  await tiles.load(tiles.tile("0"));
  assert.deepEqual(loads, ["0", "0"]);
});

test("a directory ignores rows that no compiler writes", () => {
  const rows = {
    "4": { box: [0, 0, 1, 1] },
    "1": { box: [0, 0, 1] },
    "2": {},
    "3": { box: ["0", "0", "1", "1"], count: "7" },
  };
  const tiles = new TileDirectory("shops", new PlainDictionary({ tiles: rows }), {}, () => undefined);
  assert.deepEqual(tiles.all.map(({ quadkey, count }) => [quadkey, count]), [["3", 7]]);
});
