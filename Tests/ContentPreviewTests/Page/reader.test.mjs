import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { bytesOf, load, serve, vectors } from "./page.mjs";

const {
  BinaryPropertyList,
  compareVersions,
  contentAt,
  hashText,
  hiddenAt,
  matchedLocale,
  MissingObject,
  nextSide,
  ObjectStore,
  objects,
  percentBelow,
  plain,
  readPropertyList,
  Release,
  rolloutOf,
  sortedVersions,
  variant,
} = load(["Reader"], [
  "BinaryPropertyList",
  "compareVersions",
  "contentAt",
  "hashText",
  "hiddenAt",
  "matchedLocale",
  "MissingObject",
  "nextSide",
  "ObjectStore",
  "objects",
  "percentBelow",
  "plain",
  "readPropertyList",
  "Release",
  "rolloutOf",
  "sortedVersions",
  "variant",
]);

const utf8 = (text) => new TextEncoder().encode(text);
const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex");
/** A value without the prototypes of the reader's dictionaries, which have none. */
const copy = (value) => JSON.parse(JSON.stringify(value));

// Property lists.

for (const { format, bytes, value } of vectors.propertyLists) {
  test(`a property list in the format ${format} has the value that the compiler's reader finds`, () => {
    const read = readPropertyList(bytesOf(bytes), format === "json");
    assert.deepEqual(copy(plain(read)), value);
    assert.deepEqual(read.keys().sort(), Object.keys(value).sort());
    // More keys than a dictionary searches before it has an index.
    for (let turn = 0; turn < 6; turn++) {
      for (const key of Object.keys(value)) assert.deepEqual(copy(plain(read.get(key))), value[key], key);
      assert.equal(read.get("none of them"), undefined);
      assert.equal(read.get("toString"), undefined);
    }
  });
}

const [{ bytes: binary }] = vectors.propertyLists;

test("a truncated binary property list is an error, and never ends the page", () => {
  const whole = bytesOf(binary);
  for (let length = 0; length < whole.length; length++) {
    assert.throws(() => plain(BinaryPropertyList.read(whole.slice(0, length))), Error, `${length} bytes`);
  }
});

test("each damaged byte of a binary property list gives a value or an error in finite time", () => {
  const whole = bytesOf(binary);
  for (let at = 0; at < whole.length; at++) {
    const damaged = whole.slice();
    damaged[at] ^= 0xff;
    try {
      plain(BinaryPropertyList.read(damaged));
    } catch (error) {
      assert.ok(error instanceof Error);
    }
  }
});

test("a binary property list that contains itself is an error", () => {
  // An array with one item: itself.
  const bytes = Uint8Array.from([...utf8("bplist00"), 0xa1, 0, 8, ...new Array(32).fill(0)]);
  bytes.set([1, 1], 11 + 6);
  bytes.set([1], 11 + 15);
  bytes.set([10], 11 + 31);
  assert.throws(() => BinaryPropertyList.read(bytes), /nested too deep/);
});

for (
  const [text, error] of [
    ["{ a = b }", /cannot be read/],
    ["{ a = b; } c", /text after the end/],
    ["(".repeat(200) + ")".repeat(200), /nested too deep/],
    ['{ a = "b; }', /cannot be read/],
  ]
) {
  test(`the OpenStep text ${text.slice(0, 20)} is an error`, () => {
    assert.throws(() => readPropertyList(utf8(text), false), error);
  });
}

test("OpenStep data is bytes", () => {
  assert.deepEqual(readPropertyList(utf8("<00ff 10>"), false), Uint8Array.of(0, 255, 16));
});

test("text that is not UTF-8 is an error", () => {
  assert.throws(() => readPropertyList(Uint8Array.of(0x7b, 0xff, 0x7d), true), TypeError);
});

// Conditions, versions and locales.

test("versions compare as in the compiler", () => {
  const { ascending, equal } = vectors.versions;
  ascending.forEach((one, i) =>
    ascending.forEach((other, j) => {
      assert.equal(Math.sign(compareVersions(one, other)), Math.sign(i - j), `${one} and ${other}`);
    })
  );
  for (const [one, other] of equal) assert.equal(compareVersions(one, other), 0, `${one} and ${other}`);
});

