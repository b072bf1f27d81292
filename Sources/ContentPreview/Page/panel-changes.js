"use strict";
// What readers of a channel would see change, entry by entry and field by field, with both versions side by side.

class ChangesPanel {
  constructor(session) {
    this.session = session;
    this.view = session.view;
    this.old = new Frame();
    this.new = new Frame();
    // What is compared is the content, whatever hides it from readers at present.
    for (const frame of [this.old, this.new]) frame.isBehind = true;
    this.channel = make("select", { id: "changes-channel", on: { change: () => this.view.set({ channel: this.channel.value, of: "" }) } });
    this.summary = make("p", { class: "lead" });
    this.list = make("ul", { class: "change-list" });
    this.detail = make("div", { class: "change-detail" });
    this.frames = make("div", { class: "frames pair", hidden: true }, this.old.element, this.new.element);
    this.element = make("div", { class: "panel changes" }, panelHead("Changes", make("label", { for: "changes-channel", text: "against" }), this.channel), this.summary,
      make("div", { class: "split" }, this.list, make("div", { class: "split-main" }, this.detail, this.frames)));
  }

  async update() {
    const { comparing = [] } = this.session.state;
    const { channel } = this.session;
    this.channel.replaceChildren(...comparing.map((name) => make("option", { value: name, text: name })));
    this.channel.hidden = !channel;
    this.list.hidden = !channel;
    if (!channel) return this.#nothing("No channel to compare with: start with contentc preview --channel NAME.");
    this.channel.value = channel;
    try {
      const changes = await this.session.api.ask("changes", { channel });
      return this.#draw(channel, changes);
    } catch (error) {
      return this.#nothing(error.message);
    }
  }

  #nothing(text) {
    this.summary.textContent = text;
    this.frames.hidden = true;
    this.detail.replaceChildren();
    this.list.replaceChildren();
  }

  async #draw(channel, { entries, newObjects, newBytes }) {
    if (entries.length === 0) return this.#nothing(`Readers of ${channel} have exactly this content.`);
    const sent = newObjects === undefined ? "" : `; publishing sends ${counted(newObjects, "object")}, ${size(newBytes)}`;
    this.summary.textContent = `${counted(entries.length, "entry differs", "entries differ")}${sent}.`;
    const chosen = entries.find(({ id }) => id === this.view.current.of) ?? entries[0];
    this.list.replaceChildren(...entries.slice(0, 500).map((entry) => this.#item(entry, entry === chosen)));
    this.#drawFields(chosen);
    this.frames.hidden = false;
    for (const frame of [this.old, this.new]) frame.stack = [chosen.id];
    return Promise.all([showLive(this.session, this.old, channel), this.session.reader().then((reader) => this.new.update(reader))])
      .then(() => this.#mark(chosen));
  }

  #item({ id, kind, fields = [] }, isChosen) {
    return make("li", {}, make("button", { type: "button", class: "change", "aria-current": isChosen ? "true" : undefined, on: { click: () => this.view.set({ of: id }) } },
      make("span", { class: `kind kind-${kind}`, text: kind }), make("span", { class: "change-id", text: id }),
      kind === "changed" && make("span", { class: "dim", text: counted(fields.length, "field") })));
  }

  #drawFields({ id, kind, fields = [], contexts = [] }) {
    const rows = fields.map((field) => make("div", { class: "diff" },
      make("code", { class: "diff-path", text: field.path }),
      make("del", { class: "diff-old", dir: "auto" }, unseen("before: "), field.old === undefined ? "—" : valueText(field.old)),
      make("ins", { class: "diff-new", dir: "auto" }, unseen("now: "), field.new === undefined ? "—" : valueText(field.new)),
      make("span", { class: "dim diff-contexts", title: (field.contexts ?? contexts).join(", "), text: counted((field.contexts ?? contexts).length, "context") })));
    this.detail.replaceChildren(make("h3", { text: id }), kind === "changed" ? make("div", { class: "diffs" }, ...rows)
      : make("p", { class: "dim", text: `${kind} in ${counted(contexts.length, "context")}` }));
  }

  #mark({ fields = [], id }) {
    const paths = new Set(fields.map(({ path }) => path));
    for (const frame of [this.old, this.new]) {
      for (const part of frame.element.querySelectorAll("[data-path]")) {
        part.classList.toggle("differs", part.dataset.entry === id && paths.has(part.dataset.path));
      }
    }
  }
}

/** A panel's heading, and what can be chosen in it. */
function panelHead(title, ...controls) {
  return make("div", { class: "panel-head" }, make("h2", { text: title }), ...controls);
}
