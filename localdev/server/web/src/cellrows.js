// Cells as numbers: which boxes a view asks for, what rows of cells sum to. Nothing here draws or asks.
import { classes, shares } from "./palette.js";

const span = 0.05; // degrees, the service's limit for a box
const full = 15_000; // cells of a box by estimate, below the service's 16,384: cells of Austria differ by some percent in area
const mean = 307; // m², the mean area of a cell of resolution 12
const most = 4; // boxes of a view
const degree = 111_320; // m of a degree of latitude, and of longitude at the equator
const whole = 255; // of a share

/** unit is a share of 0 to 255 as a number from 0 to 1. */
export const unit = (share) => share / whole;

/** stepOf is the class of a share from 0 to 1. */
export const stepOf = (share) => shares.findLastIndex((s) => share >= s.from);

/** boxesOf divides a view [west, south, east, north] into at most four equal boxes that the service answers; null where
 * they would be more. */
export function boxesOf([west, south, east, north]) {
  const w = east - west, h = north - south;
  if (!(w > 0 && h > 0)) return null;
  const cells = (w * Math.cos(((south + north) * Math.PI) / 360) * h * degree ** 2) / mean;
  // The least number of boxes; of those that are as many the squarest.
  let best = null;
  for (let columns = 1; columns <= most; columns++) for (let rows = 1; rows * columns <= most; rows++) {
    if (w / columns > span - 2e-5 || h / rows > span - 2e-5 || cells / (rows * columns) > full) continue; // a box grows by rounding
    const worse = [columns * rows, Math.abs(Math.log((w / columns) / (h / rows)))];
    if (!best || worse[0] < best.worse[0] || (worse[0] === best.worse[0] && worse[1] < best.worse[1])) best = { columns, rows, worse };
  }
  if (!best) return null;
  const at = (from, length, i, n) => (i === n ? from + length : from + (length * i) / n);
  return Array.from({ length: best.columns * best.rows }, (_, i) => {
    const x = i % best.columns, y = Math.floor(i / best.columns);
    return [at(west, w, x, best.columns), at(south, h, y, best.rows), at(west, w, x + 1, best.columns), at(south, h, y + 1, best.rows)];
  });
}

/** split asks for a box, and where the service says that it is too large, once for each box that it names instead. */
export async function split(box, ask) {
  try {
    return [await ask(box)];
  } catch (e) {
    if (e.status !== 413 || !Array.isArray(e.split) || e.split.length > most) throw e;
    return Promise.all(e.split.map(ask));
  }
}

/** inside says whether a box lies in another. */
export const inside = (box, of) => Boolean(of) && box[0] >= of[0] && box[1] >= of[1] && box[2] <= of[2] && box[3] <= of[3];

/** widened is a box with a margin on each side, as a part of its width and height. */
export function widened([west, south, east, north], part) {
  const x = (east - west) * part, y = (north - south) * part;
  return [west - x, south - y, east + x, north + y];
}

/** rowsOf are the columns of answers as one row for each cell: {cell, geb, bau, ..., str_cover}. */
export function rowsOf(tables) {
  const out = new Map();
  for (const t of tables) t?.cell_id.forEach((cell, i) => {
    const row = { cell, str_cover: t.str_cover[i] };
    classes.forEach((c, k) => { row[c.id] = t.lu[k][i]; });
    out.set(cell, row);
  });
  return [...out.values()];
}

/** stateAt is the row of a cell as it was at the end of a date, "" before all that is known; change is what changed in it
 * since, if anything. Of a cell that changed again the two newest changes are known. */
export function stateAt(row, change, date) {
  let was = null;
  for (const c of [change, change?.earlier]) if (c && c.last_change > date) was = c.was;
  if (!was) return row;
  return { cell: row.cell, str_cover: was.str_cover, ...Object.fromEntries(classes.map((c, i) => [c.id, was.lu[i]])) };
}

