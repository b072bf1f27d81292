"use strict";
// A channel's rollout in words, and the switch between the live content of its two sides.

const ROLLOUT_SIDES = { "": "Stable side", next: "Next side" };

class RolloutSwitch {
  /**
   * @param {Session} session
   * @param {string} id
   */
  constructor(session, id) {
    this.view = session.view;
    this.inputs = Object.keys(ROLLOUT_SIDES).map((rollout) =>
      make("input", { type: "radio", name: id, value: rollout, on: { change: () => this.view.set({ rollout }) } })
    );
    this.text = make("p", {});
    this.element = make(
      "div",
      { class: "rollout", hidden: true },
      make(
        "fieldset",
        { class: "sides" },
        make("legend", { class: "unseen", text: "Readers" }),
        ...this.inputs.map((input) =>
          make("label", { class: "side" }, input, make("span", { text: ROLLOUT_SIDES[input.value] }))
        ),
      ),
      this.text,
    );
  }

  /**
   * Shows the rollout of a live release; hides the switch without one.
   * @param {LiveFacts | undefined} facts
   */
  update(facts) {
    const { rollout, of, release, issued } = facts ?? {};
    this.element.hidden = !rollout;
    if (!rollout) return;
    for (const input of this.inputs) input.checked = input.value === this.view.current.rollout;
    const percent = `${percentBelow(rollout.below)} %`;
    const others = of === undefined ? "the stable side" : `the content of release ${of}, the stable side`;
    const time = milliseconds(issued);
    this.text.textContent = `Rollout ${rollout.name}: ${percent} of the readers get release ${rollout.release}, ` +
      `the next side; the others get ${others}.` +
      (time ? ` Release ${release} was published on ${shownInstant(time)}.` : "");
  }
}
