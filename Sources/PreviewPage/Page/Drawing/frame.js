"use strict";
// A device: one reader's screen with its own history. It shows one place: an entry (`product/rose`), a
// bundle's list (`@catalog`) or the first screen (empty). After a build it is drawn again only if the
// place's content has changed.

const RTL = /^(ar|arc|azb|ckb|dv|fa|ha-arab|he|ku-arab|ks|nqo|pa-arab|pnb|ps|sd|syr|ug|ur|yi)(-|$)/i;

class Frame extends EventTarget {
  /** @type {Catalogue} */
  catalogue;
  /** @type {number} */
  instant;
  /** @type {Position | undefined} */
  standing;
  /** @type {FrameReader["tileRules"]} */
  tileRules;
  /** @type {EntryRecord | undefined} */
  record;
  /** What is drawn, and what it was drawn from. @type {string | undefined} */
  drawnPlace;
  /** @type {string | undefined} */
  key;
  /** Whether the drawing follows a build, so that changed texts flash. @type {boolean | undefined} */
  isAfterBuild;
  /** Whether the content behind a maintenance is shown. @type {boolean | undefined} */
  isBehind;

  // What the panel of the frame can do.
  /** @type {(() => Promise<void> | undefined) | undefined} */
  askAgain;
  /** @type {((text: string) => any) | undefined} */
  standAt;
  /** @type {((instant: string) => any) | undefined} */
  lookAt;
  /** @type {((view: Partial<CurrentView>) => any) | undefined} */
  changeReader;
  /** @type {((id: string) => Promise<{ why: string, offer?: Offer | undefined }>) | undefined} */
  explainAbsence;

  constructor() {
    super();
    this.stack = [""];
    /** @type {Map<string, any>} */
    this.expanded = new Map();
    /** @type {Map<string, any>} */
    this.maps = new Map();
    /** @type {Record<string, Record<string, string>>} */
    this.fallbacks = {};
    this.turn = 0;
    /** @type {(number | undefined)[]} */
    this.moments = [];
    /** @type {string[]} */
    this.used = [];
    this.overtaken = 0;
    this.#build();
  }

