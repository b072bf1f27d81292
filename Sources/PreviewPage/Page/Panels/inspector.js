"use strict";
// The source of a text: its field, file and line, its layer, and the other layers that were considered.

class Inspector {
  constructor(api, view) {
    this.api = api;
    this.view = view;
    this.isPinned = false;
    this.turn = 0;
    this.pin = iconButton("pin", "Keep this text (P)", () => this.togglePin(), { "aria-pressed": "false" });
    // Only a narrow window shows it: there, the inspector is a sheet.
    this.toggle = make(
      "button",
      {
        type: "button",
        class: "pane-toggle",
        on: { click: () => this.fold(!this.isFolded) },
      },
      icon("up"),
      "Source",
    );
    this.note = make("p", { class: "remark inspector-note", hidden: true });
    this.body = make("div", { class: "inspector-body" });
    this.element = make(
      "aside",
      { class: "inspector", "aria-labelledby": "inspector-title" },
      make(
        "div",
        { class: "pane-head" },
        make("h2", { id: "inspector-title", class: "pane-title", text: "Source" }),
        this.toggle,
        this.pin,
      ),
      this.note,
      this.body,
    );
    this.fold(true);
    this.#hint();
  }

  /** Shows the entry on the screen and instructions, until a text is selected. */
  #hint(record) {
    this.body.replaceChildren(
      ...this.#onScreen(record),
      make(
        "p",
        { class: "hint" },
        "Point at a text on the screen, or focus it with ",
        make("kbd", { text: "Tab" }),
        ", to see its file and line here. ",
        make("kbd", { text: "C" }),
        " copies them, ",
        ...Exported.isOn ? [] : [make("kbd", { text: "E" }), " opens them in the editor, "],
        make("kbd", { text: "P" }),
        " keeps them.",
      ),
      ...Places.editor || Exported.isOn ? [] : [
        make(
          "p",
          { class: "hint" },
          "To open files in an editor, start with ",
          make("code", { text: "--editor vscode" }),
          " or another editor’s name.",
        ),
      ],
      make(
        "p",
        { class: "hint legend-own" },
        make("span", { class: "own", text: "Blue with dashes" }),
        " marks words of the preview. Everything else is content.",
      ),
    );
  }

  #onScreen(record) {
    if (!record) return [];
    const moment = (value) => value && shownInstant(milliseconds(value));
    const facts = [
      ["Entry", record.id],
      ["Bundle", record.bundle],
      ["Tile", record.tile],
      ["Datatype", record.datatype],
      ["Appears", moment(record.from)],
      ["Ends", moment(record.until)],
      ["Offline", record.ttl && duration(record.ttl)],
    ].filter(([, value]) => value);
    return [
      make(
        "dl",
        { class: "facts" },
        ...facts.flatMap((
          [name, text],
        ) => [make("dt", { text: name }), make("dd", { class: "inspected-value", text })]),
      ),
    ];
  }

  /** Notes that the screen shows a channel's live content, whose source is unknown; undefined for the build. */
  explainsOther(channel, isBase = false) {
    this.note.hidden = !channel;
    if (!channel) return;
    this.note.replaceChildren(
      icon("alert"),
      make(
        "span",
        {},
        isBase
          ? "The screen shows the content before. The source below is that of the proposal and may differ."
          : `The screen shows what is live in ${channel}. The source below is that of the checkout and may differ.`,
      ),
    );
  }

  /** Shows the source of the text under the pointer or with the focus. */
  watch(frame) {
    const found = (event) => {
      const part = event.target.closest?.("[data-path]") ?? event.target.querySelector?.("[data-path]");
      if (part && frame.element.contains(part)) this.#soon(part, event.type === "focusin" ? 0 : 70);
    };
    frame.element.addEventListener("pointerover", found);
    frame.element.addEventListener("focusin", found);
    frame.addEventListener("drawn", () => this.#again(frame));
  }

  #soon(part, delay) {
    clearTimeout(this.timer);
    if (!this.isPinned) this.timer = setTimeout(() => this.show(part), delay);
  }

  /** Shows the selected field again after a build. */
  #again(frame) {
    if (!this.part) return this.#hint(frame.record);
    if (!this.part || frame.element.contains(this.part)) return this.refresh();
    const { entry, path } = this.part.dataset;
    const same = [...frame.element.querySelectorAll("[data-path]")].find((part) =>
      part.dataset.entry === entry && part.dataset.path === path
    );
    if (same) this.show(same);
  }

  get isFolded() {
    return this.element.classList.contains("folded");
  }

  /** Closes the sheet of a narrow window to its heading, or opens it. */
  fold(isFolded) {
    this.element.classList.toggle("folded", isFolded);
    this.toggle.setAttribute("aria-expanded", String(!isFolded));
  }

  togglePin() {
    this.isPinned = !this.isPinned;
    this.pin.setAttribute("aria-pressed", String(this.isPinned));
    say(this.isPinned ? "Kept" : "Not kept any more");
  }

  refresh() {
    if (this.part) this.show(this.part);
  }

  async show(part) {
    const turn = ++this.turn;
    if (part !== this.part) this.fold(false);
    this.part?.classList.remove("inspected");
    this.part = part;
    part.classList.add("inspected");
    const { entry, path } = part.dataset;
    try {
      const explained = await this.api.ask("explain", { entry, ...this.view.reader });
      if (turn === this.turn) this.#explain(explained, entry, path, part);
    } catch (error) {
      if (turn === this.turn) this.body.replaceChildren(make("p", { class: "hint", text: error.message }));
    }
  }

  #explain(explained, entry, path, part) {
    const { fields = [] } = explained;
    const field = fields.find((field) => field.path === path);
    const root = path.replace(/\.[^.\]]+$/, "");
    const kin = root === path ? [] : fields.filter((other) => other.path.startsWith(`${root}.`) && other.path !== path);
    this.location = field?.location;
    this.body.replaceChildren(
      ...explained.isShown === false ? [this.#otherSave()] : [],
      make(
        "p",
        { class: "inspected-path" },
        make("span", { class: "dim", text: `${entry} ` }),
        make("code", { text: path }),
      ),
      field
        ? this.#field(field)
        : make("p", { class: "hint", text: "The compiler computed this value. It is in no file." }),
      ...this.#contrast(part),
      ...kin.length
        ? [
          make("h3", { text: "Related fields" }),
          make("ul", { class: "siblings" }, ...kin.map((other) => this.#kin(other, root))),
        ]
        : [],
      ...this.#leftOut(explained, path),
    );
  }

  #field(field) {
    const rows = [
      [
        "Value",
        make("span", {
          class: "inspected-value",
          dir: "auto",
          text: field.removed ? "removed" : valueText(field.value),
        }),
      ],
      ["Layer", make("span", { class: "chip", text: layerName(field.layer) })],
    ];
    return make(
      "div",
      {},
      field.location && this.#place(field.location),
      make(
        "dl",
        { class: "facts" },
        ...rows.flatMap(([name, value]) => [make("dt", { text: name }), make("dd", {}, value)]),
      ),
      field.passedOver.length ? make("h3", { text: "Other layers" }) : undefined,
      make(
        "ol",
        { class: "passed" },
        ...field.passedOver.map((layer) =>
          make(
            "li",
            {},
            make("span", { class: "chip", text: layerName(layer.layer) }),
            layer.hidden
              ? make("span", {}, "overridden: ", this.#reference(layer.hidden))
              : make("span", { class: "dim", text: "no value" }),
          )
        ),
      ),
    );
  }

  #place(location) {
    const address = Places.address(location);
    return make(
      "div",
      { class: "place" },
      make("code", { class: "place-text", title: location }, ...breakable(shortPlace(location))),
      address &&
        make(
          "a",
          { class: "copy", href: address, "aria-label": `Open ${shortPlace(location)} in the editor` },
          icon("edit"),
          "Open",
        ),
      make(
        "button",
        {
          type: "button",
          class: address ? "copy second" : "copy",
          "aria-label": `Copy ${shortPlace(location)}`,
          on: { click: () => this.copy(location) },
        },
        icon("copy"),
        "Copy",
      ),
    );
  }

  /** A link to a related place, by the file's name. */
  #reference(location) {
    const place = shortPlace(location);
    return Places.link(location, place.slice(place.lastIndexOf("/") + 1));
  }

  #kin(field, root) {
    return make(
      "li",
      {},
      make("code", { text: field.path.slice(root.length + 1) }),
      make("span", { class: "kin-value", dir: "auto", text: field.removed ? "removed" : valueText(field.value) }),
      field.location && this.#reference(field.location),
    );
  }

  #otherSave() {
    return make(
      "p",
      { class: "remark other-save" },
      icon("alert"),
      "The last save has errors. This source is of another save than the screen: text and line may differ.",
    );
  }

  /** The items of the same list that are omitted for this reader, with the reasons. */
  #leftOut({ leftOut = [] }, path) {
    const list = path.slice(0, path.lastIndexOf("[") + 1);
    const items = list ? leftOut.filter((item) => item.path.startsWith(list)) : [];
    if (!items.length) return [];
    return [
      make("h3", { text: "Omitted for this reader" }),
      make(
        "ul",
        { class: "left-out" },
        ...items.map(({ path: item, when }) =>
          make(
            "li",
            {},
            make("code", { text: item }),
            make("span", { text: `when ${when.text}` }),
            this.#reference(when.location),
          )
        ),
      ),
    ];
  }

  /** A note if the content's colours are hard to read. */
  #contrast(part) {
    const ink = part.closest("[data-own-colour]")?.dataset.ownColour;
    const screen = colour(getComputedStyle(part.closest(".frame-body") ?? part).getPropertyValue("--screen").trim());
    if (!colour(ink) || !screen || part.closest(".filled")) return [];
    const ratio = contrast(ink, screen);
    return ratio < 4.5
      ? [
        make(
          "p",
          { class: "remark" },
          icon("alert"),
          `Hard to read: ${ink} on ${screen} has a contrast of ${decimal.format(ratio)} (4.5 is needed for small text)`,
        ),
      ]
      : [];
  }

  async copy(location = this.location) {
    if (location) await Places.copy(location);
  }

  openInEditor() {
    return this.location ? Places.open(this.location) : say("Point at a text first");
  }
}

/** Seconds as the largest whole unit. */
function duration(seconds) {
  /** @type {[number, string][]} */
  const units = [[86400, "day"], [3600, "hour"], [60, "minute"]];
  const [length, unit] = units.find(([length]) => seconds % length === 0) ?? [1, "second"];
  return `for ${counted(seconds / length, unit)}`;
}

function valueText(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function layerName(layer) {
  return layer === "base" ? "base file" : layer === "default" ? "schema’s default" : layer;
}
