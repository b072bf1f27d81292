"use strict";
// Positions on the Earth in degrees, their distances, and the Web Mercator map. The formulas are those of the
// compiler (Coordinate.swift, CoordinateBox.swift).

/** The mean radius of the Earth in metres. */
const EARTH_RADIUS = 6371008.8;

/**
 * The sine of an angle in degrees.
 * @param {number} degrees
 */
function sine(degrees) {
  return Math.sin((degrees * Math.PI) / 180);
}

/**
 * The cosine of a latitude, which is exactly 0 at the poles.
 * @param {Position} position
 */
function cosineOfLatitude({ latitude }) {
  return sine(90 - Math.abs(latitude));
}

/**
 * The angle between two meridians in degrees, 0 to 180.
 * @param {number} one
 * @param {number} other
 */
function longitudeDifference(one, other) {
  const difference = Math.abs(one - other);
  return difference > 180 ? 360 - difference : difference;
}

/**
 * The great-circle distance of two positions in metres.
 * @param {Position} a
 * @param {Position} b
 */
function distanceBetween(a, b) {
  // The haversine h is inaccurate near the antipode, so 1 - h is also a sum without cancellation.
  const cosines = cosineOfLatitude(a) * cosineOfLatitude(b);
  const turn = longitudeDifference(a.longitude, b.longitude);
  const [north, mean] = [sine((a.latitude - b.latitude) / 2), sine((a.latitude + b.latitude) / 2)];
  const [east, west] = [sine(turn / 2), sine((180 - turn) / 2)];
  const near = north * north + cosines * east * east;
  const far = mean * mean + cosines * west * west;
  return 2 * EARTH_RADIUS * Math.atan2(Math.sqrt(near), Math.sqrt(far));
}

/**
 * A lower bound of the distance in metres from a position to all positions in a box; 0 for one inside.
 * @param {Position} position
 * @param {Box} box
 */
function distanceToBox(position, [south, west, north, east]) {
  // The nearest point is on the position's own meridian, or on the edge with the smaller angle.
  const isBetween = west <= position.longitude && position.longitude <= east;
  const isEast = longitudeDifference(position.longitude, east) < longitudeDifference(position.longitude, west);
  const meridian = isBetween ? position.longitude : isEast ? east : west;
  const turn = longitudeDifference(position.longitude, meridian);
  const nearest = (Math.atan2(sine(position.latitude), cosineOfLatitude(position) * sine(90 - turn)) * 180) / Math.PI;
  const latitudes = [south, north, Math.min(Math.max(nearest, south), north)];
  const least = Math.min(...latitudes.map((latitude) => distanceBetween(position, { latitude, longitude: meridian })));
  // More than the rounding errors, so that no entry in the box is nearer than the bound.
  return Math.max(least - 1e-6, 0);
}

/**
 * The point of a position on the map: 0 to 1 from west to east, and from north to south.
 * @param {Position} position
 * @returns {Point}
 */
function mercator({ latitude, longitude }) {
  const height = Math.atanh(Math.max(-0.9999999, Math.min(0.9999999, sine(latitude))));
  return { x: (longitude + 180) / 360, y: Math.max(0, Math.min(1, (1 - height / Math.PI) / 2)) };
}

/**
 * The position of a point on the map.
 * @param {Point} point
 * @returns {Position}
 */
function positionAt({ x, y }) {
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
  return { latitude, longitude: Math.max(-180, Math.min(180, x * 360 - 180)) };
}

/**
 * A dictionary of the output as a position; undefined if it is none. Some formats have texts in the place of numbers.
 * @param {any} value
 * @returns {Position | undefined}
 */
function positionIn(value) {
  const [latitude, longitude] = [Number(value?.latitude ?? NaN), Number(value?.longitude ?? NaN)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/**
 * Parses typed coordinates such as `48.8566, 2.3522` or `33.87° S 151.21° E`; undefined for other text.
 * @param {string} text
 */
function typedPosition(text) {
  const number = "([+-]?\\d{1,3}(?:\\.\\d+)?)\\s*°?\\s*";
  const match = String(text).trim().replaceAll("−", "-").match(
    new RegExp(`^${number}([NS])?(?:\\s*[,;]\\s*|\\s+|(?<=[NS]))${number}([EW])?$`, "i"),
  );
  if (!match) return undefined;
  /** @type {(digits: string, letter: string | undefined, negative: string) => number} */
  const signed = (digits, letter, negative) => Number(digits) * (letter?.toUpperCase() === negative ? -1 : 1);
  return positionIn({ latitude: signed(match[1], match[2], "S"), longitude: signed(match[3], match[4], "W") });
}

/**
 * A position for the address of a view, with six decimals at most, as the compiler keeps them.
 * @param {Position} position
 */
function positionText({ latitude, longitude }) {
  // Adding 0 removes the sign of -0.
  return [latitude, longitude].map((degrees) => Number(degrees.toFixed(6)) + 0).join(",");
}

/**
 * A distance in words: `350 m`, `2.3 km`, `1,234 km`.
 * @param {number} metres
 */
function distanceWords(metres) {
  if (metres < 999.5) return `${Math.round(metres)} m`;
  return `${new Intl.NumberFormat("en", { maximumFractionDigits: metres < 99950 ? 1 : 0 }).format(metres / 1000)} km`;
}

/**
 * An angle in words, such as `48.86° N`.
 * @param {number} degrees
 * @param {string} letters
 * @param {number} decimals
 */
function degreeWords(degrees, [positive, negative], decimals = 0) {
  const text = Math.abs(degrees).toFixed(decimals);
  return `${text}°${
    Number(text) === 0 || (Number(text) === 180 && positive === "E") ? "" : ` ${degrees < 0 ? negative : positive}`
  }`;
}

/**
 * A position in words, such as `48.8566° N, 2.3522° E`.
 * @param {Position} position
 * @param {number} decimals
 */
function positionWords({ latitude, longitude }, decimals = 4) {
  return `${degreeWords(latitude, "NS", decimals)}, ${degreeWords(longitude, "EW", decimals)}`;
}
