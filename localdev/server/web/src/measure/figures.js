// What was measured, in figures and in words, as it is drawn, and as the page's address has it: no map and no page, so that a test
// can ask it. Corners are [longitude, latitude]; lengths and the sides of an area are geodesics, areas those of EPSG:3035.
import { number } from "../dom.js";
import { areaOf, crosses, lineIn, lineText } from "../land/shapes.js";
import { inverse, way } from "./geodesic.js";

const grid = 1e7; // of a degree in an address: a centimetre
const mostCorners = 1000;
const north = 85; // degrees, as far as the map goes

/** exact is a corner as an address holds it, so that a link shows the same figures. */
export const exact = ([lon, lat]) => [Math.round(lon * grid) / grid, Math.round(lat * grid) / grid];

/** measureText writes corners for an address, measureIn reads them: {corners, closed}; null if the text has no corners. */
export const measureText = ({ corners, closed }) => (corners.length < 2 ? "" : (closed ? "area:" : "") + lineText(corners, grid));
export function measureIn(text = "") {
  const [, area, rest] = /^(area:)?(.*)$/s.exec(text), corners = lineIn(rest, grid), closed = Boolean(area);
  if (!corners || corners.length < (closed ? 3 : 2) || corners.length > mostCorners || corners.some(([, lat]) => Math.abs(lat) > north)) return null;
  return { corners, closed };
}

/** sides are the segments of a line or ring: pairs of corners. */
export const sides = (corners, closed) => corners.slice(1).map((c, i) => [corners[i], c]).concat(closed && corners.length > 2 ? [[corners.at(-1), corners[0]]] : []);

/** measured are {segments: [{metres, bearing}], metres} of a line, and of a ring its area in m² and whether it crosses itself. */
export function measured(corners, closed = false) {
  const segments = sides(corners, closed).map(([a, b]) => inverse(a, b)), metres = segments.reduce((sum, s) => sum + s.metres, 0);
  if (!closed) return { segments, metres };
  const ring = [...corners, corners[0]];
  return { segments, metres, area: areaOf([[sides(corners, true).flatMap(([a, b]) => way(a, b).slice(0, -1)).concat([corners[0]])]]), crossed: crosses(ring) };
}

/** lengthText, areaText and bearingText are figures as they are read. */
export const lengthText = (m) => (!Number.isFinite(m) ? "–" : m < 99.995 ? `${number(m, 2)} m` : m < 9_999.5 ? `${number(m)} m` : `${number(m / 1000, 2)} km`);
export const areaText = (m2) => `${number(m2, m2 < 999.95 ? 1 : 0)} m² (${number(m2 / 1e4, m2 < 1e4 ? 4 : 2)} ha)`;
export const bearingText = (degrees) => (Number.isFinite(degrees) ? `${number(degrees >= 359.995 ? 0 : degrees, 2)}°` : "–");

const feature = (type, coordinates, properties = {}) => ({ type: "Feature", properties, geometry: { type, coordinates } });
const mercator = (lat) => Math.asinh(Math.tan((lat * Math.PI) / 180)) * (180 / Math.PI);

// turn is 1 for a ring that runs against the clock, -1 for one that runs with it.
const turn = (corners) => Math.sign(corners.reduce((sum, [x, y], i) => sum + corners.at(i - 1)[0] * y - x * corners.at(i - 1)[1], 0));

// along is the text of a segment at its middle, turned as the segment is drawn; angles are clockwise, letters stand upright. The text
// stands above the segment, of a ring outside it.
function along([a, b], places, metres, inside) {
  const back = b[0] < a[0] || (b[0] === a[0] && b[1] > a[1]); // whether the letters run against the segment
  let angle = (-Math.atan2(mercator(b[1]) - mercator(a[1]), b[0] - a[0]) * 180) / Math.PI;
  if (angle > 90) angle -= 180;
  if (angle <= -90) angle += 180;
  const i = (places.length - 1) / 2, [p, q] = [places[Math.floor(i)], places[Math.ceil(i)]];
  return feature("Point", [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2], { kind: "segment", text: lengthText(metres), angle, metres, below: inside === (back ? -1 : 1) });
}

/** features are what is drawn: corners, segments with their lengths, at the end of a line the whole, in a ring its area. */
export function features(corners, closed) {
  const all = sides(corners, closed), ways = all.map(([a, b]) => way(a, b)), { segments, metres, area, crossed } = measured(corners, closed);
  const inside = closed ? turn(corners) : 0;
  const out = corners.map((c, i) => feature("Point", c, { kind: i ? "corner" : "first" }));
  all.forEach((s, i) => { if (segments[i].metres > 0) out.push(feature("LineString", ways[i], { kind: "line" }), along(s, ways[i], segments[i].metres, inside)); });
  if (closed) {
    const ring = [...ways.flatMap((w) => w.slice(0, -1)), corners[0]], middle = [0, 1].map((k) => corners.reduce((sum, c) => sum + c[k], 0) / corners.length);
    out.push(feature("Polygon", [ring], { kind: "area" }));
    if (!crossed) out.push(feature("Point", middle, { kind: "whole", text: areaText(area), over: true }));
  } else if (segments.length > 1) out.push(feature("Point", corners.at(-1), { kind: "whole", text: lengthText(metres), over: false }));
  return { type: "FeatureCollection", features: out };
}
