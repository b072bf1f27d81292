"use strict";
// The picker of the instant: now, a moment of the schedule, or a typed one.

class InstantPicker {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.moments = [];
    this.picker = new Picker({
      id: "at",
      label: "Instant",
      search: "2026-12-24 18:00, tomorrow, +3d",
      options: (text) => this.#options(text),
      choose: (at) => session.view.set({ at }),
      opens: () => this.#load(),
    });
    this.element = this.picker.element;
  }

  open() {
    this.picker.open();
  }

  update() {
    const { at } = this.session.view.current;
    this.picker.update(at, at ? localInstant(new Date(at)) : "Now", Boolean(at));
  }

  async #load() {
    const { moments } = await this.session.api.ask("schedule").catch(() => ({ moments: [] }));
    this.moments = moments;
    this.picker.refresh();
  }

  #options(text) {
    if (text === "") {
      return [
        { value: "", text: "Now" },
        ...this.#chosen(),
        ...["tomorrow", "+7d"].map((word) => this.#typed(word, { tomorrow: "tomorrow", "+7d": "in a week" }[word])),
        ...this.#scheduled(""),
      ];
    }
    if ("now".startsWith(text.toLowerCase())) return [{ value: "", text: "Now" }];
    const typed = this.#typed(text);
    if (typed) return [typed];
    const found = this.#scheduled(text);
    return found.length ? found : [{
      value: "?",
      text: "Not an instant",
      detail: "such as 2026-12-24 18:00, 18:00, tomorrow or +3d",
      isDisabled: true,
    }];
  }

  #chosen() {
    const { at } = this.session.view.current;
    return at ? [{ value: at, text: localInstant(new Date(at)), detail: "chosen" }] : [];
  }

  #typed(text, detail = "") {
    const instant = typedInstant(text, Date.now());
    return instant === undefined ? undefined : {
      value: instantText(new Date(instant).toISOString()),
      text: localInstant(new Date(instant)),
      detail: detail || shownInstant(instant),
    };
  }

  /** The future moments, then the past ones. */
  #scheduled(text) {
    const now = Date.now();
    const options = this.moments.map(({ instant, kind, entry }) => ({
      value: instantText(instant),
      text: localInstant(new Date(instant)),
      detail: `${entry} ${kind}`,
    }));
    const found = matching(options, text).slice(0, 400);
    return [
      ...found.filter(({ value }) => Date.parse(value) > now),
      ...found.filter(({ value }) => Date.parse(value) <= now).reverse(),
    ].slice(0, 24);
  }
}

/** An instant in this machine's time zone, as `2026-12-24 18:00`. */
function localInstant(instant) {
  const text = new Date(instant.getTime() - instant.getTimezoneOffset() * 60000).toISOString().slice(0, 19).replace(
    "T",
    " ",
  );
  return text.endsWith(":00") ? text.slice(0, -3) : text;
}

/** Parses a typed instant to milliseconds since 1970; undefined for other text. */
function typedInstant(text, now) {
  const units = { m: 60e3, h: 3600e3, d: 86400e3, w: 7 * 86400e3 };
  const step = text.match(/^([+-])\s*(\d{1,5})\s*([mhdw])$/i);
  if (step) {
    return Math.floor((now + (step[1] === "-" ? -1 : 1) * Number(step[2]) * units[step[3].toLowerCase()]) / 60e3) *
      60e3;
  }
  const word = { today: 0, tomorrow: 1, yesterday: -1 }[text.toLowerCase()];
  if (word !== undefined) return Math.floor((now + word * units.d) / 60e3) * 60e3;
  const time = text.match(/^(\d{1,2}):(\d{2})$/);
  if (time) return new Date(now).setHours(Number(time[1]), Number(time[2]), 0, 0);
  const day = text.match(/^(\d{4})-(\d{2})-(\d{2})$/);
  // `Date` parses a day without a time in UTC, not in this time zone.
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const instant = new Date(day ? `${text}T00:00` : text.replace(/^(\S+) (\d)/, "$1T$2")).getTime();
  return Number.isNaN(instant) ? undefined : instant;
}