test("sorted versions ascend, and leave out text that is no version", () => {
  const versions = ["10", "next", "2.1", "", "9.5", "2.1", "1.x", "1"];
  assert.deepEqual(sortedVersions(versions), ["1", "2.1", "9.5", "10"]);
  assert.deepEqual(sortedVersions(["3.0", "3"]), ["3.0", "3"]);
});

test("readers get the variants that an app gets", () => {
  for (const { row, readers } of vectors.conditions) {
    for (const { object, ...context } of readers) {
      assert.equal(variant(row, context).object, object, JSON.stringify(context));
    }
  }
});

for (const { config, percent, next } of vectors.rollouts) {
  test(`a next side ${JSON.stringify(config.next).slice(0, 80)} is that of an app`, () => {
    const rollout = rolloutOf(config);
    assert.equal(rollout && `${percentBelow(rollout.below)} %`, percent);
    assert.deepEqual(rollout && nextSide(config), next);
  });
}

test("a release has the content of the next side only in a rollout", async () => {
  const [{ config, next }] = vectors.rollouts;
  serve({ "/live/config.json": JSON.stringify(config), "/plain/config.json": JSON.stringify(next) });
  const release = await Release.load("", "live", "json");
  assert.deepEqual([release.isNext, release.nextSide().isNext, release.rollout.name], [false, true, "r7"]);
  assert.deepEqual([release.config, release.nextSide().config], [config, next]);
  assert.equal(release.nextSide().device("watch"), "any");
  const other = await Release.load("", "plain", "json");
  assert.equal(other.nextSide(), other);
});

test("a variant keeps the members of its row", () => {
  const row = { object: "a", format: "json", variants: [{ country: "DE", object: "b" }] };
  assert.deepEqual([variant(row, { country: "DE" }).format, variant(row, { country: "DE" }).object], ["json", "b"]);
});

test("a requested locale is matched, declared, shortened, or the source locale", () => {
  const declared = (tag) => ["en", "de", "pt-BR", "zh-Hant"].includes(tag);
  const config = { matches: { "pt": "pt-BR", "zh-TW": "zh-Hant", "de-CH": "en" }, sourceLocale: "en" };
  const found = (tag) => matchedLocale(tag, config, declared);
  assert.deepEqual(["de", "de-AT", "de-CH", "pt-PT", "zh-TW", "zh-TW-x", "zh", "fr", "", "toString"].map(found), [
    "de",
    "de",
    "en",
    "pt-BR",
    "zh-Hant",
    "zh-Hant",
    "en",
    "en",
    "en",
    "en",
  ]);
});

test("a hash is data, or 64 hexadecimal digits", () => {
  const digits = "0123456789abcdef".repeat(4);
  assert.equal(hashText(digits.toUpperCase()), digits);
  assert.equal(hashText(Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16))), digits);
  for (const other of [undefined, null, "", "abc", `${digits}0`, "../../etc"]) assert.throws(() => hashText(other));
});

// Times.

test("content omits the items that do not apply at the instant, and tells their limits", () => {
  const content = {
    title: "Shop",
    list: [
      { text: "always" },
      { text: "later", when: { from: "2026-01-02T00:00:00Z" } },
      { text: "ended", when: { until: new Date(Date.UTC(2026, 0, 1)) } },
      { text: "now", when: { from: "2026-01-01T00:00:00Z", until: "2026-01-03T00:00:00Z" } },
    ],
  };
  const told = [];
  const shown = contentAt(content, Date.UTC(2026, 0, 1), (...limits) => told.push(limits));
  assert.deepEqual(shown, { title: "Shop", list: [{ text: "always" }, { text: "now" }] });
  assert.deepEqual(told, [
    [Date.UTC(2026, 0, 2), undefined, true],
    [undefined, Date.UTC(2026, 0, 1), true],
    [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 3), false],
  ]);
});

