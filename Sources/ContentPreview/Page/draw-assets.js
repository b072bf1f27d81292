"use strict";
// Files of the content: pictures, sound, film, and all others as links.

/**
 * Endings by media type, for releases whose assets do not say their path; where there is none, a type's last part is it.
 * A test holds them against MediaType.
 */
const ENDINGS = { "application/x-plist": ["plist"], "image/png": ["png"], "image/jpeg": ["jpg", "jpeg"], "image/gif": ["gif"], "image/webp": ["webp"], "image/svg+xml": ["svg"],
  "image/avif": ["avif"], "image/heic": ["heic"], "audio/mpeg": ["mp3"], "audio/mp4": ["m4a"], "audio/wav": ["wav"], "audio/aac": ["aac"],
  "audio/ogg": ["ogg", "oga", "opus"], "audio/flac": ["flac"], "video/mp4": ["mp4", "m4v"], "video/webm": ["webm"], "video/quicktime": ["mov"],
  "text/plain": ["txt"], "text/vtt": ["vtt"], "application/octet-stream": ["bin"] };

function isPicture(value) {
  return isAsset(value) && String(value.type).startsWith("image/");
}

function drawAsset(drawing, path, asset, { alternative = "", ...properties }) {
  const kind = String(asset.type).split("/")[0];
  const ways = addressesOf(drawing.frame.catalogue.release.base, asset);
  const named = { "data-entry": drawing.id, "data-path": path };
  if (!ways.length) return make("span", { class: "own", lang: "en", text: "a file without an object", ...named });
  if (kind === "image") return pictureOf(ways, { ...properties, alt: alternative, width: asset.width, height: asset.height, decoding: "async", ...named });
  if (kind === "audio" || kind === "video") return player(kind, ways, path, named);
  return fileLink(drawing, ways, path, asset, named);
}

/** For each guess of the ending, addresses by scale; one guess where the asset says its path. */
function addressesOf(base, { type, scales }) {
  const objects = Object.entries(scales).filter(([, scale]) => isMapping(scale) && (scale.path ?? scale.object));
  if (!objects.length) return [];
  if (objects.every(([, { path }]) => isObjectPath(path))) return [objects.map(([scale, { path }]) => [scale, `${base}/${path}`])];
  const endings = ENDINGS[type] ?? [String(type).split("/").pop()];
  return endings.map((ending) => objects.map(([scale, { object }]) => [scale, base + objectPath(hashText(object), ending)]));
}

function isObjectPath(path) {
  return typeof path === "string" && /^objects\/[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z0-9]{1,8}$/.test(path);
}

/** A picture in the densities that the content has. The alternative is what screen readers say; none means it only decorates. */
function pictureOf(ways, properties) {
  const picture = make("img", properties);
  const show = ([first, ...others]) => {
    picture.onerror = others.length ? () => show(others) : null;
    picture.srcset = first.map(([scale, address]) => `${address} ${parseFloat(scale) || 1}x`).join(", ");
    picture.src = first[0][1];
  };
  show(ways);
  return picture;
}

/** A player of sound or film, which tries the endings one after the other. */
function player(kind, ways, path, named) {
  const element = make(kind, { class: `player ${kind}`, controls: true, preload: "metadata", playsinline: kind === "video", "aria-label": words(lastName(path)), ...named });
  const broken = make("span", { class: "own", lang: "en", text: `This browser cannot play the ${kind}.`, hidden: true });
  const show = ([first, ...others]) => {
    element.onerror = () => (others.length ? show(others) : (broken.hidden = false));
    element.src = first[0][1];
  };
  show(ways);
  return make("span", { class: "player-box" }, element, broken);
}

function fileLink(drawing, [first], path, { type }, named) {
  const address = first[0][1];
  const ending = address.slice(address.lastIndexOf(".") + 1);
  return make("a", { class: "file", href: address, download: `${lastName(path)}.${ending}`, title: "Save this file", "data-key": `${drawing.id} ${path}`, ...named },
    icon("file"), make("span", { class: "own", lang: "en", text: `${ending} file, ${type}` }));
}

/** The last name in a path, without the place in a list. */
function lastName(path) {
  return path.replace(/\[[^\]]*\]/g, "").split(".").pop();
}
