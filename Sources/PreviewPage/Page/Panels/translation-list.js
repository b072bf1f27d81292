"use strict";
// The list of texts by entry. Texts far from the visible part are drawn when they are needed, since a project has thousands.

/** The most texts of a part that is drawn at once. */
const PART_OF_UNITS = 20;
/** The probable height of a text in pixels. */
const UNIT_HEIGHT = 112;

class TranslationList {
  /** @type {Unit[] | undefined} */
  units;
  /** @type {string | undefined} */
  key;
  /** @type {Map<any, any>} */
  partAt;

  constructor(panel) {
    this.panel = panel;
    this.rows = new Map();
    this.parts = [];
    this.element = make("div", { class: "units" });
    this.watch = new IntersectionObserver((seen) => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) this.#fill(this.partAt.get(target));
    }, { rootMargin: "900px 0px" });
  }

  get ids() {
    return this.units?.map(({ id }) => id) ?? [];
  }

  /**
   * Shows units. If they are those that are shown already, only changed texts are drawn, and the focus stays.
   * @param {Unit[]} units
   * @param {string} key
   */
  show(units, key) {
    const isSame = this.key === key && this.units?.length === units.length &&
      units.every(({ id }, i) => id === this.units?.[i].id);
    if (this.key !== key) this.rows.clear();
    this.units = units;
    this.key = key;
    if (!isSame) return this.#rebuild();
    for (const part of this.parts) part.units = part.units.map(({ id }) => this.panel.translations.byID.get(id));
    for (const unit of units) this.rows.get(unit.id)?.update(unit);
    return undefined;
  }

  #rebuild() {
    const held = this.#held();
    this.watch.disconnect();
    this.parts = partsOfUnits(this.units).map((units, i, all) =>
      this.#part(units, all[i - 1]?.[0].entry !== units[0].entry)
    );
    this.partOf = new Map(this.parts.flatMap((part) => part.units.map(({ id }) => [id, part])));
    this.partAt = new Map(this.parts.map((part) => [part.element, part]));
    this.element.replaceChildren(...this.partAt.keys());
    for (const { element } of this.parts) this.watch.observe(element);
    const known = new Set(this.ids);
    for (const id of this.rows.keys()) if (!known.has(id)) this.rows.delete(id);
    this.#restore(held);
  }

  /** The focused text, its selection and its place in the window. */
  #held() {
    const row = [...this.rows.values()].find(({ element }) => element.contains(document.activeElement));
    if (!row) return undefined;
    const { selectionStart, selectionEnd } = row.area ?? {};
    return {
      id: row.unit.id,
      focus: document.activeElement,
      selectionStart,
      selectionEnd,
      top: row.element.getBoundingClientRect().top,
    };
  }

  #restore(held) {
    const row = held && this.row(held.id);
    if (!row) return;
    held.focus.focus({ preventScroll: true });
    if (row.area && held.selectionStart !== undefined) {
      row.area.setSelectionRange(held.selectionStart, held.selectionEnd);
    }
    scrollBy({ top: row.element.getBoundingClientRect().top - held.top, behavior: /** @type {any} */ ("instant") });
  }

  #part(units, isFirst) {
    const { entry } = units[0];
    const list = make("ul", { class: "unit-list" });
    const element = make(
      "div",
      { class: "unit-part", style: { "min-height": `${units.length * UNIT_HEIGHT}px` } },
      isFirst && make("h3", { class: "unit-entry" }, this.panel.placeLink(entry)),
      list,
    );
    return { units, element, list };
  }

  #fill(part) {
    if (!part || part.isFilled) return;
    part.isFilled = true;
    this.watch.unobserve(part.element);
    part.list.replaceChildren(...part.units.map((unit) => this.#row(unit).element));
    part.element.style.minHeight = "";
  }

  #row(unit) {
    if (!this.rows.has(unit.id)) this.rows.set(unit.id, new TranslationRow(unit, this.panel));
    const row = this.rows.get(unit.id);
    row.update(unit);
    return row;
  }

  /** The row of a unit, which is drawn if it is not yet; undefined if the list does not show it. */
  row(id) {
    const part = this.partOf?.get(id);
    if (!part) return undefined;
    this.#fill(part);
    // The heights of the parts around it are known before a caller scrolls to the row.
    for (const step of [-1, 1]) {
      let height = 0;
      for (let i = this.parts.indexOf(part) + step; this.parts[i] && height < innerHeight; i += step) {
        this.#fill(this.parts[i]);
        height += this.parts[i].element.offsetHeight;
      }
    }
    return this.rows.get(id);
  }
}

/** Units in parts: those of one entry that follow each other, at most some. */
function partsOfUnits(units) {
  const parts = [];
  for (const unit of units) {
    const last = parts.at(-1);
    if (last && last[0].entry === unit.entry && last.length < PART_OF_UNITS) last.push(unit);
    else parts.push([unit]);
  }
  return parts;
}
