// The national archive of tiles that the served generation names, and its tiles of a first view.
import { PMTiles } from "pmtiles";
import { Ranges } from "./ranges.js";

const whole = 16 << 10; // bytes of an archive that is read at once

// frontOf is how many bytes an archive of so many is asked for first. Its directory takes about a thousandth of it; what is small need not
// be asked for the 16 kB that the directory of a large one fills.
const frontOf = (bytes) => (bytes <= whole ? bytes : Math.min(whole, Math.max(2 << 10, bytes / 500)));

/** archiveUnder is the archive of tiles under a key of the served generation, of so many bytes, about, where that is known. */
export const archiveUnder = (key, bytes = Infinity) => new PMTiles(new Ranges(new URL(`/artefacts/${key}`, location.href).href, { front: frontOf(bytes) }));

const bytesOfKG = 200_000; // that a KG adds to the tiles of the country, about

/** published reads what is served: {pointer, archive, header, base}, null where nothing is. view(header) is the view whose tiles are asked for
 * before a map wants them, as soon as after is settled, null for none; base holds the archives of the map under the parcels by their kind, of
 * which kinds are opened and read then, too. */
export async function published(view = null, { kinds = [], after = Promise.resolve() } = {}) {
  const reply = await fetch("/artefacts/current.json");
  if (!reply.ok) return null;
  const pointer = await reply.json(), base = {};
  const archive = archiveUnder(pointer.tiles, (pointer.kg_count ?? Infinity) * bytesOfKG), header = await archive.getHeader();
  if (view) {
    after.then(() => ahead(archive, header, view(header))).catch(() => {}); // the map asks for what could not be had
    for (const kind of kinds) {
      const { key, bytes } = pointer.artefacts?.[kind] ?? {};
      if (!key) continue;
      base[kind] = archiveUnder(key, bytes);
      after.then(() => base[kind].getHeader()).then((h) => ahead(base[kind], h, view(header))).catch(() => {});
    }
  }
  return { pointer, archive, header, base };
}

const drawn = 512; // pixels of a tile of vectors on the screen

/** tilesOf are the tiles [z, x, y] of a view {center, zoom, width, height}, those next to its middle first. */
export function tilesOf({ minZoom, maxZoom }, { center: [lon, lat], zoom, width, height }) {
  const z = Math.min(maxZoom, Math.floor(zoom)), n = 2 ** z, side = drawn * 2 ** (zoom - z), out = [];
  if (z < minZoom) return out;
  const x = ((lon + 180) / 360) * n, y = ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * n;
  for (let i = Math.floor(x - width / 2 / side); i <= Math.floor(x + width / 2 / side); i++) {
    for (let j = Math.floor(y - height / 2 / side); j <= Math.floor(y + height / 2 / side); j++) out.push([z, i, j]);
  }
  const far = ([, i, j]) => Math.hypot(i + 0.5 - x, j + 0.5 - y);
  return out.sort((a, b) => far(a) - far(b)).slice(0, 24);
}

// ahead asks for the tiles of a view before the map that draws them is made.
const ahead = (archive, header, view) => archive.source.before(() => Promise.all(tilesOf(header, view).map(([z, x, y]) => archive.getZxy(z, x, y))));
