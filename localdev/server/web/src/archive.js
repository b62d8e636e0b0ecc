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

/** openTiles opens the archive: {url, header, metadata, pointer, base}; more(pointer) is what base becomes. */
export async function openTiles(more = () => ({})) {
  const reply = await fetch("/artefacts/current.json");
  if (!reply.ok) throw new Error(t("nothing is published yet: build the country first"));
  const pointer = await reply.json();
  const { archive, url } = archiveOf(pointer.tiles);
  const [header, metadata, base] = await Promise.all([archive.getHeader(), archive.getMetadata(), more(pointer)]);
  return { url, header, pointer, metadata, base };
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
