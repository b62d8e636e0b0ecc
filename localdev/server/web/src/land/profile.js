// The profile along a line: ground and what stands on it, drawn as a figure that follows the pointer and shows the place on the map.
import { element, metres, number } from "../dom.js";
import { t } from "../words.js";

const space = { width: 340, height: 170, left: 42, right: 8, top: 10, bottom: 24 };
const ns = "http://www.w3.org/2000/svg";
const svg = (name, attributes = {}, text) => {
  const e = document.createElementNS(ns, name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  if (text !== undefined) e.textContent = text;
  return e;
};

/** ticks are round numbers from low to high, about n of them. */
export function ticks(low, high, n) {
  const rough = (high - low) / n || 1, power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough * 0.999), out = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-9; v += step) out.push(+v.toFixed(6));
  return out;
}

/** paths are the lines of heights in the plane of a figure: each run of known values a part of its own. */
export function path(points, x, y, of) {
  let out = "", pen = false;
  for (const p of points) {
    const v = of(p);
    if (v === null || v === undefined) { pen = false; continue; }
    out += `${pen ? "L" : "M"}${x(p.m).toFixed(1)} ${y(v).toFixed(1)}`;
    pen = true;
  }
  return out;
}

/** facts are what a profile comes to: length, climb and fall of the ground, the lowest and highest ground, the highest above it. */
export function facts(points) {
  const ground = points.filter((p) => p.dtm !== null && p.dtm !== undefined), out = { length: points.at(-1)?.m ?? 0, up: 0, down: 0, low: null, high: null, canopy: null };
  // Steps below half a metre are noise of the scan: a climb counts from the last turn that is larger.
  let from = ground[0]?.dtm;
  for (const p of ground) {
    if (Math.abs(p.dtm - from) >= 0.5) {
      if (p.dtm > from) out.up += p.dtm - from; else out.down += from - p.dtm;
      from = p.dtm;
    }
    out.low = Math.min(out.low ?? p.dtm, p.dtm);
    out.high = Math.max(out.high ?? p.dtm, p.dtm);
    if (p.dsm !== null && p.dsm !== undefined) out.canopy = Math.max(out.canopy ?? 0, p.dsm - p.dtm);
  }
  return out;
}

/** drawProfile draws points {at, m, dtm, dsm} into box; place(at) is told what the pointer is over, null for nothing. */
export function drawProfile(box, points, place) {
  const known = points.flatMap((p) => [p.dtm, p.dsm]).filter((v) => v !== null && v !== undefined);
  if (!known.length) { box.replaceChildren(element("p", t("No heights are known along this line."))); return; }
  const f = facts(points), { width, height, left, right, top, bottom } = space;
  let [low, high] = [Math.min(...known), Math.max(...known)];
  if (high - low < 5) { const mid = (low + high) / 2; [low, high] = [mid - 2.5, mid + 2.5]; }
  const x = (m) => left + (m / (f.length || 1)) * (width - left - right), y = (v) => height - bottom - ((v - low) / (high - low)) * (height - top - bottom);
  const figure = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "figure", tabindex: "0", role: "slider", "aria-label": t("Profile: arrow keys move along the line"), "aria-valuemin": 0, "aria-valuemax": Math.round(f.length), "aria-valuenow": 0 });
  for (const v of ticks(low, high, 4)) figure.append(svg("line", { x1: left, x2: width - right, y1: y(v), y2: y(v), class: "grid" }), svg("text", { x: left - 4, y: y(v) + 4, "text-anchor": "end" }, number(v)));
  const along = ticks(0, f.length, 4);
  for (const m of along) figure.append(svg("text", { x: x(m), y: height - 7, "text-anchor": m === 0 ? "start" : x(m) > width - 30 ? "end" : "middle" }, f.length >= 3000 ? `${number(m / 1000, 1)} km` : `${number(m)} m`));
  const ground = path(points, x, y, (p) => p.dtm), floor = height - bottom;
  figure.append(svg("path", { d: path(points, x, y, (p) => p.dsm), class: "canopy" }));
  for (const run of ground.split(/(?=M)/).filter((r) => r.includes("L"))) {
    const [from, to] = [/^M([\d.]+)/.exec(run)[1], /([\d.]+) [\d.-]+$/.exec(run)[1]];
    figure.append(svg("path", { d: `${run}L${to} ${floor}L${from} ${floor}Z`, class: "earth" }));
  }
  figure.append(svg("path", { d: ground, class: "ground" }));
  const cursor = svg("line", { y1: top, y2: floor, class: "cursor", visibility: "hidden" }), told = element("p", undefined, { className: "told" });
  figure.append(cursor);
  const rest = t("{length} long, {up} m up, {down} m down, ground from {low} to {high} m", { length: metres(f.length), up: number(f.up), down: number(f.down), low: number(f.low), high: number(f.high) });
  told.textContent = rest;
  let current = -1;
  const show = (i) => {
    current = i;
    const p = points[i];
    cursor.setAttribute("visibility", p ? "visible" : "hidden");
    place(p?.at ?? null);
    if (!p) { told.textContent = rest; return; }
    cursor.setAttribute("x1", x(p.m));
    cursor.setAttribute("x2", x(p.m));
    figure.setAttribute("aria-valuenow", Math.round(p.m));
    told.textContent = p.dtm === null || p.dtm === undefined ? t("{m}: no height", { m: metres(p.m) }) : t("{m}: ground {z} m, {h} m above it", { m: metres(p.m), z: number(p.dtm, 1), h: p.dsm == null ? "–" : number(Math.max(p.dsm - p.dtm, 0), 1) });
    figure.setAttribute("aria-valuetext", told.textContent);
  };
  figure.addEventListener("pointermove", (e) => {
    const b = figure.getBoundingClientRect(), m = (((e.clientX - b.left) / b.width) * width - left) / (width - left - right);
    show(Math.round(Math.min(Math.max(m, 0), 1) * (points.length - 1)));
  });
  figure.addEventListener("pointerleave", () => show(-1));
  figure.addEventListener("blur", () => show(-1));
  figure.addEventListener("keydown", (e) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[e.key];
    if (!by) return;
    e.preventDefault();
    show(Math.min(Math.max(current + by, 0), points.length - 1));
  });
  const legend = element("p", undefined, { className: "swatches" });
  for (const [name, what] of [["ground", t("Terrain")], ["canopy", t("Surface: crowns, roofs")]]) legend.append(element("i", undefined, { className: name }), what, " ");
  box.replaceChildren(figure, told, legend);
}
