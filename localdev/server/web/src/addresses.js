// The address points around what is in view: house numbers and street names of the map, and the streets that
// a search looks through. They are asked for in cells of a fixed grid, so that going back asks nothing again.
import { addressesIn } from "./api.js";
import { fold } from "./query.js";

const cell = 0.01; // degrees: about 750 m by 1,100 m
const kept = 120; // cells held at once; a dense one has some thousand addresses
const together = 3; // cells beside each other that are asked for in one question

/** Addresses holds cells and the addresses of whole KGs. */
export class Addresses {
  constructor() {
    this.cells = new Map();
    this.kgs = new Map();
  }

  /** inView gives the addresses of the cells that a box touches; more than 40 cells are not asked for. */
  async inView([west, south, east, north]) {
    const [x0, x1, y0, y1] = [west, east, south, north].map((v) => Math.floor(v / cell));
    if ((x1 - x0 + 1) * (y1 - y0 + 1) > 40) return [];
    const answers = [];
    for (let y = y0; y <= y1; y++) {
      let row = [];
      const load = () => { if (row.length) answers.push(...this.load(row, y)); row = []; };
      for (let x = x0; x <= x1; x++) {
        if (this.cells.has(`${x},${y}`)) { load(); answers.push(this.ask(this.cells, `${x},${y}`, kept)); } else if (row.push(x) === together) load();
      }
      load();
    }
    const once = new Map();
    for (const a of (await Promise.all(answers)).flat()) once.set(a.building_id, a);
    return [...once.values()];
  }

  // load asks for cells of a row that stand beside each other, and gives the answer of each.
  load(row, y) {
    const all = addressesIn([row[0] * cell, y * cell, (row.at(-1) + 1) * cell, (y + 1) * cell]);
    const cellOf = (a) => Math.min(Math.max(Math.floor(a.lon / cell), row[0]), row.at(-1)); // one on the edge is in the row
    return row.map((x) => this.ask(this.cells, `${x},${y}`, kept, () => all.then((list) => list.filter((a) => cellOf(a) === x))));
  }

  /** ofKG gives all addresses of a KG. */
  ofKG(kg) {
    return this.ask(this.kgs, kg.kg_code, 24, async () => {
      if (kg.west == null) return [];
      return (await addressesIn([kg.west - 1e-5, kg.south - 1e-5, kg.east + 1e-5, kg.north + 1e-5])).filter((a) => a.kg_code === kg.kg_code);
    });
  }

  // ask remembers an answer, forgets the oldest, and lets what failed be asked again.
  ask(map, key, most, load) {
    let answer = map.get(key);
    map.delete(key);
    if (!answer) {
      answer = load();
      answer.catch(() => map.delete(key));
    }
    map.set(key, answer);
    if (map.size > most) map.delete(map.keys().next().value);
    return answer;
  }
}

/** houses are the labels of house numbers; addresses of one point and number have one. */
export function houses(addresses) {
  const seen = new Set();
  return collection(addresses.filter((a) => {
    const key = `${a.lon},${a.lat},${a.house_number}`;
    return a.house_number && !seen.has(key) && seen.add(key);
  }).map((a) => point([a.lon, a.lat], { number: a.house_number })));
}

const segment = 300; // metres of a street to a label
const near = 130; // metres around a label whose addresses give its direction
const straight = 2.5; // so much longer than wide houses stand along a street; others follow the whole of it

/** streets are labels of street names among their houses, along the way the houses stand. */
export function streets(addresses) {
  const groups = new Map();
  for (const a of addresses) {
    if (!a.street || fold(a.street) === fold(a.ort ?? "")) continue; // a place whose streets have no names
    const key = `${a.street}|${a.ort}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(a);
  }
  const out = [];
  for (const group of groups.values()) {
    const lat0 = group[0].lat, kx = 111_320 * Math.cos((lat0 * Math.PI) / 180), ky = 110_574;
    const at = group.map((a) => [a.lon * kx, a.lat * ky]);
    const { middle, along } = axis(at);
    const bins = new Map();
    for (const p of at) {
      const bin = Math.round(((p[0] - middle[0]) * along[0] + (p[1] - middle[1]) * along[1]) / segment);
      if (!bins.has(bin)) bins.set(bin, []);
      bins.get(bin).push(p);
    }
    for (const bin of bins.values()) {
      const centre = axis(bin).middle;
      const close = at.filter((p) => Math.hypot(p[0] - centre[0], p[1] - centre[1]) < near);
      if (close.length < 2) continue;
      const local = axis(close);
      const [x, y] = local.stretch >= straight ? local.along : along;
      let angle = (-Math.atan2(y, x) * 180) / Math.PI; // clockwise
      if (angle > 90) angle -= 180;
      if (angle < -90) angle += 180;
      out.push(point([local.middle[0] / kx, local.middle[1] / ky], { name: group[0].street, angle, count: bin.length }));
    }
  }
  return collection(out);
}

// axis is the mean of points, the direction in which they spread most, and how much more than across it.
function axis(points) {
  const n = points.length;
  const middle = [0, 1].map((i) => points.reduce((s, p) => s + p[i], 0) / n);
  let xx = 0, xy = 0, yy = 0;
  for (const p of points) {
    const x = p[0] - middle[0], y = p[1] - middle[1];
    xx += x * x; xy += x * y; yy += y * y;
  }
  const turn = Math.atan2(2 * xy, xx - yy) / 2;
  const half = (xx + yy) / 2, bend = Math.hypot((xx - yy) / 2, xy);
  return { middle, along: [Math.cos(turn), Math.sin(turn)], stretch: Math.sqrt((half + bend) / Math.max(half - bend, 1e-9)) };
}

const point = (coordinates, properties) => ({ type: "Feature", geometry: { type: "Point", coordinates }, properties });
const collection = (features) => ({ type: "FeatureCollection", features });
