"use strict";
// The first view: the contents, the screen, and the inspector; with a channel, also its live content.

class PreviewPanel {
  /** @type {Roving} */
  toolStops;

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.view = session.view;
    this.frame = new Frame();
    this.frame.element.classList.add("primary");
    this.live = new Frame();
    for (const frame of [this.frame, this.live]) {
      Object.assign(frame, {
        lookAt: Exported.isOn ? undefined : (/** @type {string} */ at) => this.view.set({ at }),
        standAt: (stand) => this.view.set({ stand }),
      });
    }
    this.inspector = new Inspector(session.api, this.view);
    this.contents = new Contents((place) => this.open(place));
    this.inspector.watch(this.frame);
    this.frame.askAgain = () => this.#askAgain();
    this.sides = new SideSwitch(session);
    this.rollout = new RolloutSwitch(session, "preview-rollout");
    this.frame.explainAbsence = (id) => explainAbsence(session, id);
    this.frame.changeReader = (change) => this.view.set(change);
    this.frame.addEventListener("move", () => this.#moved());
    this.frame.addEventListener("measured", () => this.#drawTools());
    this.frame.addEventListener("drawn", () => this.contents.mark(this.frame.record?.id ?? this.frame.place));
    for (const frame of [this.frame, this.live]) frame.addEventListener("drawn", () => this.#compare());
    this.#build();
  }

  #build() {
    this.banner = make("div", { class: "notice bad banner-line", hidden: true });
    this.remarks = make("p", { class: "remarks", "aria-live": "polite" });
    this.marks = make("button", {
      type: "button",
      class: "tool",
      "aria-pressed": "true",
      text: "Fallback marks",
      title: "M",
      on: { click: () => this.toggleMarks() },
    });
    const link = make(
      "button",
      { type: "button", class: "tool", on: { click: () => this.copyLink() } },
      icon("link"),
      "Copy link",
    );
    const contents = make(
      "button",
      {
        type: "button",
        class: "tool contents-tool",
        "aria-expanded": "false",
        on: { click: () => this.#unfold(contents) },
      },
      icon("list"),
      "Contents",
    );
    const buttons = make("div", { class: "tool-buttons", role: "toolbar", "aria-label": "Screen" }, this.marks, link);
    this.toolStops = new Roving(buttons, "button");
    const tools = make(
      "div",
      { class: "tools", role: "group", "aria-label": "Frame" },
      contents,
      this.sides.element,
      buttons,
      this.remarks,
    );
    this.stage = make(
      "div",
      { class: "stage" },
      make("h2", { class: "unseen", text: "Screen" }),
      tools,
      this.rollout.element,
      this.frames = make("div", { class: "frames" }, this.live.element, this.frame.element),
      this.banner,
    );
    this.element = make("div", { class: "panel preview" }, this.contents.element, this.stage, this.inspector.element);
  }

  #unfold(button) {
    const isOpen = this.contents.element.classList.toggle("open");
    button.setAttribute("aria-expanded", String(isOpen));
  }

  open(place) {
    this.contents.element.classList.remove("open");
    return this.frame.go(place);
  }

  #moved() {
    this.view.set({ show: this.frame.place });
    if (this.session.side === "both") this.live.go(this.frame.place);
  }

  /** Shows the current view. After a build (`isAfterBuild`), changes are highlighted. */
  async update(isAfterBuild = false) {
    const { session, view } = this;
    const channel = session.side === "live" ? session.channel : undefined;
    this.#follow(this.frame, view.current.show);
    this.#drawSides(channel);
    this.#drawRollout();
    try {
      const reader = await session.reader(channel);
      this.frame.isAfterBuild = isAfterBuild;
      this.reader = reader;
      const isOther = this.fallbacksOf !== `${reader.caption}`;
      await this.frame.update({ ...reader, ...isOther || channel ? { fallbacks: {} } : {} });
      this.fallbacksOf = reader.caption;
      setTimeout(() => this.#afterwards(reader));
    } catch (error) {
      const again = error instanceof MissingObject && this.#askAgain();
      if (again) return again;
      this.reader = undefined;
      this.#fail(error, channel);
    }
    this.#drawBeside(isAfterBuild);
    this.#drawBanner();
    this.#watchClock();
    return undefined;
  }

  #fail(error, channel) {
    const { session } = this;
    if (channel) return this.frame.fail(`“${channel}” cannot be read`, error, channel);
    if (session.state.build) return this.frame.fail("The build cannot be read", error);
    if (!session.errors.length) {
      return this.frame.fail("The content is being built for the first time", {
        message: "The screen appears here when the build is done.",
      });
    }
    return this.frame.fail(
      "There is no build yet",
      {
        message: `There ${session.errors.length === 1 ? "is" : "are"} ${
          counted(session.errors.length, "error")
        } in the content.`,
      },
      undefined,
      frameButton("Show the problems", () => this.view.set({ tab: "problems" })),
    );
  }

