// Measuring: a line or an area drawn on the map with the length of each segment, and the figures in the panel. A script of its own,
// loaded when the reader measures for the first time or an address says what was measured.
import "../shared.js";
import { element, number } from "../dom.js";
import { drawer } from "../land/draw.js";
import { t } from "../words.js";
import { areaText, bearingText, exact, features, lengthText, measured, measureIn, measureText } from "./figures.js";

const source = "measure";
const none = { type: "FeatureCollection", features: [] };
const inks = { light: { line: "#111111", halo: "#ffffff" }, dark: { line: "#ffffff", halo: "#0b1012" } };

function addLayers(map, mode) {
  map.addSource(source, { type: "geojson", data: none });
  const of = (...kinds) => ["in", ["get", "kind"], ["literal", kinds]], bold = ["Arial Bold", "sans-serif"];
  const text = { "text-field": ["get", "text"], "text-font": bold, "text-size": 13 };
  map.addLayer({ id: "measure-fill", type: "fill", source, filter: of("area"), paint: { "fill-opacity": 0.14 } });
  map.addLayer({ id: "measure-halo", type: "line", source, filter: of("line"), layout: { "line-cap": "round", "line-join": "round" }, paint: { "line-width": 5.5, "line-opacity": 0.85 } });
  map.addLayer({ id: "measure-line", type: "line", source, filter: of("line"), layout: { "line-cap": "round", "line-join": "round" }, paint: { "line-width": 2.2 } });
  map.addLayer({ id: "measure-corner", type: "circle", source, filter: of("first", "corner"), paint: { "circle-radius": ["match", ["get", "kind"], "first", 6, 4.5], "circle-stroke-width": 2 } });
  map.addLayer({ id: "measure-along", type: "symbol", source, filter: of("segment"), layout: { ...text, "text-rotate": ["get", "angle"], "text-rotation-alignment": "map", "text-pitch-alignment": "map", "text-offset": ["case", ["get", "below"], ["literal", [0, 0.8]], ["literal", [0, -0.8]]], "symbol-sort-key": ["-", ["get", "metres"]] }, paint: { "text-halo-width": 2 } });
  map.addLayer({ id: "measure-whole", type: "symbol", source, filter: of("whole"), layout: { ...text, "text-size": 14, "text-anchor": ["case", ["get", "over"], "center", "left"], "text-offset": ["case", ["get", "over"], ["literal", [0, 0]], ["literal", [0.8, 0]]], "text-allow-overlap": true }, paint: { "text-halo-width": 2.2 } });
  const paint = () => {
    const { line, halo } = inks[mode()];
    for (const [layer, ink] of [["fill", line], ["line", line], ["halo", halo]]) map.setPaintProperty(`measure-${layer}`, layer === "fill" ? "fill-color" : "line-color", ink);
    map.setPaintProperty("measure-corner", "circle-color", halo);
    map.setPaintProperty("measure-corner", "circle-stroke-color", line);
    for (const layer of ["whole", "along"]) { map.setPaintProperty(`measure-${layer}`, "text-color", line); map.setPaintProperty(`measure-${layer}`, "text-halo-color", halo); }
  };
  paint();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
}

/** measuring fills the panel; bar is the page's address, close() is called by who ends it in the panel or by Escape. */
export function measuring({ map, bar, mode, panel, close }) {
  addLayers(map, mode);
  let figure = { corners: [], closed: false }; // what the panel tells
  let ended = false, kept = false; // whether the figure is complete, and has its entry in the history

  const hint = element("p", undefined, { className: "hint" }), facts = element("div"), told = element("p"), list = element("div", undefined, { className: "rows" }), tools = element("p", undefined, { className: "actions" });
  facts.setAttribute("aria-live", "polite");
  const button = (name, label, act, more = {}) => {
    const b = element("button", label, { type: "button", name, ...more });
    b.addEventListener("click", act);
    tools.append(b);
    return b;
  };
  const back = button("back", t("Take back"), () => drawing.back()), empty = button("empty", t("Clear"), clear);
  button("close", t("Close"), close, { className: "quiet" });
  panel.append(element("h2", t("Measure")), hint, facts, told, list, tools, element("p", t("Lengths are geodesics on the ellipsoid GRS80; bearings count clockwise from north at the beginning of each segment."), { className: "note" }));

  const draw = (corners, closed = false) => map.getSource(source).setData(features(corners.map(exact), closed));
  const drawing = drawer({
    map, panel,
    draw: (corners, pointer) => { if (corners.length || !ended) draw(pointer ? [...corners, pointer] : corners); },
    step: (corners) => { if (corners.length || !ended) put({ corners: corners.map(exact), closed: false }, false); },
    done: ({ line, polygon }) => { put({ corners: (line ?? polygon[0].slice(0, -1)).map(exact), closed: Boolean(polygon) }, true); drawing.begin("measure"); },
    stop: close,
    before: resume,
  });

  // resume draws on at a figure that was complete: a ring is open again, a line loses its last corner.
  function resume() {
    if (!ended) return;
    const { corners, closed } = figure;
    ended = false;
    drawing.begin("measure", closed ? [...corners] : corners.slice(0, -1));
  }

  function clear() {
    ended = kept = false;
    bar.set({ measure: "" }, { push: true });
    drawing.begin("measure");
    tell();
    draw([]);
  }

  // put makes a figure the one that is told, drawn and in the address: each has one entry of the history.
  function put(next, over) {
    if (ended && !over) kept = false;
    [figure, ended] = [next, over];
    tell();
    if (over) draw(next.corners, next.closed);
    const text = measureText(next);
    if (!text && !kept) return;
    bar.set({ measure: text }, { push: !kept });
    kept = true;
  }

  const facet = (name, text) => { const p = element("p", `${name}: `); p.append(element("b", text)); return p; };

  function tell() {
    const { corners, closed } = figure, m = corners.length > 1 ? measured(corners, closed) : null;
    hint.textContent = ended ? t("A click begins a new measurement.") : t("Click the corners; click the first again to close an area. A double click or Enter ends.");
    facts.replaceChildren(...(!m ? [] : closed ? [...(m.crossed ? [] : [facet(t("Area"), areaText(m.area))]), facet(t("Perimeter"), lengthText(m.metres))] : [facet(t("Length"), lengthText(m.metres))]));
    told.textContent = m?.crossed ? t("The outline crosses itself: it has no area.") : "";
    back.disabled = empty.disabled = !corners.length;
    list.replaceChildren(...(m ? [table(m.segments)] : []));
    list.scrollTop = list.scrollHeight;
  }

  function table(segments) {
    const out = element("table"), head = out.createTHead().insertRow(), body = out.createTBody();
    for (const name of [t("Segment"), t("Length"), t("Bearing")]) head.append(element("th", name, { scope: "col" }));
    segments.forEach((s, i) => {
      const tr = body.insertRow();
      tr.append(element("th", number(i + 1), { scope: "row" }), element("td", lengthText(s.metres)), element("td", bearingText(s.bearing)));
    });
    return out;
  }

  return {
    begin() {
      [figure, ended, kept] = [{ corners: [], closed: false }, false, false];
      drawing.begin("measure");
      tell();
    },
    end() {
      drawing.cancel();
      map.getSource(source).setData(none);
    },
    /** restore shows what an address says. */
    restore(found) {
      drawing.begin("measure");
      [figure, ended, kept] = [found, true, false];
      tell();
      draw(found.corners, found.closed);
    },
  };
}

export { measureIn };