test("an entry is hidden before it appears, and from its end", () => {
  const record = { from: "2026-01-01T00:00:00Z", until: new Date(Date.UTC(2026, 0, 2)) };
  const at = (day, milliseconds = 0) => hiddenAt(record, Date.UTC(2026, 0, day) + milliseconds);
  assert.deepEqual([at(1, -1), at(1), at(2, -1), at(2)], ["appears", undefined, undefined, "ended"]);
  assert.equal(hiddenAt({}, 0), undefined);
});

// Objects and releases.

/** Answers of a server for objects in JSON, and their hashes by name. */
function site(values, base = "") {
  const answers = {};
  const hashes = {};
  for (const [name, value] of Object.entries(values)) {
    const bytes = utf8(JSON.stringify(typeof value === "function" ? value(hashes) : value));
    hashes[name] = hashOf(bytes);
    answers[`${base}/objects/${hashes[name].slice(0, 2)}/${hashes[name]}.json`] = bytes;
  }
  return { answers, hashes };
}

test("a store asks for each object once", async () => {
  const { answers, hashes } = site({ object: { name: "rose" } });
  const requests = serve(answers);
  const store = new ObjectStore();
  const found = await Promise.all([1, 2].map(() => store.load("", hashes.object, true)));
  assert.deepEqual(found.map((one) => one.get("name")), ["rose", "rose"]);
  assert.equal(requests.length, 1);
});

test("a store refuses bytes that do not match their hash, and asks again", async () => {
  const { answers, hashes } = site({ object: { name: "rose" } });
  const [[path, whole]] = Object.entries(answers);
  serve({ [path]: [utf8('{"name": "weed"}'), whole] });
  const store = new ObjectStore();
  await assert.rejects(store.load("", hashes.object, true), /does not match its hash/);
  assert.equal((await store.load("", hashes.object, true)).get("name"), "rose");
});

for (const [status, isMissing] of [[404, true], [410, true], [403, true], [500, false]]) {
  test(`status ${status} is ${isMissing ? "a missing object" : "another error"}`, async () => {
    const hash = "ab".repeat(32);
    serve({ [`/objects/ab/${hash}.plist`]: { status } });
    const error = await new ObjectStore().load("", hash, false).catch((error) => error);
    assert.ok(error instanceof Error);
    assert.equal(error instanceof MissingObject, isMissing);
  });
}

test("a request waits as long as a busy server asks for", async (t) => {
  const { answers, hashes } = site({ object: { name: "rose" } });
  const [[path, whole]] = Object.entries(answers);
  const requests = serve({ [path]: [{ status: 503, headers: { "retry-after": "7" } }, whole] });
  const waits = [];
  const own = globalThis.setTimeout;
  globalThis.setTimeout = (go, milliseconds) => waits.push(milliseconds) && queueMicrotask(go);
  t.after(() => (globalThis.setTimeout = own));
  assert.equal((await new ObjectStore().load("", hashes.object, true)).get("name"), "rose");
  assert.deepEqual([waits, requests.length], [[7000], 2]);
});

/** A release in JSON with a common, a split and a startup bundle. */
function shop(base = "") {
  const bundle = (records) => ({ order: Object.keys(records), entries: records });
  const record = (title) => ({ content: { title } });
  const german = bundle({ "page/home": record("Startseite") });
  const made = site({
    pages: bundle({ "page/home": record("Home"), "page/help": record("Help") }),
    german,
    rose: bundle({ "flower/rose": record("Rose") }),
    tulip: bundle({ "flower/tulip": record("Tulip") }),
    flowers: ({ rose, tulip }) => ({ entries: { rose: { object: rose, size: 1 }, tulip: { object: tulip, size: 1 } } }),
    first: bundle({ "page/start": record("Start") }),
    sorry: record("Back soon"),
    index: (hashes) => ({
      bundles: {
        pages: { object: hashes.pages, count: 2, variants: [{ country: "DE", object: hashes.german, count: 1 }] },
        flowers: { list: hashes.flowers, count: 2 },
        first: { object: hashes.first, count: 1 },
      },
      startup: { first: bundle({ "page/start": record("Start") }) },
    }),
  }, base);
  const { hashes } = made;
  const config = {
    locales: { en: {}, de: {} },
    devices: { any: {}, phone: {} },
    matches: {},
    sourceLocale: "en",
    indexes: { en: { any: hashes.index, phone: hashes.index }, de: { any: hashes.index, phone: hashes.index } },
    maintenance: { payloads: { en: { phone: hashes.sorry }, de: { phone: hashes.sorry } } },
  };
  const path = `${base}/preview/config.json`;
  return {
    ...made,
    path,
    answers: { ...made.answers, [path]: { body: JSON.stringify(config), headers: { etag: '"1"' } } },
  };
}

