import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { load, serve } from "./page.mjs";

// What the scripts of the page's state use of a browser. The page is hidden, so it reads no events.
const listeners = new Map();
const stored = new Map();
Object.assign(globalThis, {
  location: { hash: "" },
  history: {
    steps: [],
    pushState: (_, __, address) => {
      history.steps.push(address);
      location.hash = address;
    },
    replaceState: (_, __, address) => (location.hash = address),
  },
  addEventListener: (type, listener) => listeners.set(type, listener),
  sessionStorage: { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, text) },
  BroadcastChannel: class extends EventTarget {},
  document: Object.assign(new EventTarget(), { hidden: true }),
});
Object.defineProperty(globalThis, "navigator", { value: {} });

const {
  API,
  declaredLocale,
  Drafts,
  Exported,
  instantText,
  isPseudo,
  passes,
  Places,
  progress,
  Session,
  shortPlace,
  Translations,
  View,
} = load(["dom.js", "Reader", "State"], [
  "API",
  "declaredLocale",
  "Drafts",
  "Exported",
  "instantText",
  "isPseudo",
  "passes",
  "Places",
  "progress",
  "Session",
  "shortPlace",
  "Translations",
  "View",
]);

beforeEach(() => {
  location.hash = "";
  history.steps.length = 0;
  stored.clear();
});

/** A view at an address, and the lists of fields that it says to have changed. */
function viewAt(address, settle = () => ({})) {
  location.hash = address;
  const view = new View(settle);
  const changes = [];
  view.addEventListener("change", ({ changed }) => changes.push(changed));
  return { view, changes };
}

// The view.

test("an address has the whole view", () => {
  const address =
    "#changes?locale=de-AT&device=phone&country=DE&app=1.2&at=2026-12-24T18:00:00Z&show=page/home&side=both" +
    "&channel=live&rollout=next&stand=48.8566,2.3522&find=rose+%26+tulip";
  const { view } = viewAt(address);
  assert.equal(view.address(), address);
  assert.equal(view.current.find, "rose & tulip");
  assert.deepEqual(view.context, { locale: "de-AT", device: "phone", country: "DE", app: "1.2" });
  assert.equal(view.instant, Date.UTC(2026, 11, 24, 18));
});

test("a view ignores unknown tabs, instants and positions in its address", () => {
  const { view } = viewAt("#secrets?at=tomorrow&stand=Paris&unknown=1");
  assert.equal(view.address(), "#preview");
  assert.deepEqual([view.current.at, view.current.stand], ["", ""]);
});

test("a view replaces what its session does not know", () => {
  const { view } = viewAt("#preview?locale=xx", ({ locale }) => (locale === "xx" ? { locale: "en" } : {}));
  assert.equal(view.current.locale, "en");
});

test("only a new tab or a new place is a step in the browser's history", () => {
  const { view, changes } = viewAt("#preview?locale=en");
  view.set({ locale: "de" });
  view.set({ show: "page/home" });
  view.set({ show: "page/home" });
  view.set({ tab: "sizes" });
  assert.deepEqual(history.steps, ["#preview?locale=de&show=page/home", "#sizes?locale=de&show=page/home"]);
  assert.deepEqual(changes, [["locale"], ["show"], ["tab"]]);
});

test("a view follows the address before it changes it", () => {
  const { view, changes } = viewAt("#preview?locale=en");
  location.hash = "#preview?locale=en&device=phone";
  view.set({ locale: "de" });
  assert.equal(location.hash, "#preview?locale=de&device=phone");
  assert.deepEqual(changes, [["device"], ["locale"]]);
});

test("a view follows the address when the browser goes back", () => {
  const { view, changes } = viewAt("#preview?locale=en");
  location.hash = "#sizes?locale=en";
  listeners.get("hashchange")();
  listeners.get("hashchange")();
  assert.equal(view.current.tab, "sizes");
  assert.deepEqual(changes, [["tab"]]);
});

test("the reader of a pseudo-locale is that of the source locale", () => {
  const { view } = viewAt("#preview?locale=de&pseudo=en-XA");
  view.sourceLocale = "en";
  assert.equal(view.reader.locale, "en");
  assert.equal(isPseudo("en-XA"), true);
  for (const tag of ["de", "", undefined, "toString"]) assert.equal(isPseudo(tag), false);
});