  /** Marks differences while both frames show the same place. */
  #compare() {
    const isBoth = this.session.side === "both" && !this.live.element.hidden;
    if (isBoth && this.frame.drawnPlace === this.live.drawnPlace) {
      this.differing = markDifferences(this.frame, this.live);
    } else if (this.differing !== undefined) this.differing = clearDifferences(this.frame, this.live);
    this.#drawTools();
  }

  /** Sources and fallbacks are known for the build only, not for live content. */
  #drawSides(channel) {
    this.sides.update();
    this.marks.disabled = Boolean(channel);
    this.toolStops.update();
    this.marks.title = channel
      ? `Fallback marks are available for this build only, not for ${
        this.session.isBase(channel) ? "the content before" : `what is live in ${channel}`
      }`
      : "M";
    this.inspector.explainsOther(channel, this.session.isBase(channel));
  }

  /** Describes the rollout of a channel whose live content is shown. */
  async #drawRollout() {
    const { session } = this;
    const { side, channel } = session;
    if (side === "build") return this.rollout.update(undefined);
    const release = await session.release(channel).catch(() => undefined);
    if (side !== session.side || channel !== session.channel) return undefined;
    return this.rollout.update(release && { ...release.config, rollout: release.rollout });
  }

  /** Reads config again, a few times, after a newer build has removed an object. */
  #askAgain() {
    this.frame.overtaken = (this.frame.overtaken ?? 0) + 1;
    if (this.frame.overtaken > 5) return undefined;
    this.session.releases.clear();
    return new Promise((go) => setTimeout(go, 20 * this.frame.overtaken)).then(() =>
      this.update(this.frame.isAfterBuild)
    );
  }

  #follow(frame, show) {
    if (frame.place === show) return;
    if (frame.stack[frame.stack.length - 2] === show) frame.stack.pop();
    else frame.stack = show ? [...frame.stack, show] : [""];
  }

  /** Updates the contents and the fallback marks after the screen is drawn. */
  #afterwards(reader) {
    if (this.reader !== reader) return;
    Promise.resolve(this.contents.update(reader.catalogue, this.frame.record?.id ?? this.frame.place)).catch(() => {});
    // This is the most expensive request, so quick saves are combined.
    clearTimeout(this.marking);
    if (reader.channel) return;
    this.marking = setTimeout(() => this.#mark(reader), 120);
  }

  async #mark(reader) {
    const fallbacks = await this.session.fallbacks().catch(() => undefined);
    if (this.reader !== reader || !fallbacks) return;
    this.frame.markFallbacks(fallbacks);
    this.#drawTools();
  }

  async #drawBeside(isAfterBuild) {
    this.live.element.hidden = this.session.side !== "both";
    this.frames.classList.toggle("both", !this.live.element.hidden);
    if (this.live.element.hidden) return this.#compare();
    this.#follow(this.live, this.view.current.show);
    this.live.isAfterBuild = isAfterBuild;
    await showLive(this.session, this.live, this.session.channel);
    this.#compare();
    return this.#watchClock();
  }

  #drawTools() {
    const count = this.frame.element.querySelectorAll(".fallback:not(.kin)").length;
    const { misfits = 0 } = this.frame;
    const parts = [
      this.differing && `${this.differing} ${this.differing === 1 ? "differs" : "differ"}`,
      count && `${counted(count, "text")} not translated`,
      misfits && `${misfits} ${misfits === 1 ? "does" : "do"} not fit`,
    ].filter(Boolean);
    const text = parts.join(" · ");
    if (this.remarks.textContent !== text) this.remarks.textContent = text;
  }

  #drawBanner() {
    const [first] = this.session.errors;
    this.banner.hidden = !first;
    if (!first) return;
    const others = this.session.errors.length - 1;
    this.banner.replaceChildren(
      icon("alert"),
      make(
        "div",
        { class: "banner-text" },
        make("p", {}, make("strong", { text: "The last save has errors; this is the build before it." })),
        make(
          "p",
          { class: "banner-error" },
          first.file && Places.link([first.file, first.line, first.column].filter(Boolean).join(":")),
          make("span", { dir: "auto", text: first.message }),
        ),
      ),
      make("a", {
        href: this.view.address({ tab: "problems" }),
        text: others ? `Show ${others + 1} problems` : "Show the problem",
      }),
    );
  }

  /** Draws again at the next moment at which an entry or a maintenance begins or ends. */
  #watchClock() {
    clearTimeout(this.clock);
    if (this.view.current.at || Exported.isOn) return;
    const frames = this.session.side === "both" ? [this.frame, this.live] : [this.frame];
    const next = Math.min(...frames.map((frame) => frame.nextMoment ?? Infinity));
    if (next - Date.now() < 2 ** 31 - 1) this.clock = setTimeout(() => this.update(), next - Date.now() + 20);
  }

  /** Updates the errors, which can change without a new build. */
  refreshState() {
    this.#drawBanner();
    this.inspector.refresh();
  }

  toggleMarks() {
    if (this.marks.disabled) return say(this.marks.title);
    const isOn = this.marks.getAttribute("aria-pressed") !== "true";
    this.marks.setAttribute("aria-pressed", String(isOn));
    this.element.classList.toggle("unmarked", !isOn);
    return undefined;
  }

  async copyLink() {
    await copyText(location.href);
    say("Copied the link to this view");
  }
}

