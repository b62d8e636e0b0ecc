// Shapes that a reader draws or drops, measured and written into the page's address: no map and no page, so that a test can
// ask it. Polygons are GeoJSON's in degrees; areas are those of EPSG:3035, as the services count them.
import { fromLAEA, toLAEA } from "../crs.js";

/** polygonsOf are the polygons of a geometry, feature or collection; of anything else none. */
export function polygonsOf(of) {
  switch (of?.type) {
    case "FeatureCollection": return of.features.flatMap(polygonsOf);
    case "Feature": return polygonsOf(of.geometry);
    case "GeometryCollection": return of.geometries.flatMap(polygonsOf);
    case "Polygon": return [of.coordinates];
    case "MultiPolygon": return of.coordinates;
    default: return [];
  }
}

/** linesOf are the lines, each a list of positions. */
export function linesOf(of) {
  switch (of?.type) {
    case "FeatureCollection": return of.features.flatMap(linesOf);
    case "Feature": return linesOf(of.geometry);
    case "GeometryCollection": return of.geometries.flatMap(linesOf);
    case "LineString": return [of.coordinates];
    case "MultiLineString": return of.coordinates;
    default: return [];
  }
}

/** pointsOf are the points. */
export function pointsOf(of) {
  switch (of?.type) {
    case "FeatureCollection": return of.features.flatMap(pointsOf);
    case "Feature": return pointsOf(of.geometry);
    case "GeometryCollection": return of.geometries.flatMap(pointsOf);
    case "Point": return [of.coordinates];
    case "MultiPoint": return of.coordinates;
    default: return [];
  }
}

/** geometryOf are polygons as one geometry. */
export const geometryOf = (polygons) => (polygons.length === 1 ? { type: "Polygon", coordinates: polygons[0] } : { type: "MultiPolygon", coordinates: polygons });

const mostEdges = 2000; // that are compared with each other

/** areaOf is the area of polygons in m², by the even-odd rule as the services repair what crosses itself; very many edges are taken
 * for valid. */
export function areaOf(polygons) {
  const rings = polygons.flat(), edges = rings.reduce((n, r) => n + r.length, 0);
  if (edges <= mostEdges && (rings.length > 1 || rings.some(crosses))) return evenOdd(rings);
  return polygons.reduce((sum, of) => sum + of.reduce((s, r, i) => s + (i === 0 ? 1 : -1) * ringArea(r), 0), 0);
}

// evenOdd is the area that rings enclose an odd number of times: in strips between the heights of corners and crossings, in which no
// edges cross, every second space between edges counts.
function evenOdd(rings) {
  const edges = [], heights = [];
  for (const ring of rings) {
    const p = ring.map(([lon, lat]) => toLAEA(lon, lat));
    p.forEach((a, i) => {
      const b = p[(i + 1) % p.length];
      heights.push(a[1]);
      if (a[1] !== b[1]) edges.push(a[1] < b[1] ? [a, b] : [b, a]);
    });
  }
  const at = ([[ax, ay], [bx, by]], y) => ax + ((bx - ax) * (y - ay)) / (by - ay);
  for (let i = 0; i < edges.length; i++) for (let k = i + 1; k < edges.length; k++) {
    const low = Math.max(edges[i][0][1], edges[k][0][1]), high = Math.min(edges[i][1][1], edges[k][1][1]);
    if (low >= high) continue;
    const below = at(edges[i], low) - at(edges[k], low), above = at(edges[i], high) - at(edges[k], high);
    if (below * above < 0) heights.push(low + ((high - low) * below) / (below - above));
  }
  heights.sort((a, b) => a - b);
  let sum = 0;
  for (let i = 1; i < heights.length; i++) {
    const [low, high] = [heights[i - 1], heights[i]], middle = (low + high) / 2;
    if (high - low < 1e-9) continue;
    const across = edges.filter(([a, b]) => a[1] < middle && b[1] > middle).map((e) => at(e, middle)).sort((a, b) => a - b);
    for (let k = 1; k < across.length; k += 2) sum += (across[k] - across[k - 1]) * (high - low);
  }
  return sum;
}

