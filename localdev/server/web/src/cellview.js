// The cells of a view: what is asked for, what the map draws of it, and what it sums to. The colours are the style's
// (cells.js).
import { boxesOf, changedIn, inAll, inside, rowsOf, split, stateAt, widened } from "./cellrows.js";
import { areas, sumsOf } from "./cellwords.js";
import { element, number } from "./dom.js";
import { statuses } from "./palette.js";
import { t } from "./words.js";

/** mostKGs are the KGs whose changes are summed at most: the service's limit. */
export const mostKGs = 500;
const smallest = 8; // the zoom that the archive begins with
const chunks = 60; // cells of resolution 9 that a view asks for what changed, those next to its middle: a burst of requests
const atOnce = 6; // of them
const kept = 600; // chunks whose changes are kept
const listed = 10; // moves from a use to another in the legend
const margin = 0.1; // of the view, asked for beside it
const none = { type: "FeatureCollection", features: [] };

const viewOf = (map) => map.getBounds().toArray().flat();
const pointBox = ([lat, lng]) => [lng, lat, lng, lat];

// asked is what is asked for: the view with a margin, without one where that would be too much, or null.
function asked(map) {
  const view = viewOf(map), wide = widened(view, margin);
  for (const box of [wide, view]) {
    const boxes = boxesOf(box);
    if (boxes) return { box, boxes };
  }
  return null;
}

// changesIn gives a function that asks what changed in the cells of boxes, chunk by chunk, the first of an order.
function changesIn({ ask, tell }) {
  const known = new Map(); // chunk to the changes of its cells, what was seen longest ago first
  const one = async (chunk, signal) => {
    const found = known.get(chunk) ?? (await ask.chunkOf(chunk, ["cell_id"], signal)).data.chg.cells.filter(Boolean);
    known.delete(chunk);
    known.set(chunk, found);
    if (known.size > kept) known.delete(known.keys().next().value);
  };
  return async (boxes, order, signal) => {
    const found = new Set((await Promise.all(boxes.map((b) => split(b, (x) => ask.chunksIn(x, signal))))).flat(2));
    const wanted = order([...found]).slice(0, chunks);
    tell(t("Asking …"));
    for (let i = 0; i < wanted.length; i += atOnce) {
      await Promise.all(wanted.slice(i, i + atOnce).map((c) => one(c, signal).catch((e) => { if (e.status !== 404) throw e; }))); // 404: no rows, or not built yet
      if (signal.aborted) return null;
    }
    return { changes: wanted.flatMap((c) => known.get(c) ?? []), chunks: new Set(wanted), all: found.size };
  };
}

// nearest orders cells by how far they are drawn from the middle of the map.
const nearest = (map, hex) => (cells) => {
  const { clientWidth: w, clientHeight: h } = map.getCanvas();
  const far = new Map(cells.map((c) => { const [lat, lng] = hex.centreOf(c), p = map.project([lng, lat]); return [c, Math.hypot(p.x - w / 2, p.y - h / 2)]; }));
  return cells.toSorted((a, b) => far.get(a) - far.get(b));
};

/** cellView gives what draws the cells of resolution 12 of a view, reads those of the archive, and finds one again. ask
 * are the calls to the service, tell says a line below the legend. */
