// What analysis says of a parcel in its card: heights of the terrain, slope, forest, trees and what is highest on it.
import { element, number, rows } from "./dom.js";
import { t } from "./words.js";

const known = (v) => v !== null && v !== undefined;
const one = (v) => number(v, v < 10 ? 1 : 0);

const directions = { N: "north", NE: "north-east", E: "east", SE: "south-east", S: "south", SW: "south-west", W: "west", NW: "north-west" };

/** factsOf are the lines of a parcel that was analysed: [name, text]; what is not known is left out, what is none is said. */
export function factsOf(p) {
  const facing = known(p.aspect_dominant) ? (p.aspect_dominant === "flat" ? t("level ground") : t("facing {direction}", { direction: t(directions[p.aspect_dominant] ?? p.aspect_dominant) })) : "";
  const lines = [];
  if (known(p.elevation_min_m)) lines.push([t("Terrain"), t("{low} to {high} m", { low: number(p.elevation_min_m), high: number(p.elevation_max_m) })]);
  if (known(p.slope_mean_deg)) lines.push([t("Slope"), [`${number(p.slope_mean_deg, 1)}°`, facing].filter(Boolean).join(", ")]);
  if (known(p.forested_fraction)) lines.push([t("Forest"), t("{share} % of the parcel", { share: number(p.forested_fraction * 100) })]);
  if (known(p.tree_count)) lines.push([t("Trees"), p.tree_count > 0 ? treesOf(p) : t("none")]);
  if (known(p.ndsm_max_m) && p.ndsm_max_m > 0) lines.push([t("Crowns and roofs"), t("up to {height} m high", { height: one(p.ndsm_max_m) })]);
  return lines;
}

function treesOf(p) {
  const highest = p.top_trees?.[0]?.[0];
  return [number(p.tree_count), known(highest) ? t("the highest {height} m", { height: one(highest) }) : "", known(p.tree_canopy_sqm) ? t("crowns {area} m²", { area: number(p.tree_canopy_sqm) }) : ""].filter(Boolean).join(", ");
}

/** renderTerrain fills a section of the card; answer is null where the parcel was not analysed. */
export function renderTerrain(section, answer) {
  if (!answer) { section.replaceChildren(element("p", t("Terrain and trees: not analysed yet."))); return; }
  const title = element("h2", t("Terrain and trees"));
  const code = String(answer.parcel_id ?? "").slice(0, 5), facts = factsOf(answer);
  section.replaceChildren(title, facts.length ? rows(facts) : element("p", t("No scan covers this parcel.")));
  if (/^\d{5}$/.test(code)) { const p = element("p"); p.append(element("a", t("Profile of the KG"), { href: `/kg/${code}` })); section.append(p); }
}
