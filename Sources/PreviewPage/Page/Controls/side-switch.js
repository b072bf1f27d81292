"use strict";
// The switch between this build, a channel's live content, and both side by side.

const SIDES = { build: "This build", live: "Live", both: "Side by side" };

class SideSwitch {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.view = session.view;
    this.inputs = Object.keys(SIDES).map((side) =>
      make("input", { type: "radio", name: "side", value: side, on: { change: () => this.#choose(side) } })
    );
    this.choices = make(
      "fieldset",
      { class: "sides" },
      make("legend", { class: "unseen", text: "Content" }),
      ...this.inputs.map((input) =>
        make("label", { class: "side" }, input, make("span", { text: SIDES[input.value] }))
      ),
    );
    this.channel = new Picker({
      id: "channel",
      label: "Channel",
      hidesLabel: true,
      options: () => session.state.comparing.map((name) => ({ value: name, text: name })),
      choose: (channel) => this.view.set({ channel }),
    });
    this.element = make("div", { class: "tool-box", hidden: true }, this.choices, this.channel.element);
  }

  #choose(side) {
    this.view.set({ side: side === "build" ? "" : side });
  }

  /** Selects the next choice. */
  step() {
    if (this.element.hidden) {
      return say(
        Exported.isOn
          ? "This export is compared with nothing"
          : "There is no channel to show: start with contentc preview --channel NAME",
      );
    }
    const names = Object.keys(SIDES);
    const next = names[(names.indexOf(this.session.side) + 1) % names.length];
    this.#choose(next);
    return say(SIDES[next]);
  }

  update() {
    const { side, channel, state: { comparing = [] } } = this.session;
    this.element.hidden = comparing.length === 0;
    for (const input of this.inputs) {
      input.checked = input.value === side;
      if (input.value === "live") input.nextSibling.textContent = this.session.isBase(channel) ? "Before" : SIDES.live;
    }
    this.channel.element.hidden = comparing.length === 1 || side === "build";
    this.channel.update(channel, channel ?? "");
  }
}
