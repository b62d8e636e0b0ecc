// Colours for cells: the shade of the terrain, slope, heights above the ground, what changed between two dates. Classes have
// their lower ends in the unit of the layer; each legend is drawn from the same table as its picture. No page is needed.

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

/** kinds are the layers that can be drawn: which rasters each is made of, at how many dates, and its classes. The first class
 * of heights and the middle one of changes are not drawn. */
export const kinds = {
  hillshade: { title: "Hillshade", rasters: ["dtm"], dates: 1 },
  slope: { title: "Slope", unit: "°", rasters: ["dtm"], dates: 1, classes: [
    { from: 0, colour: "#fff7e0" }, { from: 5, colour: "#fbe08a" }, { from: 10, colour: "#f5b54a" }, { from: 18, colour: "#e5803a" }, { from: 30, colour: "#b8433f" }, { from: 45, colour: "#6a1f4d" }] },
  canopy: { title: "Height above ground", unit: "m", rasters: ["dsm", "dtm"], dates: 1, classes: [
    { from: -Infinity, colour: null }, { from: 1, colour: "#f1f0b8" }, { from: 3, colour: "#bcdc84" }, { from: 8, colour: "#78b95f" }, { from: 15, colour: "#36894c" }, { from: 22, colour: "#135f45" }, { from: 30, colour: "#0a3140" }] },
  change: { title: "Change of height", unit: "m", rasters: ["dsm"], dates: 2, classes: [
    { from: -Infinity, colour: "#6b2a0b" }, { from: -10, colour: "#bf5b17" }, { from: -3, colour: "#f2b36a" }, { from: -1, colour: null }, { from: 1, colour: "#9fd3e8" }, { from: 3, colour: "#3f94c8" }, { from: 10, colour: "#173f7a" }] },
  ortho: { title: "Aerial picture", rasters: ["ortho"], dates: 1, bands: 3 },
};

/** classOf is the place of a value among classes. */
export function classOf(classes, v) {
  let i = classes.length - 1;
  while (i > 0 && v < classes[i].from) i--;
  return i;
}

/** ranges are the classes that are drawn, with both ends, for a legend. */
export const ranges = (classes) => classes.map((c, i) => ({ ...c, to: classes[i + 1]?.from ?? Infinity })).filter((c) => c.colour);

const sun = { azimuth: 315 * (Math.PI / 180), altitude: 45 * (Math.PI / 180) };

// gradient is Horn's, of the cell (c, r) of a square of cells: rise per metre to the east and to the north.
function gradient(z, n, c, r, metres) {
  const at = (dc, dr) => z[(r + dr) * n + c + dc];
  const east = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
  const north = at(-1, -1) + 2 * at(0, -1) + at(1, -1) - at(-1, 1) - 2 * at(0, 1) - at(1, 1);
  return [east / (8 * metres), north / (8 * metres)];
}

/** slope is the steepness in degrees of a gradient. */
export const slope = (east, north) => Math.atan(Math.hypot(east, north)) * (180 / Math.PI);

/** light is how bright ground is that rises so, 0 to 1, under a sun from the north-west at 45 degrees. */
export function light(east, north) {
  const steep = Math.atan(Math.hypot(east, north)), towards = Math.atan2(-east, -north); // the way down, from north over east
  return Math.max(0, Math.sin(sun.altitude) * Math.cos(steep) + Math.cos(sun.altitude) * Math.sin(steep) * Math.cos(sun.azimuth - towards));
}

/** painted is the picture of a square of n x n cells with a border of one cell that is not drawn: RGBA, a cell a pixel. values
 * are the cells of each raster in the order of the kind, of each date; metres is the side of a cell on the ground. */
export function painted(kind, values, n, metres) {
  const side = n - 2, out = new Uint8ClampedArray(side * side * 4), { classes, bands } = kinds[kind], [a, b] = values;
  const colours = classes?.map((c) => c.colour && rgb(c.colour));
  for (let r = 0; r < side; r++) for (let c = 0; c < side; c++) {
    const i = (r + 1) * n + c + 1, to = (r * side + c) * 4;
    if (bands) {
      const p = i * bands;
      if (!(a[p] >= 0)) continue;
      out.set([a[p], a[p + 1], a[p + 2], 255], to);
      continue;
    }
    let colour;
    if (kind === "hillshade" || kind === "slope") {
      const [e, north] = gradient(a, n, c + 1, r + 1, metres);
      if (!Number.isFinite(e) || !Number.isFinite(north)) continue;
      if (kind === "hillshade") { const v = 255 * light(e, north); colour = [v, v, v]; } else colour = colours[classOf(classes, slope(e, north))];
    } else {
      const d = kind === "change" ? b[i] - a[i] : a[i] - b[i];
      if (!Number.isFinite(d)) continue;
      colour = colours[classOf(classes, d)];
    }
    if (colour) out.set([colour[0], colour[1], colour[2], 255], to);
  }
  return out;
}
