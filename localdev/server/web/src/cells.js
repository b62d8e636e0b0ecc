// Cells as colour: how much of each hexagon has a use or is built over, or what changed in it. From zoom 14.8 on cells of
// resolution 12 from the service, below it larger ones from the archive that the served generation names.
import { boxesOf, inAll, inside, rowsOf, split, widened } from "./cellrows.js";
import { areas, sumsOf } from "./cellwords.js";
import { element, number } from "./dom.js";
import { classes, ground, shares, statuses } from "./palette.js";
import { t } from "./words.js";

export const nearZoom = 14.8;
const smallest = 8; // the zoom that the archive begins with
const chunks = 60; // cells of resolution 9 that a view asks for what changed, those next to its middle: a burst of requests
const kept = 600; // chunks whose changes are kept
const kgs = 500; // whose changes are summed, the service's limit
const listed = 10; // moves from a use to another in the legend
const margin = 0.1; // of the view, asked for beside it
const none = { type: "FeatureCollection", features: [] };

/** choices are what the colours may say. */
export const choices = [...classes.map(({ id, name }) => ({ id, name })), { id: "str_cover", name: "Built over" }, { id: "changes", name: "What changed" }];
const first = "wald";
const inArchive = (choice) => choice !== "changes"; // the archive has shares only

/** colourOf is the colour of a cell as an expression of the style. */
export const colourOf = (choice, mode) => (choice === "changes"
  ? ["match", ["get", "status"], ...statuses.flatMap((s) => [s.id, s[mode]]), ground[mode]]
  : ["step", ["/", ["coalesce", ["get", choice], 0], 255], shares[0][mode], ...shares.slice(1).flatMap((s) => [s.from, s[mode]])]);

/** cellLayers are the style layers of a mode; they begin hidden. */
export function cellLayers(mode, has = {}, choice = first) {
  const layout = { visibility: "none" }, paint = { "fill-color": colourOf(choice, mode), "fill-opacity": 0.92, "fill-antialias": false };
  const far = { id: "cells-far", type: "fill", source: "base-cells", "source-layer": "cells", maxzoom: nearZoom, layout, paint };
  return [
    ...(has["base-cells"] ? [far] : []),
    { id: "cells-near", type: "fill", source: "cells", minzoom: nearZoom, layout, paint },
    { id: "cells-line", type: "line", source: "cells", minzoom: 16, layout, paint: { "line-color": ground[mode], "line-width": 0.6, "line-opacity": 0.7 } },
  ];
}

const percent = (v) => number(v * 100);
const range = (i) => (i === shares.length - 1 ? t("{n} % and more", { n: percent(shares[i].from) }) : i === 0 ? t("under {n} %", { n: percent(shares[1].from) }) : `${percent(shares[i].from)} – ${percent(shares[i + 1].from)} %`);

function swatches(entries) {
  const ul = element("ul");
  for (const [colour, text] of entries) {
    const li = element("li"), swatch = element("i");
    swatch.style.background = colour;
    li.append(swatch, text);
    ul.append(li);
  }
  return ul;
}

// legendOf draws what the colours mean; sums are filled in when the service has told them.
function legendOf(part, choice, mode) {
  const { name } = choices.find((c) => c.id === choice);
  const list = choice === "changes" ? swatches([...statuses.map((s) => [s[mode], t(s.name)]), [ground[mode], t("Unchanged")]]) : swatches(shares.map((s, i) => [s[mode], range(i)]));
  part.replaceChildren(element("h2", choice === "changes" ? t("What changed") : t("{use}, share of the cell", { use: t(name) })), list, element("p", "", { role: "status" }), element("div", "", { className: "sums" }));
}

// changesIn gives a function that asks what changed in the cells of a view, chunk by chunk.
function changesIn({ ask, tell }) {
  const known = new Map(); // chunk to the changes of its cells, what was seen longest ago first
  const one = async (chunk, signal) => {
    if (known.has(chunk)) return;
    const { data } = await ask.chunkOf(chunk, ["cell_id"], signal);
    known.set(chunk, data.chg.cells.filter(Boolean));
    if (known.size > kept) known.delete(known.keys().next().value);
  };
  return async (boxes, near, signal) => {
    const found = new Set((await Promise.all(boxes.map((b) => split(b, (x) => ask.chunksIn(x, signal))))).flat(2));
    const all = near([...found]), wanted = all.slice(0, chunks);
    for (const c of wanted.filter((c) => known.has(c))) { const v = known.get(c); known.delete(c); known.set(c, v); }
    for (let i = 0; i < wanted.length; i += 6) {
      tell(t("Asking …"));
      await Promise.all(wanted.slice(i, i + 6).map((c) => one(c, signal).catch((e) => { if (e.status !== 404) throw e; }))); // 404: no rows, or not built yet
      if (signal.aborted) return null;
    }
    return { changes: wanted.flatMap((c) => known.get(c) ?? []), chunks: new Set(wanted), all: all.length };
  };
}

