// The cells of a raster layer anywhere: finds the files that hold a place, reads their tiles by range, each once, and gives
// squares of the map's tiles. Files and tiles that were read are kept up to a number.
import { toLAEA } from "../crs.js";
import { Raster } from "./cog.js";

const keep = 64; // tiles of 512 cells: a megabyte each

class Kept {
  constructor(most) { Object.assign(this, { most, map: new Map() }); }

  // of gives what is kept under a key, or makes it; what fails is forgotten.
  of(key, make) {
    let found = this.map.get(key);
    this.map.delete(key);
    found ??= make();
    this.map.set(key, found);
    if (this.map.size > this.most) this.map.delete(this.map.keys().next().value);
    found.catch(() => { if (this.map.get(key) === found) this.map.delete(key); });
    return found;
  }
}

const lonOf = (x, z) => (x / 2 ** z) * 360 - 180;
const latOf = (y, z) => Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * (180 / Math.PI);

/** boxOf is [west, south, east, north] of a tile of the map. */
export const boxOf = (z, x, y) => [lonOf(x, z), latOf(y + 1, z), lonOf(x + 1, z), latOf(y, z)];

/** metresOf is the side of a pixel of a tile on the ground. */
export const metresOf = (z, y, size) => (40_075_016.7 * Math.cos(latOf(y + 0.5, z) * (Math.PI / 180))) / 2 ** z / size;

/** gridOf are the places in EPSG:3035 of a tile's pixels, size x size, with a border of one: [x of each, y of each]. Between
 * the places of a lattice of 17 x 17 the plane is even to a centimetre. */
export function gridOf(z, x, y, size) {
  const parts = 16, n = size + 2, lattice = [];
  for (let r = 0; r <= parts; r++) for (let c = 0; c <= parts; c++) {
    const at = (k) => (-1 + (k / parts) * n) / size; // the border included
    lattice.push(toLAEA(lonOf(x + at(c), z), latOf(y + at(r), z)));
  }
  const xs = new Float64Array(n * n), ys = new Float64Array(n * n);
  for (let r = 0; r < n; r++) for (let c = 0; c < n; c++) {
    const u = ((c + 0.5) / n) * parts, v = ((r + 0.5) / n) * parts, i = Math.min(Math.floor(u), parts - 1), k = Math.min(Math.floor(v), parts - 1), f = u - i, g = v - k;
    const [p, q, s, t] = [lattice[k * (parts + 1) + i], lattice[k * (parts + 1) + i + 1], lattice[(k + 1) * (parts + 1) + i], lattice[(k + 1) * (parts + 1) + i + 1]];
    for (const [to, d] of [[xs, 0], [ys, 1]]) to[r * n + c] = (p[d] * (1 - f) + q[d] * f) * (1 - g) + (s[d] * (1 - f) + t[d] * f) * g;
  }
  return [xs, ys];
}

/** Mosaic reads layers. fetched(address, options) asks; root stands before artefacts and services. */
export class Mosaic {
  constructor({ fetched = (...request) => fetch(...request), root = "" } = {}) {
    Object.assign(this, { fetched, root, lists: new Kept(200), files: new Kept(200), tiles: new Kept(keep), requests: 0, bytes: 0 });
  }

  // layersIn are the layers with their files around a tile: one list for all tiles below one of zoom 12.
  layersIn(z, x, y) {
    const up = Math.max(z - 12, 0), at = [z - up, x >> up, y >> up];
    return this.lists.of(at.join("/"), async () => {
      const reply = await this.fetched(`${this.root}/landscape/api/v1/layers?bbox=${boxOf(...at).map((v) => v.toFixed(6)).join(",")}`);
      if (!reply.ok) throw new Error(`the layers: ${reply.status}`);
      return (await reply.json()).data;
    });
  }

  open(key) {
    return this.files.of(key, () => Raster.open(async (from, length) => {
      this.requests++;
      const reply = await this.fetched(`${this.root}/artefacts/${key}`, { headers: { range: `bytes=${from}-${from + length - 1}` } });
      if (!reply.ok) throw new Error(`${key}: ${reply.status}`);
      const bytes = await reply.arrayBuffer();
      this.bytes += bytes.byteLength;
      return reply.status === 206 ? bytes : bytes.slice(from, from + length); // a server that knows no ranges sends all
    }));
  }