  #build() {
    this.title = make("h3", { class: "frame-title" });
    this.back = iconButton("back", "Back (Backspace)", () => this.goBack(), { class: "icon-button frame-back" });
    this.way = iconButton("home", "First screen", () => this.go(""));
    this.body = make("div", { class: "frame-body", tabindex: 0, role: "group", "aria-label": "Screen" });
    this.notice = make("div", { class: "frame-notice", role: "status", lang: "en" });
    this.device = make(
      "div",
      { class: "device" },
      make("div", { class: "frame-bar" }, this.back, this.title, this.way),
      this.body,
      this.notice,
    );
    this.caption = make("p", { class: "frame-caption" });
    this.element = make("section", { class: "frame", "aria-label": "This build" }, this.caption, this.device);
    this.body.append(emptyState("clock", "Loading …"));
    this.body.firstChild.classList.add("loading");
  }

  get place() {
    return this.stack[this.stack.length - 1];
  }

  get context() {
    return this.catalogue.context;
  }

  /**
   * Shows a reader, release and instant. Unchanged content is not drawn again.
   * @param {FrameReader&{fallbacks?:Record<string,Record<string,string>>}} reader
   */
  async update({ catalogue, instant, kinds, caption, fallbacks, channel, stand, tileRules }) {
    this.catalogue = catalogue;
    this.instant = instant;
    this.standing = stand;
    this.tileRules = tileRules;
    this.#name(channel);
    if (fallbacks) this.fallbacks = fallbacks;
    const hiding = this.isBehind && this.interrupted &&
      (this.interrupted.kind === "update" ? "an app that is too old" : "a maintenance");
    this.caption.textContent = hiding ? `${caption} · readers see ${hiding} instead` : caption;
    this.device.dataset.kind = kinds;
    this.body.lang = catalogue.release.locale(catalogue.context.locale);
    this.body.dir = RTL.test(this.body.lang) ? "rtl" : "ltr";
    this.device.dir = this.body.dir;
    await this.redraw();
  }

  /** Names the content: live content is framed differently from the build. */
  #name(channel) {
    this.element.setAttribute("aria-label", channel ? `Live in ${channel}` : "This build");
    this.element.classList.toggle("is-live", Boolean(channel));
  }

  /** Shows a failure in the place of content. */
  fail(title, error, channel, ...actions) {
    this.#name(channel);
    this.caption.textContent = channel ? `Live in ${channel}` : "This build";
    this.body.replaceChildren(emptyState("alert", title, error.message, ...actions));
    this.key = undefined;
    this.drawnPlace = undefined;
    this.record = undefined;
  }

  /** Opens a place and adds it to the history. */
  go(place) {
    if (place === this.place) return Promise.resolve();
    this.stack = place === "" ? [""] : [...this.stack, place].slice(-50);
    return this.#move();
  }

  goBack() {
    if (this.stack.length > 1) this.stack.pop();
    else this.stack = [""];
    return this.#move();
  }

  #move() {
    this.dispatchEvent(new Event("move"));
    this.body.scrollTop = 0;
    return this.redraw();
  }

  /** Follows an `action`: an entry's id is opened, another address is only shown in a notice. */
  follow(target) {
    if (!target) return this.tell("This element has no action.");
    if (isReference(target)) return this.go(target);
    return this.tell(`An app opens ${target}`);
  }

  /** Sets the place to stand on, by its text in the address of a view; empty for none. */
  stand(text) {
    if (this.standAt) return this.standAt(text);
    this.standing = typedPosition(text);
    return this.redraw();
  }

  tell(text) {
    this.notice.textContent = text;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => (this.notice.textContent = ""), 4000);
  }

  async redraw() {
    if (!this.catalogue) return undefined;
    const turn = ++this.turn;
    const { place } = this;
    /** @type {Drawn} */
    let drawn;
    // The content of other entries in the drawing, which is part of its key.
    this.used = [];
    this.moments = [];
    try {
      drawn = await this.#draw(place);
      this.overtaken = 0;
    } catch (error) {
      const again = error instanceof MissingObject && turn === this.turn && this.askAgain?.();
      if (again) return again;
      drawn = {
        key: `failed ${error.message}`,
        title: place,
        nodes: [emptyState("alert", "This cannot be shown", error.message, this.#home())],
      };
    }
    if (turn !== this.turn) return undefined;
    const key = `${place}\n${this.catalogue.release.base}\n${
      this.instant ? hiddenKey(drawn, this.instant) : ""
    }\n${this.body.lang}\n${drawn.key}\n${this.used.join("\n")}`;
    if (key !== this.key) this.#put(drawn, place, key);
    this.#chrome(drawn);
    this.dispatchEvent(new Event("drawn"));
    return undefined;
  }

  /**
   * @param {string} place
   * @returns {Promise<Drawn>}
   */
  async #draw(place) {
    const interrupted = this.interrupted;
    if (interrupted && !this.isBehind) return drawInterruption(this, interrupted);
    if (place === "maintenance") return drawMaintenance(this, "Readers see this during a maintenance.");
    if (place.startsWith("@")) return this.#drawList(place.slice(1));
    const id = place || await this.#start();
    if (id === undefined) {
      return { key: "none", title: this.catalogue.release.config.app, nodes: await this.#contents() };
    }
    const record = await this.catalogue.find(id, this.#likely(id));
    if (!record) return { key: "absent", title: id, nodes: [await this.#absent(id)] };
    const hidden = hiddenAt(record, this.instant);
    if (hidden) return { key: hidden, record, title: id, nodes: [this.#notNow(record, hidden)] };
    const nodes = await drawEntry(this, record);
    return {
      key: stateText(record),
      record,
      title: this.#titleOf(record),
      nodes,
      background: colour(record.content?.background),
    };
  }

  get interrupted() {
    return interruption(this.catalogue.release.config, this.context, this.instant);
  }

  /** The bundle that probably contains an entry: the one before, or the list that it was opened from. */
  #likely(id) {
    if (this.record?.id === id) return this.record?.bundle;
    const before = this.stack[this.stack.length - 2] ?? "";
    const list = before.startsWith("@") ? before.slice(1) : undefined;
    return list && !this.catalogue.rows[list] ? list.replace(/\/t[0-3]*$/, "") : list;
  }

  async #drawList(name) {
    const tile = this.catalogue.rows[name] ? undefined : await this.catalogue.tileNamed(name);
    if (tile) {
      return {
        key: `${stateText(tile.tile.row.object)} ${this.expanded.get(`@${name}`) ?? ""}`,
        title: { text: name },
        nodes: await drawTile(this, tile),
      };
    }
    if (!this.catalogue.rows[name]) {
      return {
        key: "absent",
        title: name,
        nodes: [emptyState("alert", "There is no such bundle", name, this.#home())],
      };
    }
    if (this.catalogue.isTiled(name)) return this.#drawMap(name);
    return {
      key: `${this.catalogue.key(name)} ${this.expanded.get(`@${name}`) ?? ""}`,
      title: { text: name },
      nodes: await drawBundle(this, name),
    };
  }

  async #drawMap(name) {
    const { country, app } = this.context;
    const key = [
      this.catalogue.key(name),
      country,
      app,
      this.standing && positionText(this.standing),
      stateText(this.tileRules?.[name]),
    ].join(" ");
    return { key, title: { text: name }, ...await drawMap(this, name) };
  }

  #titleOf(record) {
    const drawing = new Drawing(this, record);
    const title = drawing.first("title", "name", "label");
    return title ? { drawing, title } : { text: record.id };
  }

  /** The first screen: the first entry of a startup bundle that has elements. */
  async #start() {
    for (const name of this.catalogue.names().filter((name) => this.catalogue.isStartup(name))) {
      const bundle = await this.catalogue.bundle(name);
      const first = bundle.get("order")[0];
      if (first && bundle.get("entries").get(first).get("content").get?.("elements")) return first;
    }
    return undefined;
  }

  async #contents() {
    return this.catalogue.names().map((name) =>
      make(
        "button",
        {
          type: "button",
          class: "tappable element row line",
          "data-key": `@${name}`,
          on: { click: () => this.go(`@${name}`) },
        },
        make("span", { class: "part-title", text: name }),
        make("span", { class: "part-value", text: String(this.catalogue.count(name) ?? "") }),
        icon("forward"),
      )
    );
  }

  /**
   * @param {EntryRecord} record
   * @param {"appears" | "ended"} hidden
   */
  #notNow(record, hidden) {
    const moment = milliseconds(hidden === "appears" ? record.from : record.until) ?? 0;
    const [title, text] = hidden === "appears"
      ? ["Not yet", `${record.id} appears on ${shownInstant(moment)}.`]
      : ["Not any more", `${record.id} ended on ${shownInstant(moment)}.`];
    // Instants are whole seconds; the entry is still visible one second before its end.
    const at = instantText(new Date(hidden === "appears" ? moment : moment - 1000).toISOString());
    const look = this.lookAt &&
      frameButton(
        hidden === "appears" ? "Show that instant" : "Show the instant before",
        () => this.lookAt?.(at),
      );
    return emptyState("clock", title, text, look, this.#home());
  }

  #home() {
    return this.place !== "" && frameButton("First screen", () => this.go(""));
  }

  async #absent(id) {
    const { why, offer = undefined } = await this.explainAbsence?.(id) ??
      { why: "No bundle of this release contains it for this reader." };
    const other = offer && this.changeReader && frameButton(offer.text, () => this.changeReader?.(offer.view));
    return emptyState("alert", `${id} cannot be shown`, why, other, this.#home());
  }

  /**
   * @param {Drawn} drawn
   * @param {string} place
   * @param {string} key
   */
  #put(drawn, place, key) {
    const isSame = this.drawnPlace === place;
    const before = isSame ? textsOf(this.body) : undefined;
    const scroll = isSame ? this.body.scrollTop : 0;
    const held = isSame && this.body.contains(document.activeElement) ? document.activeElement?.dataset.key : undefined;
    drawn.apply?.();
    // A map stays in the page, so that its focus and announcements do.
    const isKept = drawn.nodes.length === this.body.childNodes.length &&
      drawn.nodes.every((node, i) => node === this.body.childNodes[i]);
    if (!isKept) this.body.replaceChildren(...drawn.nodes);
    this.body.style.setProperty("--screen", drawn.background ?? "#ffffff");
    this.body.scrollTop = scroll;
    if (held && document.activeElement?.dataset.key !== held) {
      [...this.body.querySelectorAll("[data-key]")].find((element) => element.dataset.key === held)?.focus({
        preventScroll: true,
      });
    }
    if (before && this.isAfterBuild) flashChanged(before, this.body);
    this.key = key;
    this.drawnPlace = place;
    this.markFallbacks();
    this.#markMisfits();
  }

  /** @param {Drawn} drawn */
  #chrome({ title, record }) {
    const { drawing = undefined, text } = title?.drawing || title?.text ? title : { text: title };
    this.title.replaceChildren(
      drawing
        ? drawing.text(title.title, drawing.content[title.title])
        : text
        ? make("span", { class: "own", lang: "en", text })
        : "",
    );
    this.back.disabled = this.stack.length < 2;
    this.way.disabled = this.place === "";
    this.record = record;
  }

  /** The next moment at which the content changes by itself, in milliseconds since 1970, or undefined. */
  get nextMoment() {
    const moments = [
      milliseconds(this.record?.from),
      milliseconds(this.record?.until),
      ...this.moments,
      ...this.catalogue ? maintenanceMoments(this.catalogue.release.config) : [],
    ];
    return moments.flatMap((moment) => moment !== undefined && moment > Date.now() ? [moment] : []).sort((a, b) =>
      a - b
    )[0];
  }

  /** Marks the texts from other locales. */
  markFallbacks(fallbacks = this.fallbacks) {
    this.fallbacks = fallbacks;
    for (const text of this.element.querySelectorAll(".text")) {
      const from = Object.hasOwn(fallbacks, text.dataset.entry)
        ? fallbacks[text.dataset.entry][text.dataset.path]
        : undefined;
      markFallback(text, from, this.body.lang);
    }
    requestAnimationFrame(() => hideCrowdedTags(this.device));
  }

  /** Marks elements that are higher than the `height` in the content. */
  #markMisfits() {
    requestAnimationFrame(() => {
      let misfits = 0;
      for (const element of this.body.querySelectorAll("[data-height]")) {
        const over = Math.round(element.getBoundingClientRect().height / this.scale - Number(element.dataset.height));
        element.classList.toggle("misfit", over > 1);
        if (over > 1) misfits += 1;
      }
      this.misfits = misfits;
      this.dispatchEvent(new Event("measured"));
    });
  }

  get scale() {
    return this.device.offsetWidth ? this.device.getBoundingClientRect().width / this.device.offsetWidth : 1;
  }
}

