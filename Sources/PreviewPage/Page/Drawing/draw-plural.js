"use strict";
// Plurals: the text for a number that can be typed, and the texts of all categories.

const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];

/** Returns true for a dictionary of texts by plural category, perhaps with the locale of the texts. */
function isPlural(value) {
  if (!isMapping(value) || typeof value.other !== "string") return false;
  return Object.entries(value).every(([key, text]) =>
    typeof text === "string" && (CATEGORIES.includes(key) || key === "locale")
  );
}

/** A typed number: its value and its visible digits after the point, which plural rules count; undefined for other text. */
function typedNumber(text) {
  const found = text.trim().match(/^-?(\d{1,15})(?:[.,](\d{1,10}))?$/);
  return found && { value: Number(text.trim().replace(",", ".")), digits: found[2]?.length ?? 0 };
}

function fractionDigits({ digits }) {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

/** The rules of a locale, or of the browser's fallback for a tag that it does not know. */
function pluralRules(locale, options = {}) {
  try {
    return new Intl.PluralRules(locale, options);
  } catch {
    return new Intl.PluralRules("en", options);
  }
}

/** The category whose text a number gets. In string catalogs, `zero` is for 0 in every locale. */
function pluralCategory(texts, number, locale, isCatalog) {
  if (isCatalog && number.value === 0 && Object.hasOwn(texts, "zero")) return "zero";
  const category = pluralRules(locale, fractionDigits(number)).select(Math.abs(number.value));
  return Object.hasOwn(texts, category) ? category : "other";
}

/** A text with a number in the place of `count`, else of the first whole number, else of the only placeholder. */
function withNumber(text, number, locale) {
  const found = placeholders(text);
  const place = found.find(({ name }) => name === "count") ?? found.find(({ isWhole }) => isWhole) ??
    (found.length === 1 ? found[0] : undefined);
  if (!place) return text;
  return text.replaceAll(
    place.text,
    new Intl.NumberFormat(knownLocale(locale), fractionDigits(number)).format(number.value),
  );
}

/** The locale, or English for a tag that the browser refuses. */
function knownLocale(locale) {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? "en";
  } catch {
    return "en";
  }
}

/** The first whole numbers of a category, such as “1, 21, 31”; empty if it has none below 1,000. */
function numbersOf(category, locale) {
  const rules = pluralRules(locale);
  const found = [];
  for (let number = 0; number < 1000 && found.length < 4; number += 1) {
    if (rules.select(number) === category) found.push(number);
  }
  return found.length > 3 ? `${found.slice(0, 3).join(", ")} …` : found.join(", ");
}

/** Draws a plural: a field for a number, the text that the number gets, and all texts. */
function drawPlural(drawing, path, value) {
  drawing.draws(path);
  const { frame } = drawing;
  const locale = value.locale ?? (frame.body.lang || "en");
  const isCatalog = drawing.record.datatype === "strings";
  const field = make("input", {
    type: "text",
    class: "field plural-number",
    inputmode: "decimal",
    autocomplete: "off",
    size: 7,
    "aria-label": `Number for ${lastName(path)}`,
    value: frame.triedNumber ?? "1",
    "data-key": `${drawing.id} ${path} number`,
  });
  const result = make("p", { class: "plural-result", "aria-live": "polite" });
  const rows = CATEGORIES.filter((category) => Object.hasOwn(value, category)).map((category) =>
    make(
      "div",
      { class: "field-row", "data-category": category },
      make("dt", { text: category }),
      make("dd", {}, drawing.block("span", { class: "value" }, drawing.text(`${path}.${category}`, value[category]))),
    )
  );
  if (value.locale !== undefined) {
    rows.push(
      make(
        "div",
        { class: "field-row" },
        make("dt", { text: "locale" }),
        make("dd", {}, drawing.text(`${path}.locale`, value.locale, { literal: true })),
      ),
    );
  }
  const element = make(
    "div",
    { class: "plural" },
    make("label", { class: "plural-try" }, own("number"), field),
    result,
    make("dl", { class: "fields" }, ...rows),
  );
  element.tryNumber = (text) => {
    if (field.value !== text) field.value = text;
    const number = typedNumber(text);
    field.toggleAttribute("aria-invalid", !number);
    const category = number && pluralCategory(value, number, locale, isCatalog);
    for (const row of rows) row.classList.toggle("chosen", row.dataset.category === category);
    if (!number) return result.replaceChildren(own("not a number"));
    return result.replaceChildren(
      drawing.text(`${path}.${category}`, withNumber(value[category], number, locale)),
      own(category),
    );
  };
  field.addEventListener("input", () => {
    frame.triedNumber = field.value;
    for (const plural of frame.body.querySelectorAll(".plural")) plural.tryNumber(field.value);
    frame.markFallbacks();
  });
  element.tryNumber(field.value);
  return element;
}
