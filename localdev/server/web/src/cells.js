// Cells as colour: how much of each hexagon has a use or is built over, or what changed in it. From zoom 14.8 on cells of
// resolution 12 from the service, below it larger ones from the archive that the served generation names.
import { cellView, drawSums } from "./cellview.js";
import { element, number } from "./dom.js";
import { classes, ground, shares, statuses } from "./palette.js";
import { t } from "./words.js";

export const nearZoom = 14.8;

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
export function cellSwitch({ map, list, box, uses, mode, ask, kgsIn, begin }) {
  let on = false, choice = first, hex = null, running = new AbortController(), drawn = "", last = "";
  const tell = (text) => { const p = box.querySelector("[role=status]"); if (p) p.textContent = text; };
  const cells = cellView({ map, ask, tell });
  const near = () => map.getZoom() >= nearZoom;
  const part = chooser(box, (value) => {
    choice = value;
    cells.clear(value === "changes" ? "shares" : "changes");
    paint();
    draw();
  });

  function paint() {
    for (const l of cellLayers(mode(), map.getStyle().sources, choice)) {
      for (const [name, value] of Object.entries(l.paint)) map.setPaintProperty(l.id, name, value);
      map.setLayoutProperty(l.id, "visibility", on && (l.id !== "cells-far" || inArchive(choice)) ? "visible" : "none");
    }
  }

  async function draw() {
    if (!on) return;
    running.abort();
    running = new AbortController();
    const { signal } = running, legend = `${choice} ${mode()}`;
    if (drawn !== legend) legendOf(part, choice, mode());
    drawn = legend;
    try {
      hex ??= await import("./hexagons.js");
      if (signal.aborted) return;
      const sums = choice === "changes" && drawSums({ map, ask, kgsIn, sums: part.querySelector(".sums"), mode: mode() }, signal);
      await Promise.all([near() ? cells.near(choice, hex, signal) : cells.far(choice, hex), sums]);
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
    cells.clear();
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
    at: (place) => (!on || !hex ? null : near() ? cells.nearAt(place, hex) : cells.farAt(place, hex)),
  };
}

// seen names what is seen: an idle map that did not move has nothing new to ask for.
const seen = (map) => [map.getZoom().toFixed(3), ...map.getBounds().toArray().flat().map((v) => v.toFixed(6))].join(" ");
