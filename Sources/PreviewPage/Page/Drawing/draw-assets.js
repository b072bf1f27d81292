"use strict";
// The files of the content: pictures, sound and video, and links to all others.

/**
 * File extensions by media type, for releases whose assets have no path. Default: the last part of the type.
 * A test compares them with MediaType.
 */
const ENDINGS = {
  "application/x-plist": ["plist"],
  "application/json": ["json", "bundletext"],
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "image/svg+xml": ["svg"],
  "image/avif": ["avif"],
  "image/heic": ["heic"],
  "audio/mpeg": ["mp3"],
  "audio/mp4": ["m4a"],
  "audio/wav": ["wav"],
  "audio/aac": ["aac"],
  "audio/ogg": ["ogg", "oga", "opus"],
  "audio/flac": ["flac"],
  "video/mp4": ["mp4", "m4v"],
  "video/webm": ["webm"],
  "video/quicktime": ["mov"],
  "text/plain": ["txt"],
  "text/vtt": ["vtt"],
  "application/octet-stream": ["bin"],
};

function isPicture(value) {
  return isAsset(value) && String(value.type).startsWith("image/");
}

function drawAsset(drawing, path, asset, { alternative = "", ...properties }) {
  const kind = String(asset.type).split("/")[0];
  const ways = addressesOf(drawing.frame.catalogue.release.base, asset);
  const named = { "data-entry": drawing.id, "data-path": path };
  if (!ways.length) return make("span", { class: "own", lang: "en", text: "a file without an object", ...named });
  if (kind === "image") {
    return pictureOf(ways, {
      ...properties,
      alt: alternative,
      width: asset.width,
      height: asset.height,
      decoding: "async",
      ...named,
    });
  }
  if (kind === "audio" || kind === "video") return player(kind, ways, path, named);
  return fileLink(drawing, ways, path, asset, named);
}

/** The addresses by scale, for each possible file extension; a single list if the asset has a path. */
function addressesOf(base, { type, scales }) {
  const objects = Object.entries(scales).filter(([, scale]) => isMapping(scale) && (scale.path ?? scale.object));
  if (!objects.length) return [];
  if (objects.every(([, { path }]) => isObjectPath(path))) {
    return [objects.map(([scale, { path }]) => [scale, Exported.object(`${base}/${path}`)])];
  }
  // An export has only files whose paths the content names.
  if (Exported.isOn) return [];
  const endings = ENDINGS[type] ?? [String(type).split("/").pop()];
  return endings.map((ending) =>
    objects.map(([scale, { object }]) => [scale, base + objectPath(hashText(object), ending)])
  );
}

function isObjectPath(path) {
  return typeof path === "string" && /^objects\/[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z0-9]{1,8}$/.test(path);
}

/** A picture in all densities. Without `alt`, it is decorative. */
function pictureOf(ways, properties) {
  const picture = make("img", properties);
  const show = (/** @type {any[]} */ [first, ...others]) => {
    if (Exported.isHidden(first[0][1])) {
      showHidden(picture, first[0][1]);
      return;
    }
    picture.onerror = others.length ? () => show(others) : null;
    picture.srcset = first.map(([scale, address]) => `${address} ${parseFloat(scale) || 1}x`).join(", ");
    picture.src = first[0][1];
  };
  show(ways);
  return picture;
}

/** Shows a picture whose file a server sends without its type. */
async function showHidden(picture, address) {
  const ending = endingOf(address);
  const type = Object.keys(ENDINGS).find((type) => ENDINGS[type].includes(ending)) ?? "";
  picture.src = await Exported.picture(address, type).catch((error) => (say(error.message), ""));
}

/** The extension of an object's file. */
function endingOf(address) {
  const name = Exported.isHidden(address) ? address.slice(0, -HIDDEN_ENDING.length) : address;
  return name.slice(name.lastIndexOf(".") + 1);
}

/** A player of sound or video, which tries the file extensions in order. */
function player(kind, ways, path, named) {
  const element = make(kind, {
    class: `player ${kind}`,
    controls: true,
    preload: "metadata",
    playsinline: kind === "video",
    "aria-label": words(lastName(path)),
    ...named,
  });
  const broken = make("span", {
    class: "own",
    lang: "en",
    text: `This browser cannot play the ${kind}.`,
    hidden: true,
  });
  const show = (/** @type {any[]} */ [first, ...others]) => {
    element.onerror = () => (others.length ? show(others) : (broken.hidden = false));
    element.src = first[0][1];
  };
  show(ways);
  return make("span", { class: "player-box" }, element, broken);
}

function fileLink(drawing, [first], path, { type }, named) {
  const address = first[0][1];
  const ending = endingOf(address);
  const download = `${lastName(path)}.${ending}`;
  const save = (event) => {
    event.preventDefault();
    saveHidden(address, download).catch((error) => say(error.message));
  };
  return make(
    "a",
    {
      class: "file",
      href: address,
      download,
      title: "Save this file",
      on: Exported.isHidden(address) ? { click: save } : {},
      "data-key": `${drawing.id} ${path}`,
      ...named,
    },
    icon("file"),
    make("span", { class: "own", lang: "en", text: `${ending} file, ${type}` }),
  );
}

/** Saves a file that is compressed in an export. */
async function saveHidden(path, download) {
  const address = URL.createObjectURL(await Exported.file(path, "application/octet-stream"));
  make("a", { href: address, download }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The last name in a path, without an index. */
function lastName(path) {
  return path.replace(/\[[^\]]*\]/g, "").split(".").pop();
}
