"use strict";
// The changes for readers of a channel, by entry and field, with both versions side by side.

class ChangesPanel {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.view = session.view;
    this.old = new Frame();
    this.new = new Frame();
    // Content is compared even if readers currently see a maintenance screen.
    for (const frame of [this.old, this.new]) frame.isBehind = true;
    this.channel = new Picker({
      id: "changes-channel",
      label: "against",
      options: () => session.state.comparing.map((name) => ({ value: name, text: name })),
      choose: (channel) => this.view.set({ channel, of: "" }),
    });
    this.rollout = new RolloutSwitch(session, "changes-rollout");
    this.empty = make("div", {});
    this.summary = make("p", { class: "lead" });
    this.list = make("ul", { class: "change-list" });
    this.detail = make("div", { class: "change-detail" });
    this.frames = make("div", { class: "frames pair", hidden: true }, this.old.element, this.new.element);
    this.element = make(
      "div",
      { class: "panel changes" },
      panelHead("Changes", this.channel.element),
      this.rollout.element,
      this.summary,
      this.empty,
      make("div", { class: "split" }, this.list, make("div", { class: "split-main" }, this.detail, this.frames)),
    );
  }

  async update() {
    const { comparing = [] } = this.session.state;
    const { channel, rollout } = this.session;
    this.channel.element.hidden = comparing.length === 0;
    if (!channel) return this.#nothing(this.#noChannel());
    this.channel.update(channel, channel);
    if (!this.list.children.length) this.summary.textContent = `Comparing with ${channel} …`;
    try {
      const changes = await this.session.api.ask("changes", { channel, rollout });
      this.rollout.update(changes);
      return this.#draw(channel, changes);
    } catch (error) {
      this.rollout.update(undefined);
      return this.#nothing(
        emptyState(
          "alert",
          `“${channel}” cannot be compared`,
          error.message,
          this.#button("Try again", () => this.update()),
        ),
      );
    }
  }

  #button(text, action) {
    return make("button", { type: "button", class: "tool", text, on: { click: action } });
  }

  #noChannel() {
    return emptyState(
      "list",
      ...Exported.isOn
        ? [
          "This export is compared with nothing",
          "“--base” or a channel of content.yaml adds a comparison to an export.",
        ]
        : [
          "There is no channel to compare with",
          "Start the preview with a channel of content.yaml:",
          command(startCommand(this.session, plainWord(this.session.state.channels?.[0]))),
        ],
    );
  }

  #nothing(state) {
    this.summary.textContent = "";
    this.empty.replaceChildren(state);
    this.list.parentNode.hidden = true;
    this.frames.hidden = true;
    this.detail.replaceChildren();
    this.list.replaceChildren();
  }

  /**
   * @param {string} channel
   * @param {Changes} changes
   */
  async #draw(channel, { entries, newObjects, newBytes, side }) {
    if (entries.length === 0) {
      return this.#nothing(
        emptyState(
          "check",
          this.session.isBase(channel)
            ? "Readers see no change"
            : `Readers ${side ? `on the ${side} side ` : ""}of ${channel} have exactly this content`,
          Exported.isOn ? "" : "Entries that a save changes are listed here.",
          this.#button("Show the screen", () => this.view.set({ tab: "preview" })),
        ),
      );
    }
    this.empty.replaceChildren();
    this.list.parentNode.hidden = false;
    const sent = newObjects === undefined || this.session.isBase(channel)
      ? ""
      : `; publishing sends ${counted(newObjects, "object")}, ${size(newBytes)}`;
    const than = side ? ` from the ${side} side` : "";
    this.summary.textContent = `${counted(entries.length, "entry differs", "entries differ")}${than}${sent}.`;
    const chosen = entries.find(({ id }) => id === this.view.current.of) ?? entries[0];
    this.list.replaceChildren(
      ...entries.slice(0, 500).map((entry) => this.#item(entry, entry === chosen)),
      ...more(entries.length - 500, "entry", "entries"),
    );
    this.#drawFields(chosen);
    this.frames.hidden = false;
    for (const frame of [this.old, this.new]) frame.stack = [chosen.id];
    return Promise.all([
      showLive(this.session, this.old, channel),
      this.session.reader().then((reader) => this.new.update(reader)),
    ])
      .then(() => this.#mark(chosen));
  }

  #item({ id, kind, fields = [] }, isChosen) {
    return make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          class: "change",
          "aria-current": isChosen ? "true" : undefined,
          on: { click: () => this.view.set({ of: id }) },
        },
        make("span", { class: `kind kind-${kind}`, text: kind }),
        make("span", { class: "change-id", text: id }),
        kind === "changed" && make("span", { class: "dim", text: counted(fields.length, "field") }),
      ),
    );
  }

  #drawFields({ id, kind, fields = [], contexts = [] }) {
    const rows = fields.map((field) =>
      make(
        "div",
        { class: "diff" },
        make("code", { class: "diff-path", text: field.path }),
        ...this.#values(field),
        make("span", {
          class: "dim diff-contexts",
          title: (field.contexts ?? contexts).join(", "),
          text: counted((field.contexts ?? contexts).length, "context"),
        }),
      )
    );
    this.detail.replaceChildren(
      make(
        "h3",
        {},
        make("a", { class: "id-link", href: this.view.address({ tab: "preview", show: id, side: "" }), text: id }),
      ),
      kind === "changed"
        ? make("div", { class: "diffs" }, ...rows)
        : make("p", { class: "dim", text: `${kind} in ${counted(contexts.length, "context")}` }),
    );
  }

  /** The values of a field before and now. Of two texts, the words that differ are marked. */
  #values({ old, new: now }) {
    const [before, after] = typeof old === "string" && typeof now === "string"
      ? markedWords(old, now)
      : [old, now].map((value) => [value === undefined ? "—" : valueText(value)]);
    return [
      make("del", { class: "diff-old", dir: "auto" }, unseen("before: "), ...before),
      make("ins", { class: "diff-new", dir: "auto" }, unseen("now: "), ...after),
    ];
  }

  #mark({ fields = [], id }) {
    markDifferences(this.old, this.new, new Set(fields.map(({ path }) => `${id} ${path}`)));
  }
}

/** The number of items of a long list that are not shown. */
function more(count, one, many) {
  return count > 0 ? [make("li", { class: "hint more-items", text: `and ${counted(count, one, many)} more` })] : [];
}

/** A panel's heading and its controls. */
function panelHead(title, ...controls) {
  return make("div", { class: "panel-head" }, make("h2", { text: title }), ...controls);
}