for (
  const [text, expected] of [
    ["2026-12-24T18:00:00Z", "2026-12-24T18:00:00Z"],
    ["2026-12-24T19:00:00+01:00", "2026-12-24T18:00:00Z"],
    ["2026-12-24T18:00:00.250Z", "2026-12-24T18:00:00Z"],
    ["yesterday", ""],
    ["", ""],
  ]
) {
  test(`the instant ${JSON.stringify(text)} is ${JSON.stringify(expected)} for the server`, () => {
    assert.equal(instantText(text), expected);
  });
}

// Requests.

test("a response is kept for one generation", async () => {
  const requests = serve({ "/api/sizes?locale=en": '{"bytes": 1}' });
  const api = new API();
  api.begin("1");
  const ask = () => api.ask("sizes", { locale: "en", device: "" });
  assert.deepEqual(await Promise.all([ask(), ask()]), [{ bytes: 1 }, { bytes: 1 }]);
  api.begin("1");
  await ask();
  assert.equal(requests.length, 1);
  api.begin("2");
  await ask();
  api.forget("sizes");
  await ask();
  assert.equal(requests.length, 3);
});

test("live changes are never kept, and a failure is not either", async () => {
  const requests = serve({
    "/api/changes": "{}",
    "/api/sizes": [{ status: 500, body: '{"error": "no build yet"}' }, "{}"],
  });
  const api = new API();
  await api.ask("changes");
  await api.ask("changes");
  await assert.rejects(api.ask("sizes"), /^Error: no build yet$/);
  await api.ask("sizes");
  assert.equal(requests.length, 4);
});

test("a change is sent with the token, and a refusal has the server's message", async () => {
  const requests = serve({
    "/api/translations?name=a": ['{"isRefused": false}', { status: 403, body: '{"error": "no"}' }],
  });
  const api = new API();
  const change = { parameters: { name: "a", dryRun: "" }, body: "{}", type: "application/json", token: "secret" };
  assert.deepEqual(await api.send("translations", change), { isRefused: false });
  assert.equal(requests[0].options.method, "POST");
  assert.equal(requests[0].options.headers["x-contentc-token"], "secret");
  await assert.rejects(api.send("translations", change), /^Error: no$/);
  globalThis.fetch = () => Promise.reject(new TypeError("fetch failed"));
  await assert.rejects(api.send("translations", change), /server does not answer/);
});

// The session.

const STATE = {
  sourceLocale: "en",
  locales: [{ tag: "en" }, { tag: "de" }],
  matches: { "gsw": "de" },
  devices: [{ name: "any" }, { name: "handset" }, { name: "telly", parent: "living-room-tv" }, {
    name: "kiosk",
    parent: "handset",
  }],
  comparing: ["live", "beta"],
};

async function sessionAt(address, state = STATE) {
  location.hash = address;
  serve({ "/api/state": JSON.stringify({ run: "r", generation: 1, writing: { ok: true }, ...state }) });
  const session = new Session();
  await session.begin();
  return session;
}

test("a session shows the names that readers get, and remembers what was asked for", async () => {
  const session = await sessionAt("#preview?locale=fr&device=fridge&channel=old&side=live");
  const { locale, device, channel, side } = session.view.current;
  assert.deepEqual({ locale, device, channel, side }, { locale: "en", device: "any", channel: "", side: "live" });
  assert.deepEqual(Object.fromEntries(session.replaced), {
    locale: { asked: "fr", shown: "en" },
    device: { asked: "fridge", shown: "any" },
    channel: { asked: "old", shown: "" },
  });
  session.keepReplaced({ ...session.view.current, locale: "de" });
  assert.equal(session.replaced.has("locale"), false);
  assert.deepEqual([session.channel, session.side], ["live", "live"]);
});

test("a session without a channel shows the build", async () => {
  const session = await sessionAt("#preview?side=both", { ...STATE, comparing: [] });
  assert.deepEqual([session.channel, session.side], [undefined, "build"]);
});

test("a session has one release for each place of the content", async () => {
  const session = await sessionAt("#preview");
  const config = JSON.stringify({ locales: { en: {} }, minimumApp: "2.0" });
  const requests = serve({
    "/preview/config.plist": { status: 404 },
    "/preview/config.json": config,
    "/at/2026-12-24T18:00:00Z/preview/config.json": config,
    "/channels/beta/beta/config.json": config,
  });
  assert.equal(session.release(), session.release());
  await session.release();
  let appEvents = 0;
  session.addEventListener("apps", () => appEvents++);
  await session.release("beta");
  await session.release("beta");
  assert.deepEqual([[...session.oldestApps], appEvents], [["2.0"], 1]);
  session.view.set({ at: "2026-12-24T18:00:00Z" });
  assert.equal((await session.release()).base, "/at/2026-12-24T18:00:00Z");
  assert.equal(requests.filter(({ path }) => path.startsWith("/channels/beta")).length, 2);
});