/** Shows a channel's live content in a frame, or the reason why it cannot be read. */
async function showLive(session, frame, channel) {
  const turn = (frame.asked = (frame.asked ?? 0) + 1);
  try {
    const reader = await session.reader(channel);
    if (turn === frame.asked) await frame.update(reader);
  } catch (error) {
    if (turn !== frame.asked) return;
    frame.fail(`“${channel}” cannot be read`, error, channel);
  }
}

/**
 * The reason why no bundle contains an entry for this reader, from the sources, and the change of the view that shows it: `{why, offer}`.
 * @param {Session} session
 * @param {string} id
 * @param {string} locale
 * @returns {Promise<{ why: string, offer?: Offer | undefined }>}
 */
async function explainAbsence(session, id, locale = session.view.reader.locale) {
  if (session.side === "live") return { why: "No bundle of this release contains it for this reader." };
  const { device } = session.view.current;
  try {
    const explained = await session.api.ask("explain", { entry: id, ...session.view.reader, locale });
    const { when } = explained;
    if (when?.unmet) {
      return {
        why: `Its condition is not met here: ${when.text} (${shortPlace(when.location)}).`,
        offer: readerWithin(when),
      };
    }
    return {
      why: explained.isPresent === false
        ? `It is not present for ${locale} on ${device}.`
        : "It is in the content, but no bundle includes it for this reader.",
    };
  } catch (error) {
    return { why: error.message };
  }
}

/**
 * The change of the view to a reader who meets a condition: `{text, view}`, if only the country or the device is another one.
 * @param {UnmetCondition} when
 * @returns {Offer | undefined}
 */
function readerWithin({ text, unmet }) {
  const [name, ...others] = unmet ?? [];
  const [, value] = text?.match(new RegExp(`(?:^|, )${name}: \\[?([A-Za-z0-9-]+)`)) ?? [];
  if (!["country", "device"].includes(name) || others.length || value === undefined) return undefined;
  return { text: `Show it for ${name === "country" ? countryName(value) : value}`, view: { [name]: value } };
}
