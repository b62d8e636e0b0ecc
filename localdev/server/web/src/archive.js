// The national archive of tiles that the served generation names, and the words that it is credited with.
import { addProtocol } from "maplibre-gl";
import { PMTiles, Protocol } from "pmtiles";
import { Ranges } from "./ranges.js";
import { t } from "./words.js";

const protocol = new Protocol();
addProtocol("pmtiles", protocol.tile);

/** archiveOf is the archive of tiles under a key of the served generation, with its address for a style. */
export function archiveOf(key) {
  const archive = new PMTiles(new Ranges(new URL(`/artefacts/${key}`, location.href).href));
  protocol.add(archive);
  return { archive, url: `pmtiles://${archive.source.getKey()}` };
}

/** openTiles opens the archive: {url, header, metadata, pointer, base}; more(pointer) is what base becomes, view(header) the view
 * whose tiles are asked for at once, where there is one. */
export async function openTiles(more = () => ({}), view = null) {
  const reply = await fetch("/artefacts/current.json");
  if (!reply.ok) throw new Error(t("nothing is published yet: build the country first"));
  const pointer = await reply.json();
  const { archive, url } = archiveOf(pointer.tiles);
  const opened = archive.getHeader();
  if (view) opened.then((h) => ahead(archive, h, view(h))).catch(() => {}); // the map asks for what could not be had
  const [header, metadata, base] = await Promise.all([opened, archive.getMetadata(), more(pointer)]);
  return { url, header, pointer, metadata, base };
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

// ahead asks for the tiles of the first view while the map that draws them is still being made: the line has nothing else to do then.
const ahead = (archive, header, view) => archive.source.before(() => Promise.all(tilesOf(header, view).map(([z, x, y]) => archive.getZxy(z, x, y))));

/** escaped is a text for HTML. */
export const escaped = (text) => Object.assign(document.createElement("i"), { textContent: text }).innerHTML.replaceAll('"', "&quot;");

/** The credits as the data carries them: who made it, that it was changed, under which licence. */
export function credits({ pointer, metadata }) {
  const parts = [pointer.attribution || metadata?.attribution || ""];
  if (!/modified|verändert/i.test(parts[0])) parts.push(t("modified"));
  const licence = metadata?.license ?? "";
  const creative = licence.match(/^https:\/\/creativecommons\.org\/licenses\/([a-z-]+)\/([\d.]+)/);
  if (creative) parts.push(`CC ${creative[1].toUpperCase()} ${creative[2]}`);
  else if (licence) parts.push(licence);
  const said = parts.filter(Boolean).map(escaped);
  if (/^https:\/\//.test(licence)) said.push(`<a href="${escaped(licence)}">${said.pop()}</a>`);
  return said.join(", ");
}
