"use strict";
// Entries of any other shape: a page with picture, title and texts, and a table of the other fields.

/** Draws an entry: first by its shape, then a table of the fields that are left. */
async function drawEntry(frame, record) {
  const drawing = new Drawing(frame, record);
  const { content } = drawing;
  if (!isMapping(content)) return [fieldTable(drawing, { content }, "", ["content"])];
  // The title is in the bar above the screen.
  drawing.draws(drawing.first("title", "name", "label"));
  const nodes = await drawShape(drawing);
  const rest = drawing.undrawn(content);
  if (rest.length && nodes.length) nodes.push(heading("Other fields"));
  if (rest.length) nodes.push(rowsOf(drawing, rest));
  if (drawing.hiddenItems) {
    nodes.push(
      make("p", {
        class: "own aside",
        lang: "en",
        dir: "ltr",
        text: `${counted(drawing.hiddenItems, "list item")} not shown at this instant`,
      }),
    );
  }
  return nodes.length
    ? nodes
    : [emptyState("file", "This entry has no fields", "All of them are removed or missing for this reader.")];
}

async function drawShape(drawing) {
  const { content } = drawing;
  if (FlowDrawing.isFlow(content)) return new FlowDrawing(drawing).draw();
  if (Array.isArray(content.elements)) {
    if (colour(content.background)) drawing.draws("background");
    return new ScreenDrawing(drawing).draw();
  }
  if (Array.isArray(content.inputs)) return [pageTitle(drawing), ...drawInputs(drawing)].filter(Boolean);
  return drawPage(drawing);
}

function pageTitle(drawing) {
  const title = drawing.first("title", "name", "label");
  return title && drawing.block("h4", { class: "element page-title" }, drawing.text(title, drawing.content[title]));
}

/** The picture, title, price and texts of a page, if present. */
function pageHead(drawing) {
  const { content, picture } = drawing;
  const paragraph = (kind, ...names) => {
    const name = names.find((name) =>
      isMarkdown(content[name]) || (typeof content[name] === "string" && content[name] !== "")
    );
    return name &&
      (isMarkdown(content[name])
        ? drawing.markdown(name, content[name])
        : drawing.block("p", { class: `element ${kind}` }, drawing.text(name, content[name])));
  };
  const hero = picture &&
    make(
      "div",
      { class: "element hero", style: { "--tint": drawing.tint } },
      drawing.asset(picture.path, picture.asset),
    );
  return [
    hero,
    pageTitle(drawing),
    paragraph("subtitle", "subtitle", "blurb", "tagline"),
    money(drawing),
    badges(drawing),
    paragraph("description", "description", "body", "text", "message", "value", "question"),
  ].filter(Boolean);
}

async function drawPage(drawing) {
  const { content, frame, picture } = drawing;
  const isPage = picture || drawing.first("title", "name", "label");
  const media = Object.keys(content).filter((name) => isAsset(content[name]) && !isPicture(content[name]));
  const articles = Object.keys(content).filter((name) => isMarkdown(content[name]));
  if (!isPage && !media.length && !articles.length) return [];
  const parts = pageHead(drawing);
  for (const name of articles.filter((name) => !drawing.drawn.has(name))) {
    parts.push(heading(words(name)), drawing.markdown(name, content[name]));
  }
  for (const name of media) {
    parts.push(
      heading(words(name)),
      drawing.block("div", { class: "element media" }, drawing.asset(name, content[name])),
    );
  }
  for (const name of Object.keys(content)) {
    if (name === "badges" || !Array.isArray(content[name]) || content[name].length === 0) continue;
    if (content[name].every(isReference)) {
      drawing.draws(name);
      parts.push(heading(words(name)), await cardsOf(frame, content[name], drawing.id));
    } else if (content[name].every((item) => typeof item === "string")) {
      parts.push(heading(words(name)), bullets(drawing, name));
    }
  }
  parts.push(...await drawReferring(drawing));
  return parts;
}

function heading(text) {
  return make("h4", { class: "element own section", lang: "en", text });
}

function money(drawing) {
  const element = price(drawing);
  return element && drawing.block("p", { class: "element page-price" }, element);
}

function bullets(drawing, name) {
  return make(
    "ul",
    { class: "element bullets" },
    ...drawing.content[name].map((item, place) => (
      drawing.block("li", {}, drawing.text(`${name}[${place}]`, item))
    )),
  );
}

/** The entries that refer to this one, such as the products of a category. */
async function drawReferring(drawing) {
  const { frame, id } = drawing;
  if ("price" in drawing.content) return [];
  const found = await referring(frame.catalogue, id);
  return found.length
    ? [heading(`Refer to this ${id.split("/")[0]}`), await cardsOf(frame, found, `${id} referring`)]
    : [];
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

/** The ids of a bundle's entries by the id that a field of theirs refers to. */
function references(bundle) {
  const known = new Map();
  const entries = bundle.get("entries");
  for (const id of bundle.get("order")) {
    const content = plain(entries.get(id).get("content"));
    if (!isMapping(content) || "elements" in content) continue;
    for (const value of new Set(Object.values(content).filter(isReference))) {
      known.set(value, [...(known.get(value) ?? []), id]);
    }
  }
  return known;
}

/** A table of names and values at all levels. */
function fieldTable(drawing, mapping, path, names) {
  return rowsOf(drawing, names.map((name) => ({ name, path: path ? `${path}.${name}` : name, value: mapping[name] })));
}

function rowsOf(drawing, fields) {
  return make(
    "dl",
    { class: "element fields" },
    ...fields.map(({ name, path, value }) => (
      make(
        "div",
        { class: "field-row" },
        make("dt", { text: name ?? path }),
        make("dd", {}, fieldValue(drawing, path, value)),
      )
    )),
  );
}

function fieldValue(drawing, path, value) {
  if (Array.isArray(value)) return fieldList(drawing, path, value);
  if (isMarkdown(value)) return drawing.markdown(path, value);
  if (isAsset(value)) return drawing.asset(path, value, { class: "thumbnail", loading: "lazy" });
  if (isPlural(value)) return drawPlural(drawing, path, value);
  if (isMapping(value)) {
    return Object.keys(value).length ? fieldTable(drawing, value, path, Object.keys(value)) : own("empty");
  }
  if (value instanceof Uint8Array) return own(`${size(value.length)} of data`);
  if (isReference(value) || isAddress(value)) {
    return drawing.tap(
      { class: "tappable inline-link" },
      value,
      drawing.text(path, value, { literal: true, dir: "ltr" }),
    );
  }
  const isText = typeof value === "string" && !colour(value);
  const shown = value instanceof Date ? value.toISOString().replace(".000Z", "Z") : value;
  const text = drawing.text(path, shown, isText ? {} : { literal: true, dir: "ltr" });
  return drawing.block(
    "span",
    { class: "value" },
    colour(value) && make("span", { class: "swatch", style: { "--swatch": colour(value) } }),
    text,
  );
}

function own(text) {
  return make("span", { class: "own", lang: "en", text });
}

function fieldList(drawing, path, items) {
  if (items.length === 0) return own("empty");
  const rest = items.length - 200;
  return make(
    "ol",
    { class: "field-list" },
    ...items.slice(0, 200).map((item, place) => (
      make("li", {}, fieldValue(drawing, itemPath(path, item, place), item))
    )),
    rest > 0 && make("li", {}, own(`and ${counted(rest, "more item")}`)),
  );
}
