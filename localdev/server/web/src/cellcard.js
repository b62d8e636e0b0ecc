// The card of a cell: what its ground is used for, how much of it is built over, and what changed there.
import { cellChanges, cellDate, cellOf, chunkOf } from "./api.js";
import { closer, heading, opened } from "./card.js";
import { drawn, gained, one, summed, tally } from "./cellrows.js";
import { areas, sumsOf, useOf } from "./cellwords.js";
import { element, english, link, number, rows } from "./dom.js";
import { classes, statuses } from "./palette.js";
import { t } from "./words.js";

// kgOf is the KG with the largest part of a chunk: "99102=0.7312, 99103=0.2688".
const kgOf = (header) => (header ?? "").split(",").map((p) => p.trim().split("=")).sort((a, b) => b[1] - a[1])[0][0];

const listed = 4; // moves from a use to another

// smallAt is the cell of resolution 12 at a place as the service has it, null without a row.
async function smallAt(place, hex) {
  try {
    return await cellOf(hex.cellAt(place, 12));
  } catch (e) {
    if (e.status !== 404) throw e;
    return null;
  }
}

const kgIn = (shares) => Object.entries(shares).sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";

/** detailsOf is what is known of a cell: resolution 12 as the service has it, 9 as the sum of its rows, the larger ones as
 * the archive says, with the KG of the place that was chosen. */
export async function detailsOf({ cell, row, place, hex }) {
  const area = hex.areaOf(cell), resolution = hex.resolutionOf(cell), found = { cell, area, resolution, kg: "", license: null, units: null, changes: null };
  if (resolution === 12) {
    const { data, meta } = await cellOf(cell);
    Object.assign(found, { sum: one(cell, data.lu, hex.areaOf), units: data.lu.n_units, changes: data.chg.cells.filter(Boolean), kg: kgIn(data.kgs), license: meta.license });
  } else if (resolution === 9) {
    const { data, meta, kgs } = await chunkOf(cell);
    Object.assign(found, { sum: summed(data.lu, hex.areaOf), changes: data.chg.cells.filter(Boolean), kg: kgOf(kgs), license: meta.license });
  } else {
    const small = await smallAt(place, hex);
    Object.assign(found, { sum: drawn(row, area), kg: small ? kgIn(small.data.kgs) : "", license: small?.meta.license });
  }
  if (!found.kg) return found;
  const [date, stats] = await Promise.all([cellDate(found.kg), cellChanges([found.kg])]);
  return { ...found, date, stats };
}

// bars are the uses of a cell, those it has, the largest first.
function bars(sum, mode) {
  const list = element("ul", "", { className: "bars" });
  const parts = classes.map((c, i) => ({ name: t(c.name), colour: c[mode], area: sum.uses[i] }));
  const used = sum.uses.reduce((a, b) => a + b, 0), known = Math.max(used, sum.parcels);
  parts.push({ name: t("no declared use"), colour: "none", area: known - used }, { name: t("outside the parcels"), colour: "none", area: sum.area - known });
  for (const p of parts.filter((p) => p.area / sum.area > 0.003).sort((a, b) => b.area - a.area)) { // less than 1/255 is rounding
    const li = element("li"), bar = element("i");
    bar.style.width = `${(100 * p.area) / sum.area}%`;
    bar.style.background = p.colour;
    li.append(element("span", p.name), element("span", `${number((100 * p.area) / sum.area, 1)} % · ${areas(p.area)}`), bar);
    list.append(li);
  }
  return list;
}

// builtOver is the number of buildings, where it is known, and their ground.
function builtOver({ n, area }) {
  if (n === null) return areas(area);
  return n === 0 && area === 0 ? "0" : t("{n} ({area} m² of ground)", { n: number(n), area: number(area) });
}

const statusName = (id) => t(statuses.find((s) => s.id === id)?.name ?? id);

// changed is what changed in one cell of resolution 12, the confirmed change below a candidate too.
function changed(list) {
  if (!list.length) return [element("p", t("Nothing changed."))];
  return [list[0], list[0].earlier].filter(Boolean).map((c) => rows([
    [t("Status"), statusName(c.status)],
    [t("From"), c.from && useOf(c.from)],
    [t("To"), c.to && useOf(c.to)],
    [t("Ground"), areas(gained(c))],
    [t("Since"), c.since],
    [t("Last change"), c.last_change],
    [t("Built over"), c.d_str_cover_m2 !== 0 && `${c.d_str_cover_m2 > 0 ? "+" : "−"}${areas(Math.abs(c.d_str_cover_m2))}`],
  ]));
}

// counted is what changed in the cells of a larger one, or of a KG.
function counted(change, mode) {
  const parts = sumsOf(change, listed, mode);
  return parts.length ? parts : [element("p", t("Nothing changed."))];
}

/** renderCell is the card of a cell. kgName names a KG. */
export function renderCell(card, d, { mode, kgName, onClose }) {
  const { sum, kg } = d, source = element("p", `${t("Source")}: `, { className: "source" });
  card.replaceChildren(closer(onClose), heading(t("Cell of {area}", { area: areas(d.area) })), element("p", [kg && `KG ${kg} ${kgName(kg)}`, d.cell].filter(Boolean).join(", "), { className: "where" }), bars(sum, mode), rows([
    [t("Buildings"), builtOver(sum.buildings)],
    [t("Built-over share"), `${number((100 * sum.buildings.area) / sum.area, 1)} %`],
    [t("Parcels"), d.units !== null && (d.units === 255 ? t("255 or more") : String(d.units))],
    [t("Boundaries"), sum.edge !== null && t("{n} m ({perHa} m per ha)", { n: number(sum.edge), perHa: number((sum.edge * 10_000) / sum.area) })],
    [t("Surveyed share of the parcels"), sum.surveyed !== null && sum.parcels > 0 && `${number((100 * sum.surveyed) / sum.parcels)} %`],
    [t("Resolution"), `H3 ${d.resolution}`],
    [t("Cadastre of"), d.date],
  ]));
  if (d.changes) card.append(element("h2", t("What changed")), ...(d.resolution === 12 ? changed(d.changes) : counted(tally(d.changes), mode)));
  if (d.stats) card.append(element("h2", t("What changed in KG {kg}", { kg: `${kg} ${kgName(kg)}` })), ...counted(d.stats.change, mode));
  if (d.license) {
    source.append(english(d.license.attribution ?? ""), ", ", link(d.license.license, d.license.license_url));
    card.append(source);
  }
  delete card.dataset.parcel;
  card.dataset.cell = d.cell;
  opened(card);
}