function stateText(value) {
  return JSON.stringify(
    value,
    (_, part) => (part instanceof Uint8Array ? hexadecimal(part) : typeof part === "bigint" ? `${part}` : part),
  );
}

/** The part of a list's key that depends on the instant; an entry's page is hidden as a whole. */
function hiddenKey(drawn, instant) {
  return drawn.record ? "" : `${Math.floor(instant / 60000)}\n`;
}

/** A note in the place of missing content: the reason, and buttons for the next step. */
function emptyState(drawing, title, text = "", ...actions) {
  const next = actions.filter(Boolean);
  return make(
    "div",
    { class: "empty", lang: "en", dir: "ltr" },
    icon(drawing),
    make("p", { class: "empty-title", text: title }),
    text && make("p", { class: "empty-text", text }),
    next.length > 0 && make("div", { class: "empty-next" }, ...next),
  );
}

/** A button of the preview, not of the content, in a frame. */
function frameButton(text, action) {
  return make("button", {
    type: "button",
    class: "own-button",
    lang: "en",
    "data-key": `own ${text}`,
    text,
    on: { click: action },
  });
}

function textsOf(body) {
  const texts = new Map();
  for (const text of body.querySelectorAll(".text")) {
    texts.set(`${text.dataset.entry} ${text.dataset.path}`, text.shownValue ?? text.firstChild?.data);
  }
  for (const image of body.querySelectorAll("img[data-path]")) {
    texts.set(`${image.dataset.entry} ${image.dataset.path}`, image.src);
  }
  return texts;
}

