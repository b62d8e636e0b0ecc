// Archives of tiles as sources of a map, and the words that they are credited with.
import { addProtocol } from "maplibre-gl";
import { Protocol } from "pmtiles";
import { archiveUnder, published } from "./tiles.js";
import { t } from "./words.js";

const protocol = new Protocol(), described = new Map();

// What a map asks of a source is answered with what describe() adds to it.
addProtocol("pmtiles", async (params, stop) => {
  const got = await protocol.tile(params, stop), more = params.type === "json" && described.get(params.url);
  return more ? { ...got, data: { ...got.data, ...more(await protocol.get(params.url.slice("pmtiles://".length)).getMetadata()) } } : got;
});

// sourceOf has the map read an archive under its address.
function sourceOf(archive) {
  protocol.add(archive);
  return { archive, url: `pmtiles://${archive.source.getKey()}` };
}

/** archiveOf is the archive of tiles under a key of the served generation, with its address for a style. describe(metadata) gives further
 * members of the source, such as its attribution: a style that held them would have to wait for them. */
export function archiveOf(key, { describe = null, archive = archiveUnder(key) } = {}) {
  const opened = sourceOf(archive);
  if (describe) described.set(opened.url, describe);
  return opened;
}

/** openTiles opens the archive of parcels of what is served: {url, header, metadata, pointer, base}. */
export async function openTiles(reading = published()) {
  const served = await reading;
  if (!served) throw new Error(t("nothing is published yet: build the country first"));
  return { ...served, url: sourceOf(served.archive).url, metadata: await served.archive.getMetadata() };
}

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