test("a session shows the chosen side of a rollout", async () => {
  const session = await sessionAt("#preview?locale=en&device=any&channel=beta");
  const index = (name) => ({ "any": name.repeat(64) });
  const config = {
    release: 3,
    locales: { en: [] },
    indexes: { en: index("a") },
    next: { name: "r2", below: 1, release: 2, indexes: { en: index("b") } },
  };
  serve({ "/channels/beta/beta/config.json": JSON.stringify(config) });
  const sides = [];
  for (const rollout of ["", "next", "other", "next"]) {
    session.view.set({ rollout });
    const release = await session.release("beta");
    assert.equal(release.isNext, false, "the release is that of both sides");
    const catalogue = session.catalogue("beta");
    await catalogue.catch((error) => sides.push(`${session.rollout} ${error.message.slice(7, 8)}`));
  }
  assert.deepEqual(sides, [" a", "next b", " a", "next b"]);
});

test("a release that cannot be loaded is loaded again", async () => {
  const session = await sessionAt("#preview");
  serve({});
  await assert.rejects(session.release());
  serve({ "/preview/config.json": "{}" });
  assert.equal((await session.release()).isJSON, true);
});

test("a session says when live content changes, and once for each failure", async () => {
  const session = await sessionAt("#changes");
  let liveEvents = 0;
  session.addEventListener("live", () => liveEvents++);
  const look = async (answers) => {
    serve(answers);
    const before = liveEvents;
    await session.lookAgain();
    return liveEvents - before;
  };
  const failing = { "/channels/live/live/config.json": { status: 502, body: '{"error": "offline"}' } };
  assert.equal(await look({ "/channels/live/live/config.json": "{}" }), 1);
  assert.deepEqual([await look(failing), await look(failing)], [1, 0]);
  assert.equal(await look({ "/channels/live/live/config.json": "{}" }), 1);
});

test("a device is of the kind that its name, or an ancestor's name, says", async () => {
  const session = await sessionAt("#preview");
  const kinds = {
    "handset": "phone",
    "kiosk": "phone",
    "telly": "tv",
    "any": "phone",
    "my-pad": "tablet",
    "watch-8": "watch",
    "web": "desktop",
  };
  for (const [name, kind] of Object.entries(kinds)) assert.equal(session.deviceKind(name), kind, name);
});

test("readers of a tag get a declared locale", () => {
  const found = (tag) => declaredLocale(STATE, tag);
  assert.deepEqual(["de", "de-CH", "gsw", "gsw-CH", "fr", "", undefined].map(found), [
    "de",
    "de",
    "de",
    "de",
    "en",
    "en",
    "en",
  ]);
  assert.equal(declaredLocale({ ...STATE, sourceLocale: "fr" }, "it"), "en");
});

// Places in files.

test("a place opens in the editor that the server names", () => {
  Places.editor = undefined;
  assert.equal(Places.address("content/a.yaml:7"), undefined);
  Places.editor = { template: "vscode://file{path}:{line}:{column}", root: "/shop" };
  assert.equal(Places.address("content/a b.yaml:7:3"), "vscode://file/shop/content/a%20b.yaml:7:3");
  assert.equal(Places.address("/elsewhere/a.yaml"), "vscode://file/elsewhere/a.yaml:1:1");
  assert.equal(Places.address(""), undefined);
});

test("a short place has no column", () => {
  const places = ["content/a.yaml:7:3", "content/a.yaml:7", "content/a.yaml"].map(shortPlace);
  assert.deepEqual(places, ["content/a.yaml:7", "content/a.yaml:7", "content/a.yaml"]);
});

// Translations.

const UNITS = [
  { id: "a", source: "Rose" },
  { id: "b", source: "Tulip", target: "Tulpe", state: "translated" },
  { id: "c", source: "Lily", target: "Lilie", state: "translated", isOutdated: true },
  { id: "d", source: "Iris", target: "Iris", state: "needs-review" },
];

test("a unit has one state, and filters show what it says", () => {
  assert.deepEqual(UNITS.map(progress), ["missing", "translated", "outdated", "review"]);
  const shown = (filter) => UNITS.filter((unit) => passes(unit, filter)).map(({ id }) => id);
  assert.deepEqual([shown(""), shown("missing"), shown("outdated")], [["a", "b", "c", "d"], ["a"], ["c", "d"]]);
});