// switchOf is the entry of the list of layers: a box to tick beside the colours.
function switchOf(mode) {
  const li = element("li"), label = element("label"), input = element("input", undefined, { type: "checkbox", name: "cells" }), swatch = element("i");
  const paint = () => { swatch.style.background = `linear-gradient(90deg, ${shares.map((c) => c[mode()]).join(",")})`; };
  paint();
  label.append(input, swatch, t("Cells"));
  li.append(label);
  return { li, input, paint };
}

// chooser is the choice of what is coloured, above the legend.
function chooser(box, changed) {
  const label = element("label"), select = element("select", undefined, { name: "cell-colour" }), part = element("div");
  select.append(...choices.map((c) => element("option", t(c.name), { value: c.id, selected: c.id === first })));
  label.append(element("span", t("Colour")), select);
  select.addEventListener("change", () => changed(select.value));
  box.replaceChildren(label, part);
  return part;
}

/** cellSwitch puts the switch into list and the legend into box, in place of the one of land uses. ask are the calls to
 * the service, kgsIn(box) the codes of the KGs in view; begin is called before the colours appear. */
export function cellSwitch({ map, list, box, uses, mode, ask, kgsIn, begin, load = () => import("./hexagons.js") }) {
  let on = false, choice = first, hex = null, running = new AbortController(), drawn = "", last = "", shown = null;
  const part = chooser(box, (value) => { choice = value; if (value === "changes" || shown?.kind === "changes") clear(); paint(); draw(); });
  const tell = (text) => { const p = part.querySelector("[role=status]"); if (p) p.textContent = text; };
  const changes = changesIn({ ask, tell });
  const near = () => map.getZoom() >= nearZoom;
  const viewBox = () => map.getBounds().toArray().flat();
  const layers = () => cellLayers(mode(), map.getStyle().sources, choice);
  const clear = () => { shown = null; map.getSource("cells")?.setData(none); };
  const features = (rows) => ({ type: "FeatureCollection", features: rows.map((row) => ({ type: "Feature", properties: row, geometry: hex.outline(row.cell) })) });
  const visible = (id) => on && (id !== "cells-far" || inArchive(choice));

  function paint() {
    for (const l of layers()) {
      for (const [name, value] of Object.entries(l.paint)) map.setPaintProperty(l.id, name, value);
      map.setLayoutProperty(l.id, "visibility", visible(l.id) ? "visible" : "none");
    }
  }

  // asked is what is asked for: the view with a margin, without one where that would be too much, or null.
  const asked = () => {
    const view = viewBox(), wide = widened(view, margin);
    return boxesOf(wide) ? { box: wide, boxes: boxesOf(wide) } : boxesOf(view) && { box: view, boxes: boxesOf(view) };
  };

  async function drawShares(signal) {
    if (!(shown?.kind === "shares" && inside(viewBox(), shown.box))) {
      const { box, boxes } = asked();
      tell(t("Asking …"));
      const tables = (await Promise.all(boxes.map((b) => split(b, (x) => ask.cellsIn(x, signal))))).flat();
      if (signal.aborted) return;
      const rows = rowsOf(tables);
      shown = { kind: "shares", box, rows, cells: new Set(rows.map((r) => r.cell)) };
      map.getSource("cells").setData(features(rows));
    }
    const view = viewBox();
    sum(shown.rows.filter((r) => { const [lat, lng] = hex.centreOf(r.cell); return inside([lng, lat, lng, lat], view); }));
  }

  async function drawChanges(signal) {
    const far = (chunk) => { const [lat, lng] = hex.centreOf(chunk), p = map.project([lng, lat]), { clientWidth: w, clientHeight: h } = map.getCanvas(); return Math.hypot(p.x - w / 2, p.y - h / 2); };
    const { box, boxes } = asked();
    const found = await changes(boxes, (list) => list.toSorted((a, b) => far(a) - far(b)), signal);
    if (!found) return;
    shown = { kind: "changes", box, chunks: found.chunks };
    map.getSource("cells").setData(features(found.changes.map(({ cell, status }) => ({ cell, status }))));
    tell(found.all > chunks ? t("{n} of {all} parts of the view: the nearest to the middle; zoom in for the others", { n: chunks, all: found.all }) : t("{n} changed cells", { n: number(found.changes.length) }));
  }

  // sum tells what share all the cells in view have.
  function sum(rows) {
    const { area, part: has } = inAll(rows, choice, hex.areaOf);
    tell(area ? t("In view: {share} % of {area}, {n} cells", { share: number((100 * has) / area, 1), area: areas(area), n: number(rows.length) }) : t("No cells in view."));
  }

  async function drawSums(signal) {
    const codes = kgsIn(viewBox()), sums = part.querySelector(".sums");
    if (codes.length > kgs) { sums.replaceChildren(element("p", t("More than {n} KGs in view; zoom in for the sums.", { n: kgs }))); return; }
    if (!codes.length) { sums.replaceChildren(); return; }
    const { change, pending_kgs: pending } = await ask.cellChanges(codes, signal);
    if (signal.aborted) return;
    const parts = sumsOf(change, listed, mode());
    sums.replaceChildren(element("p", t("KGs in view, each whole: {n}", { n: codes.length })), ...(parts.length ? parts : [element("p", t("Nothing changed."))]));
    if (pending.length) sums.append(element("p", t("{n} KGs are not built yet.", { n: pending.length })));
  }

  function drawFar() {
    const here = Boolean(map.getLayer("cells-far"));
    if (!inArchive(choice) || !here || map.getZoom() < smallest) { tell(t("Zoom in for the cells.")); return; }
    if (!map.areTilesLoaded()) { tell(t("Asking …")); return; } // the map is idle when they are
    const rows = new Map(map.queryRenderedFeatures({ layers: ["cells-far"] }).map((f) => [f.properties.cell, f.properties]));
    sum([...rows.values()]);
  }

  async function draw() {
    if (!on) return;
    running.abort();
    running = new AbortController();
    const { signal } = running, legend = `${choice} ${mode()}`;
    if (drawn !== legend) legendOf(part, choice, mode());
    drawn = legend;
    try {
      const loaded = await (hex ?? load());
      if (signal.aborted) return;
      hex = loaded;
      const sums = choice === "changes" ? drawSums(signal) : null;
      if (!near()) drawFar();
      else if (!asked()) tell(t("The view is too large for its cells: zoom in."));
      else await (choice === "changes" ? drawChanges(signal) : drawShares(signal));
      await sums;
    } catch (e) {
      if (!signal.aborted) tell(e.message);
    }
  }

  const set = (value) => {
    if (value) begin();
    on = value;
    paint();
    map.setLayoutProperty("landuse", "visibility", on ? "none" : "visible"); // its colours would be read as shares
    map.setPaintProperty("footprints", "fill-opacity", on ? 0.3 : 1);
    box.hidden = !on;
    uses.hidden = on;
    last = seen(map);
    if (on) { draw(); return; }
    running.abort();
    clear();
  };

  const { li, input, paint: ramp } = switchOf(mode);
  input.addEventListener("change", () => set(input.checked));
  list.prepend(li);
  map.on("idle", () => { const now = seen(map); if (on && (now !== last || (!near() && inArchive(choice)))) { last = now; draw(); } });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { ramp(); paint(); draw(); });
  const off = () => { if (input.checked) { input.checked = false; set(false); } };
  return {
    off,
    /** allow turns the colours off for as long as something else is drawn. */
    allow(may) { if (!may) off(); input.disabled = !may; },
    /** at is the cell that is drawn at a place: {cell, row, place, hex}, row as the archive has it; null without one. */
    at(place) {
      if (!on || !hex) return null;
      if (!near()) {
        const [f] = map.getLayer("cells-far") ? map.queryRenderedFeatures(map.project(place), { layers: ["cells-far"] }) : [];
        return f ? { cell: f.properties.cell, row: f.properties, place, hex } : null;
      }
      const cell = hex.cellAt(place, 12);
      const known = shown?.kind === "changes" ? shown.chunks.has(hex.parentOf(cell, 9)) : shown?.cells.has(cell);
      return known ? { cell, row: null, place, hex } : null;
    },
  };
}

// seen names what is seen: an idle map that did not move has nothing new to ask for.
const seen = (map) => [map.getZoom().toFixed(3), ...map.getBounds().toArray().flat().map((v) => v.toFixed(6))].join(" ");
