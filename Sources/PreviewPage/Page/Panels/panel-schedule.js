"use strict";
// The moments at which content appears and ends; a click shows the content at that moment.

class SchedulePanel {
  constructor(session) {
    this.session = session;
    this.view = session.view;
    this.lead = make("p", { class: "lead", text: "Reading the schedule …" });
    this.empty = make("div", {});
    this.list = make("ol", { class: "moments" });
    this.element = make("div", { class: "panel schedule" }, panelHead("Schedule"), this.lead, this.empty, this.list);
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
    const coming = moments.filter(({ instant }) => Date.parse(instant) > now).length;
    this.lead.textContent = moments.length ? `${counted(coming, "moment")} to come, ${moments.length - coming} past${this.view.current.at ? ", as of the instant in view" : ""}.` : "";
    this.list.hidden = !moments.length;
    this.empty.replaceChildren(...moments.length ? [] : [this.#nothing()]);
    const items = moments.slice(0, 400).map((moment) => this.#moment(moment, now));
    const place = moments.findIndex(({ instant }) => Date.parse(instant) > now);
    const line = make("li", { class: "now-line" }, make("span", { text: this.view.current.at ? "In view" : "Now" }), make("time", { text: shownInstant(now) }));
    if (moments.length) items.splice(place < 0 ? items.length : place, 0, line);
    this.list.replaceChildren(...items, ...more(moments.length - 400, "moment"));
  }

  #nothing() {
    return emptyState("clock", "Nothing in this content appears or ends by itself", "Entries and list items with such a line are listed here.", command("when: {from: 2026-12-24T18:00:00Z, until: 2027-01-06T00:00:00Z}"));
  }

  #moment({ instant, entry, field, kind, embargo, contexts, location }, now) {
    const isPast = Date.parse(instant) <= now;
    return make("li", { class: `moment ${isPast ? "past" : ""}` },
      make("time", { datetime: instant, text: shownInstant(Date.parse(instant)) }),
      make("span", { class: `kind kind-${kind}`, text: kind }),
      make("span", { class: "moment-what" }, make("a", { href: this.view.address({ tab: "preview", show: entry, at: instant }), text: entry }), field && make("code", { text: field }),
        embargo && make("span", { class: "dim", title: "It is in no published file before this instant; 'contentc publish --if-due' publishes it then", text: "end of an embargo" }),
        contexts && make("span", { class: "dim", title: contexts.join(", "), text: `${counted(contexts.length, "context")} only` })),
      location && Places.link(location));
  }
}

const instantForm = new Intl.DateTimeFormat("en-GB", { year: "numeric", month: "short", day: "2-digit", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });

/** An instant in this machine's time zone, with the zone's name. */
function shownInstant(instant) {
  return instantForm.format(new Date(instant));
}
