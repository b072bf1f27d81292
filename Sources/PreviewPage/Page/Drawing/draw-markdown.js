"use strict";
// Values of fields of type `markdown`: blocks of runs. All texts become text nodes, so no markup of content has an effect.

/** The most levels of blocks; the compiler writes at most 32. */
const MOST_LEVELS = 64;
const BLOCKS = ["paragraph", "heading", "quote", "list", "code", "rule", "table"];

/** Draws a value as one text for the inspector, with a link to its page. */
function drawMarkdown(drawing, path, value) {
  drawing.draws(path);
  const text = new MarkdownDrawing(drawing, path);
  const body = make("div", {
    class: "text markdown",
    dir: "auto",
    role: "group",
    "aria-label": words(lastName(path)),
    tabindex: 0,
    "data-entry": drawing.id,
    "data-path": path,
    "data-key": `${drawing.id} ${path}`,
  }, ...text.blocks(value.blocks));
  // Differences and changes are found by the value: two styles can have the same text.
  body.shownValue = stateText(value.blocks);
  return make("div", { class: "element markdown-box" }, body, pageLink(drawing, path, value.page));
}

/** A link that opens the page of a text; it runs no script and has a policy of its own. */
function pageLink(drawing, path, page) {
  // A plain file server would let its scripts run.
  const [way] = isAsset(page) && !Exported.isOn ? addressesOf(drawing.frame.catalogue.release.base, page) : [];
  return way &&
    make("a", {
      class: "own page-link",
      lang: "en",
      dir: "ltr",
      href: way[0][1],
      target: "_blank",
      rel: "noopener noreferrer",
      "data-key": `${drawing.id} ${path} page`,
      text: `Open the page of ${lastName(path)} in a new tab`,
    });
}

class MarkdownDrawing {
  constructor(drawing, path) {
    this.drawing = drawing;
    this.path = path;
    this.links = 0;
  }

  blocks(values, level = 0) {
    if (!Array.isArray(values)) return [];
    if (level > MOST_LEVELS) return [own("nested too deep")];
    return values.map((value) => this.#block(value ?? {}, level + 1));
  }

  #block(value, level) {
    switch (value.type) {
      case "paragraph":
        return make("p", {}, ...this.#runs(value.runs));
      case "heading":
        return this.#heading(Math.max(1, Math.min(6, Number(value.level) || 1)), value.runs);
      case "quote":
        return make("blockquote", {}, ...this.blocks(value.blocks, level));
      case "list":
        return this.#list(value, level);
      case "code":
        return make("pre", {
          dir: "ltr",
          tabindex: 0,
          role: "group",
          "aria-label": value.language ? `Code in ${value.language}` : "Code",
          "data-key": `${this.drawing.id} ${this.path} code`,
        }, make("code", { text: String(value.text ?? "") }));
      case "rule":
        return make("hr");
      case "table":
        return this.#table(value);
      default:
        return own(`${value.type}: not a block that this preview draws`);
    }
  }

  /** The screen's own title has the level before. */
  #heading(level, runs) {
    const depth = level + 3;
    const properties = { class: `markdown-heading level-${level}` };
    return make(
      depth > 6 ? "div" : `h${depth}`,
      depth > 6 ? { ...properties, role: "heading", "aria-level": depth } : properties,
      ...this.#runs(runs),
    );
  }

  #list({ start, items }, level) {
    const first = start === undefined ? undefined : Number(start);
    const list = Array.isArray(items) ? items : [];
    return make(
      first === undefined ? "ul" : "ol",
      { start: first === undefined || first === 1 ? undefined : first },
      ...list.map((blocks) => make("li", {}, ...this.blocks(blocks, level))),
    );
  }

  #table({ header = [], alignments = [], rows = [] }) {
    const cell = (name, properties) => (runs, column) =>
      make(name, {
        ...properties,
        class: ["left", "center", "right"].includes(alignments[column]) ? `to-${alignments[column]}` : undefined,
      }, ...this.#runs(runs));
    return make(
      "div",
      {
        class: "markdown-table",
        tabindex: 0,
        role: "group",
        "aria-label": "Table",
        "data-key": `${this.drawing.id} ${this.path} table`,
      },
      make(
        "table",
        {},
        make("thead", {}, make("tr", {}, ...header.map(cell("th", { scope: "col" })))),
        make(
          "tbody",
          {},
          ...rows.map((cells) => make("tr", {}, ...(Array.isArray(cells) ? cells : []).map(cell("td")))),
        ),
      ),
    );
  }

  /** Runs with the same link are one control. */
  #runs(values) {
    const runs = Array.isArray(values) ? values : [];
    const parts = [];
    for (let at = 0; at < runs.length;) {
      const { link } = runs[at];
      const end = runs.findIndex((run, i) => i > at && run.link !== link);
      const same = runs.slice(at, end < 0 ? runs.length : end);
      const drawn = same.flatMap((run) => this.#run(run));
      parts.push(...typeof link === "string" ? [this.#link(link, drawn)] : drawn);
      at += same.length;
    }
    return parts;
  }

  #link(target, parts) {
    this.links += 1;
    return this.drawing.tap(
      {
        class: "tappable inline-link",
        "data-key": `${this.drawing.id} ${this.path} link ${this.links}`,
        title: target,
      },
      target,
      ...parts,
    );
  }

  #run(run) {
    if (isAsset(run.image)) return [this.#image(run)];
    const elements = [["code", "code"], ["strikethrough", "del"], ["emphasis", "em"], ["strong", "strong"]];
    const styles = elements.filter(([style]) => isTrue(run[style]));
    const lines = String(run.text ?? "").split("\n").flatMap((line, i) => (i ? [make("br"), line] : [line]));
    return styles.reduce((parts, [, name]) => [make(name, name === "code" ? { dir: "ltr" } : {}, ...parts)], lines);
  }

  /** An image belongs to the text, so it has no field of its own. */
  #image({ image, text }) {
    const element = drawAsset(this.drawing, this.path, image, { alternative: String(text ?? ""), loading: "lazy" });
    for (const part of [element, ...element.querySelectorAll("[data-path]")]) {
      delete part.dataset.path;
      delete part.dataset.entry;
    }
    return element;
  }
}