/** changedIn is the ground that changed in cells of the archive by status, in m²: {area, by}. */
export function changedIn(rows, areaOf) {
  const out = { area: 0, by: { confirmed: 0, candidate: 0 } };
  for (const row of rows) {
    out.area += areaOf(row.cell);
    for (const status of Object.keys(out.by)) out.by[status] += row[`${status}_m2`] ?? 0;
  }
  return out;
}

/** inAll is how much of the ground of cells a share has, each cell whole: {area, part} in m². */
export function inAll(rows, name, areaOf) {
  let area = 0, part = 0;
  for (const row of rows) {
    const a = areaOf(row.cell);
    area += a;
    part += unit(row[name] ?? 0) * a;
  }
  return { area, part };
}

/** summed are the rows of a chunk as one, areas in m²: no area is lost, what a smaller cell has the larger one has. The
 * surveyed share is that of the ground in parcels. */
export function summed(t, areaOf) {
  const out = { area: 0, uses: classes.map(() => 0), land: 0, buildings: { n: 0, area: 0 }, edge: 0, parcels: 0, surveyed: 0 };
  t.cell_id.forEach((cell, i) => {
    const a = areaOf(cell), covered = unit(t.cov[i]) * a;
    out.area += a;
    classes.forEach((_, k) => { out.uses[k] += unit(t.lu[k][i]) * a; });
    out.land += unit(t.land[i]) * a;
    out.buildings.n += t.str_n[i];
    out.buildings.area += unit(t.str_cover[i]) * a;
    out.edge += (t.edge_m_ha[i] * a) / 10_000;
    out.parcels += covered;
    out.surveyed += unit(t.gk[i]) * covered;
  });
  return out;
}

/** one is the row of a single cell in the same form. */
export function one(cell, row, areaOf) {
  const column = (v) => [v], { lu, ...rest } = row;
  return summed({ cell_id: [cell], lu: lu.map(column), ...Object.fromEntries(Object.entries(rest).map(([name, v]) => [name, [v]])) }, areaOf);
}

/** drawn is what a tile of small zooms says of a cell, in the same form; what it does not say is null. */
export function drawn(p, area) {
  return { area, uses: classes.map((c) => unit(p[c.id] ?? 0) * area), land: unit(p.land ?? 0) * area, buildings: { n: null, area: unit(p.str_cover ?? 0) * area }, edge: null, parcels: unit(p.cov ?? 0) * area, surveyed: null };
}

/** tally counts what changed in cells, in the form of /ne/stats: {confirmed, candidate}, each {cells, transitions_m2}. A
 * confirmed change below a newer candidate counts too. */
export function tally(changes) {
  const out = { confirmed: { cells: 0, transitions_m2: {} }, candidate: { cells: 0, transitions_m2: {} } };
  for (const newest of changes) for (const c of [newest, newest?.earlier]) {
    const to = out[c?.status];
    if (!to) continue;
    to.cells++;
    for (const { from, to: use, area } of transitions(c.d_lu_m2)) {
      const name = `${from}>${use}`;
      to.transitions_m2[name] = (to.transitions_m2[name] ?? 0) + area;
    }
  }
  return out;
}

/** transitions are the moves of ground in one cell: what a class lost goes to those that gained, in proportion. What the
 * nine classes lost or gained together was or is without a declared use. */
export function transitions(deltas) {
  const all = [...classes.map((c, i) => [c.id, deltas[i]]), ["none", -deltas.reduce((sum, v) => sum + v, 0)]];
  const won = all.filter(([, v]) => v > 0), up = won.reduce((sum, [, v]) => sum + v, 0);
  return all.filter(([, v]) => v < 0).flatMap(([from, lost]) => won.map(([to, v]) => ({ from, to, area: (-lost * v) / up })));
}

/** gained is the ground of a cell that has another use than before, in m². */
export function gained(change) {
  return transitions(change.d_lu_m2).reduce((sum, m) => sum + m.area, 0);
}

/** moves are transitions {"from>to": m²} as a list, the largest first. */
export function moves(transitions) {
  return Object.entries(transitions).map(([name, area]) => { const [from, to] = name.split(">"); return { from, to, area }; })
    .sort((a, b) => b.area - a.area || (a.from + a.to < b.from + b.to ? -1 : 1));
}