/** Highlights new and changed content for a moment. */
function flashChanged(before, body) {
  for (const element of body.querySelectorAll("[data-path]")) {
    const now = element instanceof HTMLImageElement ? element.src : element.shownValue ?? element.firstChild?.data;
    if (before.get(`${element.dataset.entry} ${element.dataset.path}`) !== now && element.matches(".text, img")) {
      element.classList.add("flash");
    }
  }
}

/**
 * Hides the tags that would cover something: another text, a picture, an icon, or the frame's edge. Pointing at the text, or the
 * focus, shows them.
 */
function hideCrowdedTags(device) {
  const tags = [...device.querySelectorAll(".from")];
  for (const tag of tags) tag.classList.remove("crowded");
  const boxes = [...device.querySelectorAll(".frame-body :is(.text, img, .icon, .own)")].flatMap((part) =>
    linesOf(part).map((box) => ({ part, box }))
  );
  const frame = device.querySelector(".frame-body").getBoundingClientRect();
  const isCrowded = tags.map((tag) => {
    const own = tag.closest(".text");
    const box = tag.getBoundingClientRect();
    if (box.left < frame.left || box.right > frame.left + device.querySelector(".frame-body").clientWidth) return true;
    // The tag of a rich text is at its corner, over its last line.
    return boxes.some(({ part, box: other }) => {
      if (part === own) return !own.matches(".markdown") && covers(box, other, 3);
      return !part.contains(own) && covers(box, other, 0);
    });
  });
  tags.forEach((tag, i) => tag.classList.toggle("crowded", isCrowded[i]));
}