test("a release is read in the format that answers", async () => {
  const { answers, path } = shop();
  const requests = serve(answers);
  const release = await Release.load("", "preview");
  assert.deepEqual(requests.map((request) => request.path), ["/preview/config.plist", path]);
  assert.equal(release.isJSON, true);
  serve(answers).length = 0;
  assert.equal((await Release.load("", "preview", "json")).tag, '"1"');
});

test("a release that the server refuses has the server's message", async () => {
  serve({ "/live/config.json": { status: 502, body: '{"error": "the target does not answer"}' } });
  await assert.rejects(Release.load("", "live"), /^Error: the target does not answer$/);
  serve({ "/live/config.json": { status: 500, body: "no JSON" } });
  await assert.rejects(Release.load("", "live"), /^Error: live\/config: status 500$/);
});

test("a release is outdated unless the server knows its entity tag", async () => {
  const { answers } = shop();
  serve(answers);
  const release = await Release.load("", "preview", "json");
  release.address = "/again";
  const requests = serve({ "/again": [{ status: 304 }, { status: 200 }, { status: 500 }] });
  assert.deepEqual([await release.isOutdated(), await release.isOutdated(), await release.isOutdated()], [
    false,
    true,
    true,
  ]);
  assert.equal(requests[0].options.headers["If-None-Match"], '"1"');
});

async function catalogueOf(context) {
  const { answers } = shop();
  const requests = serve(answers);
  objects.objects.clear();
  const release = await Release.load("", "preview", "json");
  return { catalogue: await release.catalogue(context), requests, answers };
}

test("a catalogue has the bundles of its reader", async () => {
  const { catalogue } = await catalogueOf({ locale: "de-AT", device: "phone", country: "DE", app: "1" });
  assert.deepEqual(catalogue.names().sort(), ["first", "flowers", "pages"]);
  assert.deepEqual([catalogue.count("pages"), await catalogue.order("pages")], [1, ["page/home"]]);
  assert.deepEqual(await catalogue.order("flowers"), ["flower/rose", "flower/tulip"]);
  assert.equal((await catalogue.maintenance()).content.title, "Back soon");
});

test("a catalogue finds an entry in any bundle", async () => {
  const { catalogue } = await catalogueOf({ locale: "en", device: "any" });
  for (
    const [id, title, bundle] of [["page/help", "Help", "pages"], ["flower/tulip", "Tulip", "flowers"], [
      "page/start",
      "Start",
      "first",
    ]]
  ) {
    const found = await catalogue.find(id);
    assert.deepEqual([found.id, found.bundle, found.content.title], [id, bundle, title]);
  }
  assert.equal(await catalogue.find("page/none"), undefined);
});

test("a startup bundle needs no request of its own", async () => {
  const { catalogue, requests } = await catalogueOf({ locale: "en", device: "any" });
  const before = requests.length;
  assert.equal((await catalogue.entry("first", "page/start")).content.title, "Start");
  assert.equal(requests.length, before);
});

test("a device that the release does not know gets the content for any device", async () => {
  const { catalogue } = await catalogueOf({ locale: "en", device: "fridge" });
  assert.equal(catalogue.release.device("fridge"), "any");
  assert.equal(catalogue.release.device("phone"), "phone");
});
