"use strict";
// Lists of entries as cards. Only a part of a long list is shown and decoded at first.

const PART = 48;

/** A card that opens an entry. */
function card(frame, record) {
  const drawing = new Drawing(frame, record);
  const { content } = drawing;
  const title = drawing.first("title", "name", "label");
  const second = drawing.first("subtitle", "blurb", "tagline", "city");
  const picture = drawing.picture && drawing.asset(drawing.picture.path, drawing.picture.asset, { loading: "lazy" });
  const element = drawing.tap(
    { class: "tappable card", "data-card": record.id },
    record.id,
    // Without a picture, the box keeps the titles of a list in one column; a list without any picture has none.
    make("span", { class: `card-picture${picture ? "" : " without"}`, style: { "--tint": drawing.tint } }, picture),
    make(
      "span",
      { class: "stack" },
      title
        ? drawing.text(title, content[title], { class: "card-title" })
        : make("span", { class: "card-title", text: record.id }),
      second && drawing.text(second, content[second], { class: "card-second" }),
      badges(drawing),
    ),
    price(drawing),
  );
  return element;
}

function price(drawing) {
  const { price: amount, currency } = drawing.content;
  if (amount === undefined || amount === "" || Number.isNaN(Number(amount))) return undefined;
  drawing.draws("currency");
  return drawing.text("price", drawing.money(amount, currency), { literal: true, class: "price" });
}

function badges(drawing) {
  const items = drawing.content.badges;
  if (!Array.isArray(items) || items.length === 0) return undefined;
  return make(
    "span",
    { class: "badges" },
    ...items.filter(isMapping).map((item, place) => {
      const label = ["label", "title"].find((name) => typeof item[name] === "string");
      const ink = colour(item.color);
      const path = itemPath("badges", item, place);
      drawing.draws(`${path}.id`);
      if (label && ink) drawing.draws(`${path}.color`);
      return label &&
        make(
          "span",
          { class: "badge", style: { "--badge": ink, "--on-badge": ink && legible(ink) } },
          drawing.text(`${path}.${label}`, item[label]),
        );
    }),
  );
}

/** A card for an entry of a list that cannot be shown, with the reason. */
function missingCard(frame, id, why) {
  return make(
    "button",
    {
      type: "button",
      class: "tappable card absent",
      "data-key": `${id} `,
      on: { click: () => frame.follow(id) },
    },
    make("span", { class: "card-picture" }, icon("alert")),
    make(
      "span",
      { class: "stack", lang: "en", dir: "ltr" },
      make("span", { class: "card-title", text: id }),
      make("span", { class: "card-second", text: why }),
    ),
  );
}

/** Records the other entries that a drawing shows, and the moments at which they appear or end. */
function use(frame, records, ids) {
  records.forEach((record, i) => {
    frame.used.push(
      record ? `${record.id} ${hiddenAt(record, frame.instant) ?? ""} ${stateText(record)}` : `${ids[i]} absent`,
    );
    frame.moments.push(milliseconds(record?.from), milliseconds(record?.until));
  });
}

/** The cards of entries, with a button for more. `load` finds an entry by id. */
async function cardsOf(frame, ids, key, load = (id) => frame.catalogue.find(id)) {
  const list = make("div", { class: "cards" });
  const shown = Math.max(PART, frame.expanded.get(key) ?? 0);
  const records = await Promise.all(ids.slice(0, shown).map(load));
  frame.used.push(shown);
  use(frame, records, ids);
  records.forEach((record, i) => {
    const hidden = record && hiddenAt(record, frame.instant);
    if (record && !hidden) list.append(card(frame, record));
    else if (!record) list.append(missingCard(frame, ids[i], "Not for this reader"));
  });
  const hiddenCount = records.filter((record) => record && hiddenAt(record, frame.instant)).length;
  if (hiddenCount) {
    list.append(
      make("p", {
        class: "own aside",
        lang: "en",
        dir: "ltr",
        text: `${counted(hiddenCount, "entry", "entries")} not shown at this instant`,
      }),
    );
  }
  if (ids.length > shown) list.append(moreButton(frame, key, shown, ids.length));
  return list;
}

function moreButton(frame, key, shown, count) {
  return make("button", {
    type: "button",
    class: "tappable button tinted more",
    lang: "en",
    "data-key": `${key} more`,
    text: `Show ${Math.min(PART * 4, count - shown)} more of ${count - shown}`,
    on: {
      click: () => {
        frame.expanded.set(key, shown + PART * 4);
        frame.redraw();
      },
    },
  });
}

/** The list of a bundle without tiles. */
async function drawBundle(frame, name) {
  const ids = await frame.catalogue.order(name);
  if (ids.length === 0) {
    return [
      emptyState(
        "list",
        "This bundle is empty for this reader",
        "Its entries are for other locales, devices, countries or versions.",
        frameButton("First screen", () => frame.go("")),
      ),
    ];
  }
  return [await cardsOf(frame, ids, `@${name}`, (id) => frame.catalogue.entry(name, id))];
}
