"use strict";
// The screens that config puts in the place of content: update required, or maintenance.

/**
 * The reason why a reader sees no content at an instant; undefined if there is none. An app that is too old asks for an
 * update even during a maintenance.
 * @param {Config} config
 * @param {Context} context
 * @param {number} instant
 */
function interruption({ minimumApp, maintenance }, { app }, instant) {
  if (minimumApp && app && compareVersions(app, minimumApp) < 0) return { kind: "update", minimumApp };
  if (!maintenance || !isTrue(maintenance.active)) return undefined;
  const [from, until] = [maintenance.from, maintenance.until].map(milliseconds);
  return (from ?? -Infinity) > instant || (until ?? Infinity) <= instant
    ? undefined
    : { kind: "maintenance", until, retryAfter: Number(maintenance.retryAfter) };
}

/**
 * The begin and end of a maintenance in milliseconds since 1970, each undefined if config has none.
 * @param {Config} config
 */
function maintenanceMoments({ maintenance }) {
  return maintenance && isTrue(maintenance.active) ? [maintenance.from, maintenance.until].map(milliseconds) : [];
}

/** Draws the screen in the place of content. */
async function drawInterruption(frame, why) {
  if (why.kind === "update") {
    const text =
      `This app is older than ${why.minimumApp}, the oldest supported version. It asks for an update and shows no content.`;
    return {
      key: JSON.stringify(why),
      title: { text: frame.catalogue.release.config.app },
      nodes: [emptyState("alert", "Update required", text)],
    };
  }
  return drawMaintenance(frame, maintenanceNote(why), JSON.stringify(why));
}

/** Draws the screen of a maintenance, whether it is active or not. */
async function drawMaintenance(frame, note, key = "maintenance") {
  const content = await frame.catalogue.maintenance();
  const record = { id: "maintenance", datatype: "maintenance", content };
  const title = new Drawing(frame, record).first("title", "name", "label");
  const nodes = [
    ...title ? [] : [emptyState("alert", "Maintenance", "maintenance.yaml is missing, or has no title.")],
    ...await drawEntry(frame, record),
    make("p", { class: "element own aside maintenance-note", lang: "en", dir: "ltr", text: note }),
  ];
  return { key: `${key} ${stateText(content)}`, record, title: { text: frame.catalogue.release.config.app }, nodes };
}

/** The end of a maintenance in words. */
function maintenanceNote({ until, retryAfter }) {
  const end = until === undefined
    ? "Maintenance, until it is switched off."
    : `Maintenance, until ${shownInstant(until)}.`;
  const again = retryAfter > 0 ? ` Apps ask again every ${counted(retryAfter, "second")}.` : "";
  return end + again;
}
