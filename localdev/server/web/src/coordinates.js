// A position as people write it: degrees with or without minutes and seconds, in either order, with decimal commas; pairs in
// metres of the systems used in Austria; what other programs put into links.
import { systems } from "./crs.js";

const inside = ([lon, lat]) => lon >= 9 && lon <= 17.5 && lat >= 46 && lat <= 49.2;

// angle is one number of degrees, or degrees, minutes and seconds, with a letter of the compass before or behind; O is the
// German east.
const figure = String.raw`\d+(?:\.\d+)?`;
const angle = new RegExp(String.raw`([NSEOW])?\s*(-?${figure})\s*(?:°|º|\bd\b|grad)?\s*(?:(${figure})\s*(?:['′’]|\bmin\b|m\b)\s*)?(?:(${figure})\s*(?:["″”]|''|′′|’’|s\b|sek\b|sec\b)?)?\s*([NSEOW])?`, "iy");

function angleAt(text, from) {
  angle.lastIndex = from;
  const m = angle.exec(text);
  if (!m) return null;
  const [all, before, whole, minutes, seconds, behind] = m, value = Math.abs(Number(whole)) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600;
  if (Number(minutes ?? 0) >= 60 || Number(seconds ?? 0) >= 60) return null;
  const letter = (before ?? behind ?? "").toUpperCase().replace("O", "E");
  return { end: from + all.length, letter, value: /[SW]/.test(letter) || whole.startsWith("-") ? -value : value };
}

// commas turns decimal commas into points where the text has no other reading: "47,32 13,22", "47,32; 13,22".
function commas(text) {
  if (/\d\.\d/.test(text)) return text;
  const decimal = text.match(/\d,\d/g)?.length ?? 0;
  return decimal >= 2 || (decimal === 1 && /[;\s]/.test(text.replace(/,\s/g, " ").trim()) && !/\d,\d+\s*$/.test(text)) ? text.replace(/(\d),(\d)/g, "$1.$2") : text;
}

const minutesBehind = (text) => text.replace(/(\d)\s*°\s*(\d+(?:\.\d+)?)(?=\s*(?:[NSEOW,;]|$))/gi, "$1° $2′"); // "47° 19.2 N"

function degrees(text) {
  const s = minutesBehind(commas(text)).replace(/\b(?:lat|lon|lng|long|latitude|longitude|breite|länge)\b\.?\s*[:=]?/gi, " ").trim();
  // Two plain numbers: the first is not read as degrees and minutes.
  const pair = new RegExp(String.raw`^(-?${figure})\s*°?\s*[,;\s/]\s*(-?${figure})\s*°?$`).exec(s);
  if (pair) return ordered({ value: Number(pair[1]), letter: "" }, { value: Number(pair[2]), letter: "" });
  const a = angleAt(s, 0);
  if (!a) return null;
  const gap = /[\s,;/]*/y;
  gap.lastIndex = a.end;
  gap.exec(s);
  const b = angleAt(s, gap.lastIndex);
  return b && b.end === s.length ? ordered(a, b) : null;
}

// ordered tells which of two angles is the latitude: by their letters, else by where Austria lies.
function ordered(a, b) {
  if (/[EW]/.test(a.letter) || /[NS]/.test(b.letter)) return inside([a.value, b.value]) ? [a.value, b.value] : null;
  if (inside([b.value, a.value])) return [b.value, a.value];
  return !a.letter && !b.letter && inside([a.value, b.value]) ? [a.value, b.value] : null;
}

// metres are a pair in metres: in the system that is named, else in each in which it lies in Austria. Of the survey
// office's systems the Rechtswert stands first; a pair the other way round is read too, where it is in Austria.
const likely = [31254, 31255, 31256, 31257, 31258, 31259, 31287, 3416, 25833, 25832, 3035, 3857];
function metres(text) {
  const named = /(?:epsg:?\s*|srid=)(\d{4,5})/i.exec(text), zone = /\b(?:utm\s*|zone\s*)?(3[23])\s*[N-X]?\b(?=\s)/i.exec(text);
  const bare = text.replace(/(?:epsg:?\s*|srid=)\d{4,5}/i, " ").replace(/^\s*(?:utm\s*|zone\s*)?3[23]\s*[N-X]?\s+/i, " ").replace(/\b(?:x|y|rw|hw|e|n|rechtswert|hochwert)\s*[:=]?/gi, " ").replace(/(\d)\s*m\b/gi, "$1");
  const m = new RegExp(String.raw`^[\s,;()]*(-?${figure})[\s,;/]+(-?${figure})[\s,;()]*$`).exec(commas(bare));
  if (!m) return [];
  const [a, b] = [Number(m[1]), Number(m[2])];
  const least = named || /\.\d/.test(bare) ? 0 : 1000; // without a system or decimals a short number is one of a parcel or a house
  if (Math.max(Math.abs(a), Math.abs(b)) < 1000 || Math.min(Math.abs(a), Math.abs(b)) < least) return [];
  const codes = named ? [Number(named[1])] : zone ? [25800 + Number(zone[1])] : likely, found = [];
  for (const code of codes) for (const [x, y] of [[a, b], [b, a]]) {
    const at = systems[code]?.inverse(x, y);
    if (!at?.every(Number.isFinite) || !inside(at) || !fits(code, at)) continue;
    found.push({ at, system: systems[code].name });
    if (!named) break;
  }
  return found;
}

// fits says whether a place lies in the strip that a system is used for: 1.5 degrees on either side, and some more.
const strips = { 31254: 10.33, 31255: 13.33, 31256: 16.33, 31257: 10.33, 31258: 13.33, 31259: 16.33 };
const fits = (code, [lon]) => !strips[code] || Math.abs(lon - strips[code]) < 2;

/** coordinatesIn lists what a text can mean as a position: {at: [longitude, latitude], system}; empty if it can mean no position. */
export function coordinatesIn(text) {
  const s = text.trim().slice(0, 300);
  const link = /@(-?\d+\.\d+),(-?\d+\.\d+)/.exec(s) ?? /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)/i.exec(s) ?? /[#&?](?:map=\d+(?:\.\d+)?\/|q=|ll=)(-?\d+\.\d+)[,/](-?\d+\.\d+)/.exec(s);
  if (link) return inside([Number(link[2]), Number(link[1])]) ? [{ at: [Number(link[2]), Number(link[1])], system: "WGS84" }] : [];
  const point = /^(?:srid=(\d+);)?\s*point\s*z?\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)(?:\s+-?[\d.]+)?\s*\)$/i.exec(s);
  if (point && (!point[1] || point[1] === "4326") && Math.abs(point[2]) <= 180) return inside([+point[2], +point[3]]) ? [{ at: [+point[2], +point[3]], system: "WGS84" }] : [];
  const at = degrees(s.replace(/^wgs\s*84:?/i, "").replace(/^\(|\)$/g, "").trim());
  return at ? [{ at, system: "WGS84" }] : metres(point ? s.replace(/point\s*z?/i, "") : s);
}