test("drafts outlive the page, and differ by locale", () => {
  const drafts = new Drafts("drafts shop");
  drafts.keep("de", "a", { text: "Ros", source: "Rose" });
  drafts.keep("de-AT", "a", { text: "Rosn", source: "Rose" });
  drafts.keep("de", "b", { text: "Tul", source: "Tulip" });
  drafts.drop("de", "b");
  const again = new Drafts("drafts shop");
  assert.deepEqual(again.of("de"), [["a", { text: "Ros", source: "Rose" }]]);
  assert.equal(again.get("de-AT", "a").text, "Rosn");
  assert.equal(new Drafts("drafts other").get("de", "a"), undefined);
});

test("drafts work without the browser's storage", (t) => {
  const own = globalThis.sessionStorage;
  t.after(() => (globalThis.sessionStorage = own));
  const fail = () => {
    throw new Error("denied");
  };
  globalThis.sessionStorage = { getItem: fail, setItem: fail };
  const drafts = new Drafts("drafts shop");
  drafts.keep("de", "a", { text: "Ros", source: "Rose" });
  assert.equal(drafts.get("de", "a").text, "Ros");
  globalThis.sessionStorage = { getItem: () => "no JSON", setItem: fail };
  assert.deepEqual(new Drafts("drafts shop").of("de"), []);
});

async function translationsAt(units) {
  const session = { api: new API(), state: { app: "shop" }, view: { current: { locale: "de" } } };
  const known = { locale: "de", targets: ["de", "fr"], isEditable: true, token: "secret", units };
  const answers = { "/api/translations": JSON.stringify(known), "/api/translations?locale=de": JSON.stringify(known) };
  serve(answers);
  const translations = new Translations(session);
  await translations.load();
  return { translations, answers };
}

test("a saved text is in its unit, and its draft is gone", async () => {
  const { translations, answers } = await translationsAt(UNITS);
  await translations.load();
  const [unit] = translations.units;
  const draft = { text: "Rose", source: "Rose", previous: undefined };
  translations.drafts.keep("de", "a", draft);
  answers["/api/translations"] = '{"isRefused": false}';
  const requests = serve(answers);
  await translations.save(unit, draft);
  assert.deepEqual(JSON.parse(requests[0].options.body), {
    locale: "de",
    id: "a",
    source: "Rose",
    target: "Rose",
    others: [],
  });
  assert.deepEqual([unit.target, progress(unit), translations.drafts.get("de", "a")], [
    "Rose",
    "translated",
    undefined,
  ]);
  await translations.load();
  assert.equal(requests.length, 2, "the units are asked for again");
});

test("a refused text stays a draft", async () => {
  const { translations, answers } = await translationsAt(UNITS);
  const draft = { text: "Rose", source: "Rose" };
  translations.drafts.keep("de", "a", draft);
  answers["/api/translations"] = '{"isRefused": true}';
  await translations.save(translations.units[0], draft);
  assert.deepEqual([progress(translations.units[0]), translations.drafts.get("de", "a")], ["missing", draft]);
});

test("a text that was typed on while it was saved stays a draft of the saved one", async () => {
  const { translations, answers } = await translationsAt(UNITS);
  translations.drafts.keep("de", "a", { text: "Rosen", source: "Rose" });
  answers["/api/translations"] = "{}";
  await translations.save(translations.units[0], { text: "Rose", source: "Rose" });
  assert.deepEqual(translations.drafts.get("de", "a"), { text: "Rosen", source: "Rose", previous: "Rose" });
});

test("the other typed forms of a plural are saved with one", async () => {
  const group = "plural";
  const units = ["one", "few", "other"].map((id) => ({ id, group, source: id }));
  const { translations, answers } = await translationsAt(units);
  translations.drafts.keep("de", "few", { text: "wenige", source: "few" });
  translations.drafts.keep("de", "other", { text: "  ", source: "other" });
  answers["/api/translations"] = "{}";
  const requests = serve(answers);
  await translations.save(translations.units[0], { text: "eine", source: "one" });
  assert.deepEqual(JSON.parse(requests[0].options.body).others, [{ id: "few", source: "few", target: "wenige" }]);
});

// Exports.

test("a file that an export compresses is read as it is in the content", async () => {
  serve({ "./objects/a.svg.bin": new Uint8Array(gzipSync("<svg/>")), "./objects/b.svg.bin": "<svg/>" });
  const file = await Exported.file("./objects/a.svg.bin", "image/svg+xml");
  assert.deepEqual([await file.text(), file.type], ["<svg/>", "image/svg+xml"]);
  await assert.rejects(Exported.file("./objects/b.svg.bin", ""));
  await assert.rejects(Exported.file("./objects/c.svg.bin", ""), /status 404/);
});
