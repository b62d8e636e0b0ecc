// The terrain of a KG from its height field: which cells lie in it, how its heights are distributed, its shade as a picture.
import { bins } from "../land/analyses.js";
import { light } from "../land/shade.js";
import { step } from "./charts.js";

const ringsOf = (geometry) => (geometry.type === "Polygon" ? geometry.coordinates : geometry.coordinates.flat());

/** inside says whether a place lies in a polygon or several: how often a line to the east crosses its rings. */
export function inside(geometry, [x, y]) {
  let odd = false;
  for (const ring of ringsOf(geometry)) {
    for (let i = 1; i < ring.length; i++) {
      const [[x1, y1], [x2, y2]] = [ring[i - 1], ring[i]];
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) odd = !odd;
    }
  }
  return odd;
}

/** cellsOf are the heights of the cells whose middle lies in the outline, in metres; those that are not known are left out. */
export function cellsOf(field, geometry) {
  const [west, south, east, north] = field.bbox, out = [];
  field.z.forEach((line, row) => line.forEach((z, col) => {
    if (z !== null && inside(geometry, [west + ((col + 0.5) / field.cols) * (east - west), north - ((row + 0.5) / field.rows) * (north - south)])) out.push(z);
  }));
  return out;
}

/** distribution is the share of cells by height: {from, to, share}, in some twenty steps. */
export function distribution(heights) {
  if (!heights.length) return [];
  let [low, high] = [Infinity, -Infinity];
  for (const z of heights) { low = Math.min(low, z); high = Math.max(high, z); }
  return bins(heights, step(Math.max(high - low, 0.5), 18)).map(({ from, to, n }) => ({ from, to, share: n / heights.length }));
}

// Green valleys to pale heights, as maps have them.
const tints = [[196, 214, 170], [222, 226, 178], [236, 222, 178], [226, 201, 165], [210, 182, 158], [236, 230, 226]];
function tint(share) {
  const at = Math.min(Math.max(share, 0), 1) * (tints.length - 1), i = Math.min(Math.floor(at), tints.length - 2), f = at - i;
  return tints[i].map((v, k) => v + (tints[i + 1][k] - v) * f);
}

/** shaded is the terrain as RGBA, a pixel a cell: tinted by height, light from the north-west. What is not known is transparent. */
export function shaded({ z, cols, rows, cell_m: cell, elev_min: low, elev_max: high }) {
  const out = new Uint8ClampedArray(cols * rows * 4), at = (r, c) => z[Math.min(Math.max(r, 0), rows - 1)][Math.min(Math.max(c, 0), cols - 1)];
  const exaggeration = high - low < 100 ? 6 : 2; // plains would show nothing
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      if (z[r][c] === null) continue;
      const slope = (a, b) => (a === null || b === null ? 0 : ((a - b) / (2 * cell)) * exaggeration);
      const shine = 0.55 + 0.6 * light(slope(at(r, c + 1), at(r, c - 1)), slope(at(r - 1, c), at(r + 1, c)));
      out.set([...tint((z[r][c] - low) / Math.max(high - low, 1)).map((v) => v * shine), 255], 4 * (r * cols + c));
    }
  }
  return out;
}