function ringArea(ring) {
  const p = ring.map(([lon, lat]) => toLAEA(lon, lat)), [x0, y0] = p[0];
  let sum = 0;
  for (let i = 0; i < p.length; i++) {
    const [ax, ay] = p[i], [bx, by] = p[(i + 1) % p.length];
    sum += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
  }
  return Math.abs(sum) / 2;
}

/** boundsOf is [west, south, east, north] of positions nested to any depth; null where there are none. */
export function boundsOf(coordinates) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  const walk = (c) => {
    if (typeof c[0] !== "number") { c.forEach(walk); return; }
    box[0] = Math.min(box[0], c[0]); box[1] = Math.min(box[1], c[1]); box[2] = Math.max(box[2], c[0]); box[3] = Math.max(box[3], c[1]);
  };
  walk(coordinates);
  return box[0] <= box[2] ? box : null;
}

// apart is the distance of two places in metres: in the plane of EPSG:3035 lengths are up to 0.5 % off, so a sphere tells.
const metresPerDegree = 111_195;
export const apart = ([a, b], [c, d]) => {
  const squeeze = Math.cos(((b + d) / 2) * (Math.PI / 180));
  return Math.hypot((c - a) * squeeze, d - b) * metresPerDegree;
};

/** lengthOf is the length of a line in metres. */
export const lengthOf = (line) => line.reduce((sum, p, i) => sum + (i ? apart(line[i - 1], p) : 0), 0);

const trackGap = { metres: 25, share: 0.02 }; // as the services close a recorded track
const leastAround = 0.01; // m²; a walk there and back has nothing around it

/** aroundTrack is the ring of a recorded track whose ends lie near each other, with the gap in metres; null of another, and of one
 * that encloses no area. */
export function aroundTrack(track) {
  const gap = track.length > 2 ? apart(track[0], track.at(-1)) : Infinity;
  if (gap > Math.max(trackGap.metres, trackGap.share * lengthOf(track))) return null;
  const ring = gap > 0 ? [...track, track[0]] : track;
  return ring.length > 3 && areaOf([[ring]]) >= leastAround ? { ring, gap } : null;
}

/** along are n places at equal distances along a line: {at: [lon, lat], m}. */
export function along(line, n) {
  const total = lengthOf(line), out = [];
  let i = 1, before = 0, part = line.length > 1 ? apart(line[0], line[1]) : 0;
  for (let k = 0; k < n; k++) {
    const m = (total * k) / (n - 1);
    while (i < line.length - 1 && before + part < m) {
      before += part;
      i++;
      part = apart(line[i - 1], line[i]);
    }
    const f = part ? Math.min((m - before) / part, 1) : 0, [a, b] = [line[i - 1], line[i]];
    out.push({ at: [a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f], m });
  }
  return out;
}

/** rectangle is the polygon between two corners. */
export const rectangle = ([a, b], [c, d]) => [[[Math.min(a, c), Math.min(b, d)], [Math.max(a, c), Math.min(b, d)], [Math.max(a, c), Math.max(b, d)], [Math.min(a, c), Math.max(b, d)], [Math.min(a, c), Math.min(b, d)]]];

/** circle is the polygon around a place with a radius in metres. */
export function circle([lon, lat], radius, corners = 64) {
  const squeeze = Math.cos(lat * (Math.PI / 180)), ring = [];
  for (let i = 0; i < corners; i++) {
    const t = (2 * Math.PI * i) / corners;
    ring.push([lon + (radius * Math.cos(t)) / metresPerDegree / squeeze, lat + (radius * Math.sin(t)) / metresPerDegree]);
  }
  return [[...ring, ring[0]]];
}

