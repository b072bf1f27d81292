"use strict";
// Entries of any other shape: a page with picture, title and texts where there are such fields, and a tidy table of the rest.

async function drawEntry(frame, record) {
  const drawing = new Drawing(frame, record);
  const { content } = record;
  if (!isMapping(content)) return [fieldTable(drawing, { content }, "", ["content"])];
  if (FlowDrawing.isFlow(content)) return new FlowDrawing(drawing).draw();
  if (Array.isArray(content.elements)) return new ScreenDrawing(drawing).draw();
  if (Array.isArray(content.inputs)) return [pageTitle(drawing), ...drawInputs(drawing)].filter(Boolean);
  return drawPage(drawing);
}

function pageTitle(drawing) {
  const title = drawing.first("title", "name", "label");
  return title && drawing.block("h4", { class: "element page-title" }, drawing.text(title, drawing.content[title]));
}

async function drawPage(drawing) {
  const { content, frame, picture } = drawing;
  const drawn = new Set(["currency", "badges"]);
  const taken = (name) => (name === undefined ? undefined : (drawn.add(name), name));
  const paragraph = (name, kind) => name && drawing.block("p", { class: `element ${kind}` }, drawing.text(name, content[name]));
  if (!drawing.first("title", "name", "label") && !picture) return [fieldTable(drawing, content, "", Object.keys(content))];
  taken(drawing.first("title", "name", "label"));
  const hero = picture && make("div", { class: "element hero", style: { "--tint": drawing.tint } },
    drawing.image(taken(picture.path), picture.asset, {}));
  const parts = [hero, pageTitle(drawing), paragraph(taken(drawing.first("subtitle", "blurb", "tagline")), "subtitle"), money(drawing, drawn),
    badges(drawing), paragraph(taken(drawing.first("description", "body", "text", "message", "value")), "description")];
  for (const name of Object.keys(content)) {
    if (drawn.has(name) || !Array.isArray(content[name]) || content[name].length === 0) continue;
    if (content[name].every(isReference)) parts.push(heading(words(taken(name))), await cardsOf(frame, content[name], drawing.id));
    else if (content[name].every((item) => typeof item === "string")) parts.push(bullets(drawing, taken(name)));
  }
  parts.push(...await drawReferring(drawing));
  const rest = Object.keys(content).filter((name) => !drawn.has(name));
  if (rest.length) parts.push(heading("Fields"), fieldTable(drawing, content, "", rest));
  return parts.filter(Boolean);
}

function heading(text) {
  return make("h4", { class: "element own section", lang: "en", text });
}

function money(drawing, drawn) {
  const element = price(drawing);
  if (element) drawn.add("price");
  return element && drawing.block("p", { class: "element page-price" }, element);
}

function bullets(drawing, name) {
  return make("ul", { class: "element bullets" }, ...drawing.content[name].map((item, place) => (
    drawing.block("li", {}, drawing.text(`${name}[${place}]`, item)))));
}

/** Entries in lists that refer to this one: the products of a category. */
async function drawReferring(drawing) {
  const { frame, id } = drawing;
  if ("price" in drawing.content) return [];
  const found = await referring(frame.catalogue, id);
  return found.length ? [heading(`Refer to this ${id.split("/")[0]}`), await cardsOf(frame, found, `${id} referring`)] : [];
}

const referringKnown = new WeakMap();

async function referring(catalogue, id) {
  const lists = catalogue.names().filter((name) => !catalogue.isSplit(name) && catalogue.count(name) > 1);
  const found = new Set();
  for (const name of lists) {
    const bundle = await catalogue.bundle(name);
    if (!referringKnown.has(bundle)) referringKnown.set(bundle, references(bundle));
    for (const from of referringKnown.get(bundle).get(id) ?? []) if (from !== id) found.add(from);
  }
  return [...found];
}

/** Referred id → ids of a bundle's entries that name it in a field of their own. */
function references(bundle) {
  const known = new Map();
  const entries = bundle.get("entries");
  for (const id of bundle.get("order")) {
    const content = plain(entries.get(id).get("content"));
    if (!isMapping(content) || "elements" in content) continue;
    for (const value of new Set(Object.values(content).filter(isReference))) known.set(value, [...(known.get(value) ?? []), id]);
  }
  return known;
}

/** Names and values, as deep as they go. */
function fieldTable(drawing, mapping, path, names) {
  const rows = names.map((name) => {
    const at = path ? `${path}.${name}` : name;
    return make("div", { class: "field-row" }, make("dt", { text: name }), make("dd", {}, fieldValue(drawing, at, mapping[name])));
  });
  return make("dl", { class: "element fields" }, ...rows);
}

function fieldValue(drawing, path, value) {
  if (Array.isArray(value)) return fieldList(drawing, path, value);
  if (isAsset(value)) return drawing.image(path, value, { class: "thumbnail", loading: "lazy" });
  if (isMapping(value)) return Object.keys(value).length ? fieldTable(drawing, value, path, Object.keys(value)) : own("empty");
  if (value instanceof Uint8Array) return own(`${size(value.length)} of data`);
  if (isReference(value) || isAddress(value)) {
    return drawing.tap({ class: "tappable inline-link" }, value, drawing.text(path, value, { literal: true }));
  }
  const isText = typeof value === "string" && !colour(value);
  const shown = value instanceof Date ? value.toISOString().replace(".000Z", "Z") : value;
  const text = drawing.text(path, shown, { literal: !isText });
  return drawing.block("span", { class: "value" },
    colour(value) && make("span", { class: "swatch", style: { "--swatch": colour(value) } }), text);
}

function own(text) {
  return make("span", { class: "own", lang: "en", text });
}

function fieldList(drawing, path, items) {
  if (items.length === 0) return own("empty");
  return make("ol", { class: "field-list" }, ...items.slice(0, 200).map((item, place) => (
    make("li", {}, fieldValue(drawing, itemPath(path, item, place), item)))));
}