/** The boxes of an element's own lines, without its tag. */
function linesOf(part) {
  if (!part.firstChild || !part.matches(".text")) return [part.getBoundingClientRect()];
  const range = document.createRange();
  const tail = part.querySelector(":scope > .tail");
  range.selectNodeContents(part);
  if (tail) range.setEndBefore(tail);
  return [...range.getClientRects()];
}

/** Returns true if two boxes overlap by more than some pixels in both directions. */
function covers(one, other, least) {
  return Math.min(one.right, other.right) - Math.max(one.left, other.left) > least &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > least;
}

/** Marks a text from another locale with a dotted line and the locale's tag, which is less prominent within a language. */
function markFallback(text, from, locale) {
  text.querySelector(".tail")?.remove();
  text.classList.toggle("fallback", Boolean(from));
  if (!from) return text.removeAttribute("lang");
  const isKin = from.split("-")[0] === locale.split("-")[0];
  text.classList.toggle("kin", isKin);
  text.lang = from;
  // The tail has no size, so that it does not change the line breaks.
  text.append(
    make(
      "span",
      { class: "tail" },
      make(
        "span",
        { class: "from", lang: "en", dir: "ltr" },
        unseen(isKin ? " (from " : " (not translated, shown in "),
        from,
        unseen(")"),
      ),
    ),
  );
  return undefined;
}
