"use strict";
// A step of a flow: how far it is, its screen, what can be chosen, its form, and the two ways on.

class FlowDrawing {
  constructor(drawing) {
    this.drawing = drawing;
  }

  static isFlow(content) {
    return ["continueURL", "cancelURL", "continueTitle", "choices"].some((name) => name in content);
  }

  async draw() {
    const { content, frame } = this.drawing;
    const screen = Array.isArray(content.elements) ? new ScreenDrawing(this.drawing).draw() : [];
    const choices = Array.isArray(content.choices) ? await cardsOf(frame, content.choices.filter(isReference), this.drawing.id) : undefined;
    return [await this.#progress(), ...screen, choices, ...await this.#forms(), this.#ways()].filter(Boolean);
  }

  async #progress() {
    const { content, record, frame, id } = this.drawing;
    const at = Number(content.progress);
    if (!(at > 0)) return undefined;
    const steps = await frame.catalogue.order(record.bundle);
    const kin = steps.filter((step) => step.startsWith(id.slice(0, id.lastIndexOf("/") + 1))).slice(0, 40);
    const others = await Promise.all(kin.map((step) => frame.catalogue.entry(record.bundle, step)));
    const of = Math.max(at, ...others.map((other) => Number(other?.content.progress) || 0));
    return make("div", { class: "progress", lang: "en", dir: "auto" },
      make("span", { class: "steps", "aria-hidden": "true" },
        ...Array.from({ length: Math.min(of, 20) }, (_, i) => make("span", { class: i < at ? "step done" : "step" }))),
      make("span", { class: "own", text: `${at} of ${of}` }, unseen(" steps")));
  }

  /** Entries with `inputs` that the step refers to stand in the step itself. */
  async #forms() {
    const { content, frame } = this.drawing;
    const ids = Object.keys(content).filter((name) => !/URL$/.test(name) && isReference(content[name])).map((name) => content[name]);
    const found = await Promise.all(ids.map((id) => frame.catalogue.find(id)));
    use(frame, found, ids);
    return found.filter((record) => Array.isArray(record?.content.inputs)).flatMap((record) => drawInputs(new Drawing(frame, record)));
  }

  #ways() {
    const { content } = this.drawing;
    const way = (title, target, kind, otherwise) => content[target] && this.drawing.tap({ class: `tappable button ${kind}` }, content[target],
      content[title] ? this.drawing.text(title, content[title]) : make("span", { class: "own", lang: "en", text: otherwise }));
    return make("div", { class: "ways" }, way("continueTitle", "continueURL", "filled", "Continue"),
      way("cancelTitle", "cancelURL", "plain", "Cancel"));
  }
}

/** A form's `inputs`, in the order that this country's readers get. */
function drawInputs(drawing) {
  return drawing.content.inputs.filter(isMapping).map((item, place) => {
    const path = itemPath("inputs", item, place);
    const label = ["label", "title", "name", "id"].find((name) => typeof item[name] === "string");
    const isLong = item.kind === "multiline";
    const placeholder = item.placeholder === undefined ? undefined : pseudo(String(item.placeholder), drawing.frame.pseudo);
    const field = make(isLong ? "textarea" : "input", { class: "field", autocomplete: "off", placeholder,
      "data-entry": drawing.id, "data-path": item.placeholder === undefined ? undefined : `${path}.placeholder`,
      type: isLong ? undefined : item.kind === "phone" ? "tel" : "text", maxlength: Number(item.maxLength) > 0 ? item.maxLength : undefined });
    const optional = isTrue(item.optional) && make("span", { class: "own optional", lang: "en", text: "optional" });
    const caption = make("span", { class: "caption" }, label ? drawing.text(`${path}.${label}`, item[label]) : undefined, optional);
    return make("label", { class: "element input" }, caption, field);
  });
}
