"use strict";
// The moments at which content appears and ends, the coming ones first; a click shows the content at that moment.

class SchedulePanel {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.view = session.view;
    this.lead = make("p", { class: "lead", text: "Reading the schedule …" });
    this.empty = make("div", {});
    this.coming = make("ol", { class: "moments" });
    this.past = make("ol", { class: "moments" });
    this.pastTitle = make("summary", {});
    this.before = make("details", { class: "past-moments" }, this.pastTitle, this.past);
    // Its title is empty until the moments are known.
    this.before.hidden = true;
    this.element = make(
      "div",
      { class: "panel schedule" },
      panelHead("Schedule"),
      this.lead,
      this.empty,
      this.coming,
      this.before,
    );
  }

  async update() {
    try {
      const { moments } = await this.session.api.ask("schedule");
      this.#draw(moments);
    } catch (error) {
      this.lead.textContent = error.message;
    }
  }

  #draw(moments) {
    const now = this.view.instant;
    const coming = moments.filter(({ instant }) => Date.parse(instant) > now);
    const past = moments.filter(({ instant }) => Date.parse(instant) <= now).reverse();
    this.lead.textContent = moments.length
      ? `${counted(coming.length, "moment")} to come${
        this.view.current.at ? ", as of the instant in view" : ""
      }. Times are in the time zone that the content names for them.`
      : "";
    this.coming.hidden = !moments.length;
    this.empty.replaceChildren(...moments.length ? [] : [this.#nothing()]);
    const isThen = Boolean(this.view.current.at) || Exported.isOn;
    const line = make(
      "li",
      { class: "now-line" },
      make("span", { text: isThen ? "In view" : "Now" }),
      make("time", { text: shownInstant(now) }),
    );
    this.coming.replaceChildren(
      line,
      ...coming.slice(0, 400).map((moment) => this.#moment(moment, now)),
      ...more(coming.length - 400, "moment"),
    );
    this.before.hidden = !past.length;
    this.pastTitle.textContent = counted(past.length, "past moment");
    this.past.replaceChildren(
      ...past.slice(0, 400).map((moment) => this.#moment(moment, now)),
      ...more(past.length - 400, "moment"),
    );
    this.#nameEntries();
  }

  /** Adds the titles of what appears or ends, as the reader sees them; an entry that this reader does not get has none. */
  async #nameEntries() {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const catalogue = await this.session.catalogue().catch(() => undefined);
    if (!catalogue) return;
    for (const name of this.element.querySelectorAll(".moment-title")) {
      const record = await catalogue.find(name.dataset.of).catch(() => undefined);
      if (turn !== this.turn) return;
      name.textContent = record ? titleAt(record.content, name.dataset.field) ?? "" : "";
    }
  }

  #nothing() {
    return emptyState(
      "clock",
      "Nothing in this content appears or ends by itself",
      "Entries and list items with such a line are listed here.",
      command("when: {from: 2026-12-24T18:00:00Z, until: 2027-01-06T00:00:00Z}"),
    );
  }

  #moment({ instant, entry, field, kind, embargo, contexts, location, text }, now) {
    const moment = Date.parse(instant);
    return make(
      "li",
      { class: `moment ${moment <= now ? "past" : ""}` },
      make(
        "time",
        { datetime: instant, title: `${shownInstant(moment)} here` },
        shownInstant(moment, writtenZone(text)),
        make("span", { class: "moment-when", text: distanceInTime(moment, now) }),
      ),
      make("span", { class: `kind kind-${kind}`, text: kind }),
      make(
        "span",
        { class: "moment-what" },
        make("bdi", { class: "moment-title", "data-of": entry, "data-field": field }),
        make("a", { href: this.view.address({ tab: "preview", show: entry, at: instant }), text: entry }),
        field && make("code", { text: field }),
        embargo &&
          make("span", {
            class: "dim",
            title: "It is in no published file before this instant; 'contentc publish --if-due' publishes it then",
            text: "end of an embargo",
          }),
        contexts &&
          make("span", {
            class: "dim",
            title: contexts.join(", "),
            text: `${counted(contexts.length, "context")} only`,
          }),
      ),
      location && Places.link(location),
    );
  }
}

/** @type {Intl.DateTimeFormatOptions} */
const INSTANT_FORM = {
  year: "numeric",
  month: "short",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
};

/** An instant with the name of its time zone: this machine's, unless another one is given. */
function shownInstant(instant, timeZone) {
  try {
    return new Intl.DateTimeFormat("en-GB", { ...INSTANT_FORM, timeZone }).format(new Date(instant));
  } catch {
    // The browser may not know a zone that the compiler knows.
    return new Intl.DateTimeFormat("en-GB", INSTANT_FORM).format(new Date(instant));
  }
}

/** The time zone of a written date such as `2026-12-24T18:00 Europe/Paris` or `…T18:00+01:00`; undefined without one. */
function writtenZone(text) {
  const [, zone] = text?.match(/ ([A-Za-z][\w+/-]*)$/) ?? text?.match(/T[\d:.]+(Z|[+-]\d{2}:\d{2})$/) ?? [];
  return zone === "Z" ? "UTC" : zone;
}

const distanceForm = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/**
 * The time from now to an instant in its largest whole unit, such as “in 9 days” or “2 hours ago”.
 * @param {number} instant
 * @param {number} now
 */
function distanceInTime(instant, now) {
  const seconds = (instant - now) / 1000;
  /** @type {[Intl.RelativeTimeFormatUnit, number][]} */
  const units = [["year", 365 * 86400], ["month", 30 * 86400], ["day", 86400], ["hour", 3600], ["minute", 60]];
  const [unit, length] = units.find(([name, length]) => Math.abs(seconds) >= length * (name === "month" ? 2 : 1)) ??
    ["second", 1];
  return distanceForm.format(Math.trunc(seconds / length), unit);
}

/** The title of an entry's content, or of the list item at a path such as `elements[holidays]`. */
function titleAt(content, path) {
  const [, name, id] = path?.match(/^([^[\]]+)\[([^\]]+)\]$/) ?? [];
  const items = Array.isArray(content?.[name]) ? content[name] : [];
  const part = name === undefined ? content : items.find((item) => item?.id === id) ?? items[Number(id)];
  return ["title", "name", "label", "text"].map((key) => part?.[key]).find((text) =>
    typeof text === "string" && text !== ""
  );
}