export function cellView({ map, ask, tell }) {
  const changes = changesIn({ ask, tell });
  let shown = null; // {kind, box} with cells or chunks: what the source holds
  const collection = (rows, hex) => ({ type: "FeatureCollection", features: rows.map((row) => ({ type: "Feature", properties: row, geometry: hex.outline(row.cell) })) });
  const draw = (rows, hex) => map.getSource("cells").setData(collection(rows, hex));
  const inView = (rows, hex) => { const view = viewOf(map); return rows.filter((r) => inside(pointBox(hex.centreOf(r.cell)), view)); };

  // sum tells what share all of the cells have.
  function sum(rows, choice, hex) {
    const { area, part } = inAll(rows, choice, hex.areaOf);
    tell(area ? t("In view: {share} % of {area}, {n} cells", { share: number((100 * part) / area, 1), area: areas(area), n: number(rows.length) }) : t("No cells in view."));
  }

  // sumChanged tells how much ground of cells of the archive changed.
  function sumChanged(rows, hex) {
    const { area, by } = changedIn(rows, hex.areaOf);
    const parts = statuses.map((s) => `${t(s.name)}: ${areas(by[s.id])}`).join(", ");
    tell(area ? t("In view: {parts}, of {area} in {n} cells", { parts, area: areas(area), n: number(rows.length) }) : t("No cells in view."));
  }

  async function drawShares(choice, hex, signal) {
    if (!(shown?.kind === "shares" && inside(viewOf(map), shown.box))) {
      const { box, boxes } = asked(map);
      tell(t("Asking …"));
      const rows = rowsOf((await Promise.all(boxes.map((b) => split(b, (x) => ask.cellsIn(x, signal))))).flat());
      if (signal.aborted) return;
      shown = { kind: "shares", box, rows, cells: new Set(rows.map((r) => r.cell)) };
      draw(rows, hex);
    }
    sum(inView(shown.rows, hex), choice, hex);
  }

  async function drawChanges(hex, signal) {
    const { box, boxes } = asked(map), found = await changes(boxes, nearest(map, hex), signal);
    if (!found) return;
    shown = { kind: "changes", box, chunks: found.chunks };
    draw(found.changes.map(({ cell, status }) => ({ cell, status })), hex);
    tell(found.all > chunks ? t("{n} of {all} parts of the view: the nearest to the middle; zoom in for the others", { n: chunks, all: found.all }) : t("{n} changed cells", { n: number(found.changes.length) }));
  }

  return {
    /** near draws the cells of resolution 12. */
    async near(choice, hex, signal) {
      if (!asked(map)) tell(t("The view is too large for its cells: zoom in."));
      else await (choice === "changes" ? drawChanges(hex, signal) : drawShares(choice, hex, signal));
    },
    /** far sums the cells that the archive's layer draws; the map is idle again when its tiles are there. */
    far(choice, hex) {
      if (!map.getLayer("cells-far") || map.getZoom() < smallest) { tell(t("Zoom in for the cells.")); return; }
      if (!map.areTilesLoaded()) { tell(t("Asking …")); return; }
      const rows = new Map(map.queryRenderedFeatures({ layers: ["cells-far"] }).map((f) => [f.properties.cell, f.properties]));
      if (choice === "changes") sumChanged([...rows.values()], hex);
      else sum([...rows.values()], choice, hex);
    },
    /** epochs are the service's cells as they were at two dates, "" before all that is known: {sides, words(names)}, null
     * where they were not asked for. What the view shows is drawn before. */
    async epochs(choice, dates, hex, signal) {
      if (shown?.kind !== "shares") return null;
      const { rows, box } = shown, said = box && boxesOf(box);
      if (!said) return null;
      const found = await changes(said, nearest(map, hex), signal);
      if (!found) return null;
      const by = new Map(found.changes.map((c) => [c.cell, c])), states = dates.map((d) => rows.map((r) => stateAt(r, by.get(r.cell), d)));
      sum(inView(rows, hex), choice, hex);
      const words = (names) => {
        const [a, b] = states.map((s) => inAll(inView(s, hex), choice, hex.areaOf));
        const parts = [[names[0], a], [names[1], b]].map(([name, s]) => t("{date}: {share} %", { date: name, share: number((100 * s.part) / (s.area || 1), 1) }));
        const moved = t("difference {area}", { area: `${b.part < a.part ? "−" : b.part > a.part ? "+" : ""}${areas(Math.abs(b.part - a.part))}` });
        const partly = found.all > chunks ? [t("{n} of {all} parts of the view: the nearest to the middle; zoom in for the others", { n: chunks, all: found.all })] : [];
        return [...parts, moved, ...partly].join("; ");
      };
      return { sides: states.map((s) => collection(s, hex)), words };
    },
    /** unbuilt tells of the KGs in view whose cells are not built, "" without one. */
    unbuilt() {
      if (!map.getLayer("cells-unbuilt")) return "";
      const n = new Set(map.queryRenderedFeatures({ layers: ["cells-unbuilt"] }).map((f) => f.properties.kg_code)).size;
      return n === 0 ? "" : n === 1 ? t("1 KG in view is not built yet.") : t("{n} KGs in view are not built yet.", { n });
    },
    /** nearAt is the cell of resolution 12 at a place, null where none was asked for. */
    nearAt(place, hex) {
      const cell = hex.cellAt(place, 12);
      const known = shown?.kind === "changes" ? shown.chunks.has(hex.parentOf(cell, 9)) : shown?.cells.has(cell);
      return known ? { cell, row: null, place, hex } : null;
    },
    /** farAt is the archive's cell at a place. */
    farAt(place, hex) {
      const [f] = map.getLayer("cells-far") ? map.queryRenderedFeatures(map.project(place), { layers: ["cells-far"] }) : [];
      return f ? { cell: f.properties.cell, row: f.properties, place, hex } : null;
    },
    /** clear forgets what is drawn; of one kind only where one is named. */
    clear(kind) {
      if (kind && shown?.kind !== kind) return;
      shown = null;
      map.getSource("cells")?.setData(none);
    },
  };
}

/** drawSums fills in what changed in the KGs in view; stats is the service's answer about them, null without one. */
export function drawSums({ codes, stats, sums, mode }) {
  if (codes.length > mostKGs) { sums.replaceChildren(element("p", t("More than {n} KGs in view; zoom in for the sums.", { n: mostKGs }))); return; }
  if (!stats) { sums.replaceChildren(); return; }
  const { change, pending_kgs: pending } = stats, parts = sumsOf(change, listed, mode);
  sums.replaceChildren(element("p", t("KGs in view, each whole: {n}", { n: codes.length })), ...(parts.length ? parts : [element("p", t("Nothing changed."))]));
  if (pending.length) sums.append(element("p", t("{n} KGs are not built yet.", { n: pending.length })));
}
