"use strict";
// Notices below the top bar: the server does not answer, or the address names something unknown.

/** Milliseconds without the server before the notice; a restarted server needs that long. */
const LOST_AFTER = 1500;

class Notices {
  /**
   * @param {Session} session
   * @param {any} open
   */
  constructor(session, open) {
    this.session = session;
    this.open = open;
    this.lost = make("div", { class: "notice bad", role: "alert", hidden: true });
    this.asked = make("div", { class: "notices", role: "status" });
    document.getElementById("notices").append(this.lost, this.asked);
    session.addEventListener("connection", () => this.#connectionChanged());
    session.addEventListener("state", () => this.#drawAsked());
    session.view.addEventListener("change", () => {
      session.keepReplaced(session.view.current);
      this.#drawAsked();
    });
  }

  #connectionChanged() {
    clearTimeout(this.timer);
    if (this.session.connection === "lost") {
      this.timer = setTimeout(
        () => this.#drawLost(),
        Math.max(0, (this.session.lostAt ?? 0) + LOST_AFTER - Date.now()),
      );
    } else this.lost.hidden = true;
    if (this.lost.hidden) delete document.documentElement.dataset.lost;
  }

  #drawLost() {
    const since = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" }).format(this.session.lostAt);
    document.documentElement.dataset.lost = "";
    this.lost.hidden = false;
    this.lost.replaceChildren(
      icon("alert"),
      make(
        "p",
        {},
        make("strong", { text: "The preview’s server does not answer. " }),
        `This page is as of ${since}; later saves do not appear. Start it again in a terminal; this page connects automatically.`,
      ),
      command(startCommand(this.session)),
    );
  }

  #drawAsked() {
    const { replaced } = this.session;
    this.asked.replaceChildren(...[...replaced].map(([field, { asked, shown }]) => this.#line(field, asked, shown)));
  }

  #line(field, asked, shown) {
    const close = iconButton("close", "Close this notice", () => {
      this.session.replaced.delete(field);
      this.#drawAsked();
    });
    const choose = ["locale", "device"].includes(field) &&
      make("button", {
        type: "button",
        class: "tool",
        text: `Choose a ${field}`,
        on: { click: () => this.open(field) },
      });
    const start = ["channel", "side"].includes(field) && !Exported.isOn &&
      command(startCommand(this.session, plainWord(field === "channel" ? asked : this.session.state.channels?.[0])));
    return make(
      "div",
      { class: "notice fair" },
      icon("alert"),
      make("p", {}, ...this.#words(field, asked, shown)),
      choose,
      start,
      close,
    );
  }

  #words(field, asked, shown) {
    const name = make("strong", { text: `“${asked}”` });
    if (Exported.isOn) {
      const other = shown ? ["The page shows ", make("strong", { text: shown }), "."] : ["The page shows what it has."];
      return [name, ` (${field}) is not in this exported preview. `, ...other];
    }
    switch (field) {
      case "locale":
        return [
          name,
          " is not a locale of this content. The page shows ",
          make("strong", { text: shown }),
          shown === this.session.state.sourceLocale
            ? ", the source locale, as readers get it."
            : ", as readers get it.",
        ];
      case "device":
        return [name, " is not a device of this content. The page shows what other devices get."];
      case "channel":
        return [name, " is not a channel of this preview. To show it, start:"];
      default:
        return [
          "This preview was started without a channel, so it cannot show live content. To show a channel, start:",
        ];
    }
  }
}

/**
 * The command that starts the preview again at this address, with all options of the running one and with `more`.
 * A browser on another machine gets a command without the paths of the server's machine.
 */
function startCommand({ state }, ...more) {
  const port = location.port && `--port ${location.port}`;
  const others = [...(state?.comparing ?? []).map(plainWord), state?.network?.length && "--lan"];
  return ["contentc preview", ...state?.arguments ?? others, port, ...more].filter(Boolean).join(" ");
}

/** A session whose preview was started without an option. */
function without({ state }, option) {
  return { state: { ...state, network: [], arguments: state?.arguments?.filter((word) => word !== option) } };
}

/** A name that needs no quotes in a command, or a placeholder. */
function plainWord(text) {
  return /^[a-z0-9][a-z0-9._-]*$/i.test(text ?? "") ? text : "NAME";
}

/** A command for a terminal; a click copies it. */
function command(text) {
  return make(
    "button",
    {
      type: "button",
      class: "command",
      title: "Copy",
      on: { click: () => copyText(text).then(() => say(`Copied ${text}`)) },
    },
    make("code", { text }),
    icon("copy"),
  );
}
