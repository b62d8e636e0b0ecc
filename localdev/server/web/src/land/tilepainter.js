// The worker that draws the landscape's rasters: it is sent {id, kind, dates, z, x, y} and answers {id, pixels} with the RGBA of a
// tile of 256 pixels, pixels null where there is nothing, or {id, error}. {id, cancelled} takes a tile back.
import { gridOf, metresOf, Mosaic } from "./mosaic.js";
import { kinds, painted } from "./shade.js";

const size = 256;

/** tileOf is the picture of a tile of the map; null where nothing is known in it, or where it is not wanted any more. */
export async function tileOf(mosaic, { kind, dates, z, x, y }, cancelled = () => false) {
  const layers = await mosaic.layersIn(z, x, y);
  if (cancelled()) return null;
  const { rasters, bands = 1 } = kinds[kind];
  const wanted = dates.flatMap((date) => rasters.map((name) => layers.find((l) => l.layer === name && l.dataset === date)));
  if (wanted.some((l) => !l)) return null;
  const grid = gridOf(z, x, y, size), metres = metresOf(z, y, size);
  const values = await Promise.all(wanted.map((l) => mosaic.square(l, grid, metres, bands)));
  return cancelled() || values.some((v) => !v) ? null : painted(kind, values, size + 2, metres);
}

if (typeof WorkerGlobalScope !== "undefined") {
  const mosaic = new Mosaic(), cancelled = new Set();
  self.onmessage = async ({ data }) => {
    if (data.cancelled) { cancelled.add(data.id); return; }
    try {
      const pixels = await tileOf(mosaic, data, () => cancelled.has(data.id));
      if (cancelled.delete(data.id)) return;
      self.postMessage({ id: data.id, pixels }, pixels ? [pixels.buffer] : []);
    } catch (e) {
      self.postMessage({ id: data.id, error: e.message });
    }
  };
}
