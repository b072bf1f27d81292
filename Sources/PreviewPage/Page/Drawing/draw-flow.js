"use strict";
// A step of a flow: progress, screen, choices, form, and the buttons to continue and cancel.

class FlowDrawing {
  constructor(drawing) {
    this.drawing = drawing;
  }

  static isFlow(content) {
    return ["continueURL", "cancelURL", "continueTitle", "choices"].some((name) => name in content);
  }

  async draw() {
    const { drawing } = this;
    const screen = Array.isArray(drawing.content.elements) ? new ScreenDrawing(drawing).draw() : pageHead(drawing);
    if (colour(drawing.content.background)) drawing.draws("background");
    return [await this.#progress(), ...screen, ...await this.#choices(), ...await this.#forms(), this.#ways()].filter(
      Boolean,
    );
  }

  /** The choices: cards for entries, texts for others. */
  async #choices() {
    const { drawing } = this;
    const { choices } = drawing.content;
    if (!Array.isArray(choices)) return [];
    if (choices.length && choices.every(isReference)) {
      drawing.draws("choices");
      return [await cardsOf(drawing.frame, choices, drawing.id)];
    }
    return choices.flatMap((item, place) => this.#choice(item, itemPath("choices", item, place)));
  }

  #choice(item, path) {
    const { drawing } = this;
    const isMarked = { class: "choice-mark", "aria-hidden": "true" };
    if (!isMapping(item)) {
      return [
        drawing.block("div", { class: "element choice" }, make("span", isMarked), fieldValue(drawing, path, item)),
      ];
    }
    const texts = ["title", "label", "name", "text", "subtitle", "value"].filter((name) =>
      typeof item[name] === "string" && !isReference(item[name])
    );
    const parts = [
      make("span", isMarked),
      isPicture(item.image) && drawing.asset(`${path}.image`, item.image, { class: "thumbnail" }),
      make(
        "span",
        { class: "stack" },
        ...texts.map((name, i) =>
          drawing.text(`${path}.${name}`, item[name], { class: i ? "part-value" : "part-title" })
        ),
      ),
    ];
    const way = typeof item.action === "string" ? item.action : undefined;
    const element = way
      ? drawing.tap({ class: "tappable element choice", path: `${path}.action` }, way, ...parts)
      : drawing.block("div", { class: "element choice" }, ...parts);
    drawing.draws(`${path}.id`);
    const rest = drawing.undrawn(item, path);
    drawing.draws(path);
    return rest.length ? [element, leftOver(drawing, rest, path)] : [element];
  }

  async #progress() {
    const { content, record, frame, id } = this.drawing;
    const at = Number(content.progress);
    if (!(at > 0)) return undefined;
    this.drawing.draws("progress");
    const steps = await frame.catalogue.order(record.bundle);
    const kin = steps.filter((step) => step.startsWith(id.slice(0, id.lastIndexOf("/") + 1))).slice(0, 40);
    const others = await Promise.all(kin.map((step) => frame.catalogue.entry(record.bundle, step)));
    const of = Math.max(at, ...others.map((other) => Number(other?.content.progress) || 0));
    return make(
      "div",
      { class: "progress", lang: "en", dir: "auto" },
      make(
        "span",
        { class: "steps", "aria-hidden": "true" },
        ...Array.from({ length: Math.min(of, 20) }, (_, i) => make("span", { class: i < at ? "step done" : "step" })),
      ),
      make("span", { class: "own", text: `${at} of ${of}` }, unseen(" steps")),
    );
  }

  /** The forms that the step refers to are drawn within it. */
  async #forms() {
    const { content, frame } = this.drawing;
    const names = Object.keys(content).filter((name) => !/URL$/.test(name) && isReference(content[name]));
    const ids = names.map((name) => content[name]);
    const found = await Promise.all(ids.map((id) => frame.catalogue.find(id)));
    use(frame, found, ids);
    return found.flatMap((record, i) => {
      if (!Array.isArray(record?.content.inputs)) return [];
      this.drawing.draws(names[i]);
      return drawInputs(new Drawing(frame, record));
    });
  }

  #ways() {
    const { content } = this.drawing;
    const way = (title, target, kind, otherwise) =>
      content[target] &&
      this.drawing.tap(
        { class: `tappable button ${kind}`, path: target },
        content[target],
        typeof content[title] === "string"
          ? this.drawing.text(title, content[title])
          : make("span", { class: "own", lang: "en", text: otherwise }),
      );
    const ways = [
      way("continueTitle", "continueURL", "filled", "Continue"),
      way("cancelTitle", "cancelURL", "plain", "Cancel"),
    ].filter(Boolean);
    return ways.length ? make("div", { class: "ways" }, ...ways) : undefined;
  }
}

/** The `inputs` of a form. */
function drawInputs(drawing) {
  return drawing.content.inputs.filter(isMapping).flatMap((item, place) => {
    const path = itemPath("inputs", item, place);
    const element = drawInput(drawing, item, path);
    const rest = drawing.undrawn(item, path);
    drawing.draws(path);
    return rest.length ? [element, leftOver(drawing, rest, path)] : [element];
  });
}

function drawInput(drawing, item, path) {
  const label = ["label", "title", "name", "id"].find((name) => typeof item[name] === "string");
  const [isLong, isPhone] = [item.kind === "multiline", item.kind === "phone"];
  const placeholder = typeof item.placeholder === "string" ? item.placeholder : undefined;
  const most = Number(item.maxLength) > 0 ? item.maxLength : undefined;
  const field = make(isLong ? "textarea" : "input", {
    class: "field",
    autocomplete: "off",
    placeholder,
    "data-entry": drawing.id,
    "data-path": placeholder === undefined ? undefined : `${path}.placeholder`,
    type: isLong ? undefined : isPhone ? "tel" : "text",
    maxlength: most,
  });
  const optional = isTrue(item.optional) && make("span", { class: "own optional", lang: "en", text: "optional" });
  const isPlain = ["text", "multiline", "phone", undefined].includes(item.kind);
  const kind = !isPlain && typeof item.kind === "string" && item.kind !== item.name &&
    drawing.text(`${path}.kind`, item.kind, { literal: true, class: "own", lang: "en" });
  // The app submits the value under this name.
  const name = label && label !== "name" && typeof item.name === "string" &&
    drawing.text(`${path}.name`, item.name, { literal: true, class: "own", lang: "en" });
  drawing.draws(
    `${path}.id`,
    placeholder !== undefined ? `${path}.placeholder` : undefined,
    most ? `${path}.maxLength` : undefined,
    isSwitch(item.optional) ? `${path}.optional` : undefined,
    isPlain || item.kind === item.name ? `${path}.kind` : undefined,
  );
  const caption = make(
    "span",
    { class: "caption" },
    label ? drawing.text(`${path}.${label}`, item[label]) : undefined,
    make("span", { class: "owns" }, name, kind, optional),
  );
  return make("label", { class: "element input" }, caption, field);
}