  // square is a layer's values at places, each between the four cells around it (of pictures of the cell it lies in); NaN
  // where they are not known.
  async square(layer, [xs, ys], metres, bands) {
    let west = Infinity, east = -Infinity, south = Infinity, north = -Infinity;
    for (let i = 0; i < xs.length; i++) { west = Math.min(west, xs[i]); east = Math.max(east, xs[i]); south = Math.min(south, ys[i]); north = Math.max(north, ys[i]); }
    const km = layer.tile_km * 1000, near = layer.tiles.filter((t) => t.e_km * 1000 < east && t.e_km * 1000 + km > west && t.n_km * 1000 < north && t.n_km * 1000 + km > south);
    if (!near.length) return null;
    const rasters = await Promise.all(near.map((t) => this.open(t.key))), step = Math.max(...rasters.map((r) => r.level(metres).step));
    const window = { west: Math.floor(west / step - 1) * step, north: Math.ceil(north / step + 1) * step, step, bands };
    window.cols = Math.ceil((east - window.west) / step) + 2;
    window.rows = Math.ceil((window.north - south) / step) + 2;
    window.cells = new Float32Array(window.cols * window.rows * bands).fill(NaN);
    await Promise.all(rasters.map((r, i) => this.copy(near[i].key, r, window)));
    return sampled(window, xs, ys);
  }

  // copy puts the cells of a file into a window.
  async copy(key, raster, w) {
    const image = raster.level(w.step), size = image.side, from = (v) => Math.floor(v / size);
    const c0 = Math.round((w.west - raster.west) / w.step), r0 = Math.round((raster.north - w.north) / w.step); // of the window's first cell
    const cols = [Math.max(from(c0), 0), Math.min(from(c0 + w.cols - 1), Math.ceil(image.width / size) - 1)], rows = [Math.max(from(r0), 0), Math.min(from(r0 + w.rows - 1), Math.ceil(image.height / size) - 1)], wanted = [];
    for (let r = rows[0]; r <= rows[1]; r++) for (let c = cols[0]; c <= cols[1]; c++) wanted.push([c, r]);
    await Promise.all(wanted.map(async ([c, r]) => {
      const tile = await this.tiles.of(`${key} ${image.step} ${c} ${r}`, () => raster.tile(image, c, r));
      if (tile) paste(tile, image, raster.none, { c: c * size - c0, r: r * size - r0 }, w);
    }));
  }
}

// paste puts a tile into a window, whose first cell it begins at.
function paste(tile, image, none, at, w) {
  const { side, bands } = image;
  for (let r = Math.max(0, -at.r); r < side && at.r + r < w.rows; r++) for (let c = Math.max(0, -at.c); c < side && at.c + c < w.cols; c++) {
    const from = (r * side + c) * bands, to = ((at.r + r) * w.cols + at.c + c) * w.bands;
    for (let b = 0; b < w.bands; b++) { const v = tile[from + b]; if (v === v && v !== none) w.cells[to + b] = v; }
  }
}

function sampled(w, xs, ys) {
  const out = new Float32Array(xs.length * w.bands);
  for (let i = 0; i < xs.length; i++) {
    const u = (xs[i] - w.west) / w.step, v = (w.north - ys[i]) / w.step;
    if (w.bands > 1) {
      const p = (Math.floor(v) * w.cols + Math.floor(u)) * w.bands;
      for (let b = 0; b < w.bands; b++) out[i * w.bands + b] = w.cells[p + b];
      continue;
    }
    const c = Math.floor(u - 0.5), r = Math.floor(v - 0.5), f = u - 0.5 - c, g = v - 0.5 - r, p = r * w.cols + c;
    out[i] = (w.cells[p] * (1 - f) + w.cells[p + 1] * f) * (1 - g) + (w.cells[p + w.cols] * (1 - f) + w.cells[p + w.cols + 1] * f) * g;
  }
  return out;
}