/** crosses says whether a ring crosses itself. */
export function crosses(ring) {
  const n = ring.length - 1, side = (a, b, c) => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
  for (let i = 0; i < n; i++) for (let j = i + 2; j < n; j++) {
    if (i === 0 && j === n - 1) continue;
    const [a, b, c, d] = [ring[i], ring[i + 1], ring[j], ring[j + 1]];
    if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return true;
  }
  return false;
}

// A list of numbers as text for an address: whole numbers, each as its difference to the one before, in groups of five bits
// of the alphabet of base64url, the low ones first, 32 added where more follow.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const grid = 1e6; // of a degree: a tenth of a metre

function written(v) {
  let n = v < 0 ? -2 * v - 1 : 2 * v, out = "";
  for (; n >= 32; n = Math.floor(n / 32)) out += letters[32 + (n % 32)];
  return out + letters[n];
}

const pathText = (positions, parts = grid) => {
  let x = 0, y = 0;
  return positions.map(([lon, lat]) => {
    const [a, b] = [Math.round(lon * parts), Math.round(lat * parts)], text = written(a - x) + written(b - y);
    [x, y] = [a, b];
    return text;
  }).join("");
};

function pathOf(text, parts = grid) {
  const out = [], n = [];
  let value = 0, place = 1;
  for (const c of text) {
    const digit = letters.indexOf(c);
    if (digit < 0 || place > 2 ** 40) return null;
    value += (digit % 32) * place;
    place *= 32;
    if (digit >= 32) continue;
    n.push(value % 2 ? -(value + 1) / 2 : value / 2);
    [value, place] = [0, 1];
  }
  if (n.length % 2 || place !== 1) return null;
  for (let i = 0, x = 0, y = 0; i < n.length; i += 2) {
    x += n[i];
    y += n[i + 1];
    if (Math.abs(x) > 180 * parts || Math.abs(y) > 90 * parts) return null;
    out.push([x / parts, y / parts]);
  }
  return out;
}

/** textOf writes polygons for an address: rings divided by ".", polygons by "~"; the last position of a ring is its first. */
export const textOf = (polygons) => polygons.map((rings) => rings.map((r) => pathText(r.slice(0, -1))).join(".")).join("~");

/** polygonsIn reads them; null if the text is not of that form. */
export function polygonsIn(text) {
  const out = text.split("~").map((p) => p.split(".").map((r) => pathOf(r)));
  if (out.flat().some((r) => !r || r.length < 3)) return null;
  return out.map((rings) => rings.map((r) => [...r, r[0]]));
}

/** lineText writes a line for an address, lineIn reads it; null if the text is not a line. parts are those of a degree, 1e6 unless said. */
export const lineText = pathText;
export const lineIn = (text, parts) => { const line = pathOf(text, parts); return line && line.length >= 2 ? line : null; };

/** buffered are the polygons of all places within a distance in metres of lines: where the field of distances, sampled every
 * sixth of it, has that value. Null where the field would be larger than some millions of samples. */
export function buffered(lines, radius) {
  const plane = lines.filter((l) => l.length).map((l) => l.map(([lon, lat]) => toLAEA(lon, lat))), flat = plane.flat();
  if (!flat.length || !(radius > 0)) return null;
  const step = radius / 6, [w, s, e, n] = boundsOf(flat), cols = Math.ceil((e - w + 2 * radius) / step) + 5, rows = Math.ceil((n - s + 2 * radius) / step) + 5;
  if (cols * rows > 6e6) return null;
  const x0 = w - radius - 2 * step, y0 = s - radius - 2 * step, field = new Float32Array(cols * rows).fill(3 * radius);
  for (const line of plane) for (let i = 0; i < Math.max(line.length - 1, 1); i++) nearer(field, { cols, rows, x0, y0, step, reach: radius + 2 * step }, line[i], line[i + 1] ?? line[i]);
  return nested(contours(field, cols, rows, radius)).map((rings) => rings.map((r) => r.map(([c, k]) => fromLAEA(x0 + c * step, y0 + k * step))));
}

