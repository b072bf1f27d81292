"use strict";
// What an app shows instead of content because config says so: that it is too old, or that the service is being maintained.

/**
 * Why a reader sees no content at an instant, by the rules for readers; undefined where nothing keeps him from it. An app
 * that is too old asks for an update even during a maintenance: it may not go on, whatever else config says.
 */
function interruption({ minimumApp, maintenance }, { app }, instant) {
  if (minimumApp && app && compareVersions(app, minimumApp) < 0) return { kind: "update", minimumApp };
  if (!maintenance || !isTrue(maintenance.active)) return undefined;
  const [from, until] = [maintenance.from, maintenance.until].map(milliseconds);
  return from > instant || until <= instant ? undefined : { kind: "maintenance", until, retryAfter: Number(maintenance.retryAfter) };
}

/** When a maintenance begins and ends, in milliseconds since 1970, as far as config says. */
function maintenanceMoments({ maintenance }) {
  return maintenance && isTrue(maintenance.active) ? [maintenance.from, maintenance.until].map(milliseconds) : [];
}

/** What a frame puts in the place of content. */
async function drawInterruption(frame, why) {
  if (why.kind === "update") {
    const text = `This app is older than ${why.minimumApp}, the oldest that may go on: it asks for an update and shows no content.`;
    return { key: JSON.stringify(why), title: { text: frame.catalogue.release.config.app }, nodes: [emptyState("alert", "Update required", text)] };
  }
  return drawMaintenance(frame, maintenanceNote(why), JSON.stringify(why));
}

/** What readers see during a maintenance, whether there is one now or not. */
async function drawMaintenance(frame, note, key = "maintenance") {
  const content = await frame.catalogue.maintenance();
  const record = { id: "maintenance", datatype: "maintenance", content };
  const title = new Drawing(frame, record).first("title", "name", "label");
  const nodes = [...title ? [] : [emptyState("alert", "Maintenance", "The content has no words for it: there is no maintenance.yaml, or no title in it.")],
    ...await drawEntry(frame, record), make("p", { class: "element own aside maintenance-note", lang: "en", dir: "ltr", text: note })];
  return { key: `${key} ${stateText(content)}`, record, title: { text: frame.catalogue.release.config.app }, nodes };
}

/** Until when it goes on, as far as config says. */
function maintenanceNote({ until, retryAfter }) {
  const end = until === undefined ? "Maintenance, until it is switched off." : `Maintenance, until ${shownInstant(until)}.`;
  const again = retryAfter > 0 ? ` Apps ask again every ${counted(retryAfter, "second")}.` : "";
  return end + again;
}
