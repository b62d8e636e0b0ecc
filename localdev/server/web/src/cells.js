// Cells as colour: how much of each hexagon has a use or is built over, what changed in it, and, under a slider, how two
// dates differ.
import { chooser, legendOf } from "./celllegend.js";
import { addPatterns, cellLayers, first, nearZoom } from "./cellstyle.js";
import { cellView, drawSums, mostKGs } from "./cellview.js";
import { element } from "./dom.js";
import { shares } from "./palette.js";
import { t } from "./words.js";

// switchOf is the entry of the list of layers: a box to tick beside the colours.
function switchOf(mode) {
  const li = element("li"), label = element("label"), input = element("input", undefined, { type: "checkbox", name: "cells" }), swatch = element("i");
  const paint = () => { swatch.style.background = `linear-gradient(90deg, ${shares.map((c) => c[mode()]).join(",")})`; };
  paint();
  label.append(input, swatch, t("Cells"));
  li.append(label);
  return { li, input, paint };
}

// statsOf asks what changed in the KGs in view, once for each list of KGs; null where they are too many or none.
function statsOf(ask) {
  let last = "", known = Promise.resolve(null);
  return (codes) => {
    if (codes.join() !== last) {
      last = codes.join();
      known = codes.length && codes.length <= mostKGs ? ask.cellChanges(codes) : Promise.resolve(null);
      known.catch(() => { last = ""; });
    }
    return known;
  };
}

/** cellSwitch puts the switch into list and the legend into box, in place of the one of land uses. ask are the calls to
 * the service, kgsIn(box) the codes of the KGs in view, swipe the two maps under a slider; begin is called before the
 * colours appear. */
export function cellSwitch({ map, list, box, uses, mode, ask, kgsIn, swipe, begin }) {
  let on = false, choice = first, hex = null, running = new AbortController(), drawn = "", last = "";
  const say = (where, text) => { const p = box.querySelector(where); if (p) { p.textContent = text; p.hidden = !text && where !== "[role=status]"; } };
  const tell = (text) => say("[role=status]", text);
  const cells = cellView({ map, ask, tell });
  const stats = statsOf(ask);
  const near = () => map.getZoom() >= nearZoom;
  const legend = chooser(box, (value) => {
    choice = value;
    uncompare();
    cells.clear(value === "changes" ? "shares" : "changes");
    paint();
    draw();
  }, () => { uncompare(); draw(); });

  function paintOn(m) {
    addPatterns(m);
    for (const l of cellLayers(mode(), m.getStyle().sources, choice)) {
      for (const [name, value] of Object.entries(l.paint)) m.setPaintProperty(l.id, name, value);
      m.setLayoutProperty(l.id, "visibility", on ? "visible" : "none");
    }
    m.setLayoutProperty("landuse", "visibility", on ? "none" : "visible"); // its colours would be read as shares
    m.setPaintProperty("footprints", "fill-opacity", on ? 0.3 : 1);
  }
  const paint = () => swipe.maps().forEach(paintOn);

  // uncompare takes the slider away.
  function uncompare() {
    say(".compared", "");
    if (!swipe.shows("cells")) return;
    swipe.clear();
    cells.clear();
    paint();
  }

  // compare draws two dates under the slider; the service's cells are drawn already.
  async function compare(signal) {
    const wanted = legend.chosen();
    if (!wanted) return;
    if (!near()) { uncompare(); say(".compared", t("Zoom in to compare two dates.")); return; }
    const found = await cells.epochs(choice, [wanted.from, wanted.to], hex, signal);
    if (!found || signal.aborted) return;
    const sides = found.sides.map((data, i) => ({ name: wanted.names[i], data }));
    if (await swipe.draw("cells", sides, signal, paintOn)) say(".compared", found.words(wanted.names));
  }

  async function draw() {
    if (!on) return;
    running.abort();
    running = new AbortController();
    const { signal } = running, said = `${choice} ${near()} ${mode()}`;
    if (drawn !== said) legendOf(legend.part, { choice, near: near(), mode: mode() });
    drawn = said;
    say(".unbuilt", cells.unbuilt());
    try {
      hex ??= await import("./hexagons.js");
      if (signal.aborted) return;
      const codes = kgsIn(map.getBounds().toArray().flat());
      const changed = stats(codes).then((found) => {
        if (signal.aborted) return;
        legend.offer(found?.change.by_day.map((d) => d.day) ?? []);
        if (choice === "changes") drawSums({ codes, stats: found, sums: legend.part.querySelector(".sums"), mode: mode() });
      });
      await Promise.all([near() ? cells.near(choice, hex, signal) : cells.far(choice, hex), changed]);
      if (!signal.aborted) await compare(signal);
    } catch (e) {
      if (!signal.aborted) tell(e.message);
    }
  }

  const set = (value) => {
    if (value) begin();
    on = value;
    if (!on) { running.abort(); legend.none(); uncompare(); }
    paint();
    box.hidden = !on;
    uses.hidden = on;
    last = seen(map);
    if (on) draw();
    else cells.clear();
  };

  const { li, input, paint: ramp } = switchOf(mode);
  input.addEventListener("change", () => set(input.checked));
  list.prepend(li);
  map.on("idle", () => { const now = seen(map); if (on && (now !== last || !near())) { last = now; draw(); } });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { ramp(); paint(); draw(); });
  const off = () => { if (input.checked) { input.checked = false; set(false); } };
  return {
    off,
    /** allow turns the colours off for as long as something else is drawn. */
    allow(may) { if (!may) off(); input.disabled = !may; },
    /** at is the cell that is drawn at a place: {cell, row, place, hex}, row as the archive has it; null without one. */
    at: (place) => (!on || !hex ? null : near() ? cells.nearAt(place, hex) : cells.farAt(place, hex)),
  };
}

// seen names what is seen: an idle map that did not move has nothing new to ask for.
const seen = (map) => [map.getZoom().toFixed(3), ...map.getBounds().toArray().flat().map((v) => v.toFixed(6))].join(" ");