// nearer notes the distances to a segment.
function nearer(field, { cols, rows, x0, y0, step, reach }, [ax, ay], [bx, by]) {
  const dx = bx - ax, dy = by - ay, len2 = dx * dx + dy * dy;
  const from = (v, o) => Math.max(Math.floor((v - reach - o) / step), 0), to = (v, o, most) => Math.min(Math.ceil((v + reach - o) / step), most - 1);
  for (let r = from(Math.min(ay, by), y0); r <= to(Math.max(ay, by), y0, rows); r++) for (let c = from(Math.min(ax, bx), x0); c <= to(Math.max(ax, bx), x0, cols); c++) {
    const px = x0 + c * step - ax, py = y0 + r * step - ay, t = len2 ? Math.min(Math.max((px * dx + py * dy) / len2, 0), 1) : 0;
    const d = Math.hypot(px - t * dx, py - t * dy);
    if (d < field[r * cols + c]) field[r * cols + c] = d;
  }
}

// contours are the closed lines at a level of a field whose border lies above it: marching squares, below the level on the left.
function contours(field, cols, rows, level) {
  const next = new Map(), key = (c, r, up) => ((r * cols + c) * 2 + (up ? 1 : 0)); // of the edge from a node to the east, or to the north
  const below = (c, r) => field[r * cols + c] < level;
  for (let r = 0; r < rows - 1; r++) for (let c = 0; c < cols - 1; c++) {
    const corners = [below(c, r), below(c + 1, r), below(c + 1, r + 1), below(c, r + 1)];
    const edges = [key(c, r, false), key(c + 1, r, true), key(c, r + 1, false), key(c, r, true)];
    // Around the cell against the clock: the line enters where it goes from outside to inside, and leaves at the next change.
    const changes = [];
    for (let i = 0; i < 4; i++) if (corners[i] !== corners[(i + 1) % 4]) changes.push([edges[i], corners[i]]);
    for (let i = 0; i < changes.length; i++) {
      const [edge, inside] = changes[i];
      if (inside) next.set(edge, changes[(i + changes.length - 1) % changes.length][0]);
    }
  }
  const place = (edge) => {
    const up = edge % 2, node = (edge - up) / 2, c = node % cols, r = (node - c) / cols, a = field[node], b = field[node + (up ? cols : 1)], f = (level - a) / (b - a);
    return up ? [c, r + f] : [c + f, r];
  };
  const rings = [];
  while (next.size) {
    const first = next.keys().next().value, ring = [];
    for (let at = first; next.has(at);) {
      ring.push(place(at));
      const to = next.get(at);
      next.delete(at);
      at = to;
    }
    if (ring.length > 2) rings.push([...ring, ring[0]]);
  }
  return rings;
}

const turn = (ring) => ring.reduce((s, [x, y], i) => s + (i ? ring[i - 1][0] * y - x * ring[i - 1][1] : 0), 0) / 2;

// nested puts holes into the rings around them: an outer ring is the larger, and holes turn the other way.
function nested(rings) {
  const sense = Math.sign(turn(rings.reduce((a, b) => (Math.abs(turn(b)) > Math.abs(turn(a)) ? b : a))));
  const outer = rings.filter((r) => Math.sign(turn(r)) === sense).map((r) => [r]);
  for (const hole of rings.filter((r) => Math.sign(turn(r)) !== sense)) {
    const around = outer.filter(([o]) => within(hole[0], o)).sort((a, b) => Math.abs(turn(a[0])) - Math.abs(turn(b[0])))[0];
    around?.push(hole);
  }
  return outer;
}

/** within says whether a place lies in a ring. */
export function within([x, y], ring) {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = ring[i], [bx, by] = ring[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
