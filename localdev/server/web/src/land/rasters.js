// The raster layers of the landscape: each with its dates, opacity and legend. A worker reads the published files by range and
// draws them; the map gets pictures.
import { addProtocol } from "maplibre-gl";
import { day, element, number } from "../dom.js";
import { t } from "../words.js";
import { layersIn } from "./ask.js";
import { kinds, ranges } from "./shade.js";

const first = { hillshade: 60, slope: 75, canopy: 80, change: 85, ortho: 100 }; // opacity, %
const leastZoom = 12;
export const below = "footprints"; // the layer of the map that rasters lie under

/** dayOf is a dataset, "20240915" or "2024", as a date. */
export const dayOf = (dataset) => (dataset.length === 8 ? day(`${dataset.slice(0, 4)}-${dataset.slice(4, 6)}-${dataset.slice(6)}`) : dataset);

// painter is the worker, as a function from a tile to its picture.
function painter() {
  const worker = new Worker("/map/land-worker.js", { type: "module" }), waiting = new Map();
  let next = 0;
  worker.onmessage = ({ data }) => {
    const w = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) w?.fail(new Error(data.error)); else w?.done(data.pixels);
  };
  worker.onerror = (e) => { for (const w of waiting.values()) w.fail(new Error(e.message || "the worker ended")); waiting.clear(); };
  return (tile, signal) => new Promise((done, fail) => {
    const id = next++;
    waiting.set(id, { done, fail });
    worker.postMessage({ id, ...tile });
    signal.addEventListener("abort", () => { // the map has moved on
      worker.postMessage({ id, cancelled: true });
      waiting.delete(id);
      fail(new DOMException("", "AbortError"));
    }, { once: true });
  });
}

let paint;
// The picture of land://kind/dates/z/x/y, dates divided by "-".
async function picture({ url }, { signal }) {
  const m = /^land:\/\/(\w+)\/([\d-]+)\/(\d+)\/(\d+)\/(\d+)$/.exec(url);
  paint ??= painter();
  const pixels = await paint({ kind: m[1], dates: m[2].split("-"), z: +m[3], x: +m[4], y: +m[5] }, signal);
  return { data: await createImageBitmap(pixels ? new ImageData(pixels, 256) : new ImageData(1, 1)) };
}

/** rasterText writes what is shown for an address, rasterIn reads it: {kind: {opacity, dates}}. */
export const rasterText = (shown) => Object.entries(shown).map(([kind, s]) => `${kind}:${s.opacity}:${s.dates.join("-")}`).join(",");
export function rasterIn(text = "") {
  const out = {};
  for (const part of text.split(",")) {
    const m = /^(\w+):(\d{1,3}):(\d{4,8}(?:-\d{4,8})?)$/.exec(part), kind = m && Object.hasOwn(kinds, m[1]) && kinds[m[1]];
    if (kind && m[3].split("-").length === kind.dates) out[m[1]] = { opacity: Math.min(+m[2], 100), dates: m[3].split("-") };
  }
  return out;
}

/** drawRasters puts layers onto a map: those of shown, in the order of the kinds; what was there before goes. */
export function drawRasters(map, shown, marked = "") {
  addProtocol("land", picture); // again is no harm
  for (const kind of Object.keys(kinds)) {
    const id = `land-${kind}`, s = shown[kind], address = s && `land://${kind}/${s.dates.join("-")}/{z}/{x}/{y}`;
    if (map.getSource(id) && map.getSource(id).serialize().tiles[0] !== address) {
      map.removeLayer(id);
      map.removeSource(id);
    }
    if (!s) continue;
    if (!map.getSource(id)) {
      map.addSource(id, { type: "raster", tiles: [address], tileSize: 256, minzoom: leastZoom, maxzoom: 19, attribution: marked });
      map.addLayer({ id, type: "raster", source: id, minzoom: leastZoom, paint: { "raster-opacity": s.opacity / 100, "raster-fade-duration": 0 } }, map.getLayer(below) ? below : undefined);
    } else map.setPaintProperty(id, "raster-opacity", s.opacity / 100);
  }
}

const span = ({ from, to }, unit) => (from === -Infinity ? t("under {n} {unit}", { n: number(to), unit }) : to === Infinity ? t("from {n} {unit}", { n: number(from), unit }) : t("{from} to {to} {unit}", { from: number(from), to: number(to), unit }));

/** legendOf is the legend of a kind; null where a picture needs none. */
export function legendOf(kind) {
  const { classes, unit } = kinds[kind];
  if (!classes) return null;
  const list = element("ul", undefined, { className: "swatches" });
  for (const c of ranges(classes)) {
    const li = element("li"), box = element("i");
    box.style.background = c.colour;
    li.append(box, span(c, unit));
    list.append(li);
  }
  return list;
}

/** datesOf are the dates of a kind among layers: of each raster that it is made of, those that all have, the newest last. */
export const datesOf = (kind, layers) => kinds[kind].rasters.map((name) => layers.filter((l) => l.layer === name).map((l) => l.dataset)).reduce((a, b) => a.filter((d) => b.includes(d))).sort();

const escaped = (text) => Object.assign(document.createElement("i"), { textContent: text }).innerHTML.replaceAll('"', "&quot;");

// creditOf is whom a layer names, that it was changed, and its licence, as HTML.
const creditOf = (l) => `${escaped(l.attribution)}, ${t("modified")}, ${/^https:\/\//.test(l.license_url) ? `<a href="${escaped(l.license_url)}">${escaped(l.license)}</a>` : escaped(l.license)}`;

/** rasterPanel puts the layers into box. changed(shown) is told what is shown, swipe(kind, dates) asked for a slider. */
export function rasterPanel({ map, box, changed, swipe, say }) {
  let layers = null, shown = {}, credits = "";
  const parts = new Map();

  const apply = (tell = true) => {
    drawRasters(map, shown, credits);
    if (tell) changed(shown);
  };

  function put(kind) {
    const { title, dates } = kinds[kind], found = layers ? datesOf(kind, layers) : [], li = element("li"), label = element("label"), tick = element("input", undefined, { type: "checkbox", name: kind });
    const more = element("div", undefined, { className: "more", hidden: true });
    label.append(tick, t(title));
    li.append(label, more);
    tick.disabled = found.length < dates;
    if (tick.disabled && layers) label.append(" ", element("small", found.length ? t("one date only") : t("not published")));
    const selects = Array.from({ length: dates }, (_, i) => element("select", undefined, { name: `${kind}-date-${i}`, ariaLabel: dates === 1 ? t("Date") : [t("Earlier date"), t("Later date")][i] }));
    for (const s of selects) s.replaceChildren(...found.map((d) => element("option", dayOf(d), { value: d })));
    const opacity = element("input", undefined, { type: "range", min: 0, max: 100, step: 5, value: first[kind], ariaLabel: t("Opacity of {layer}", { layer: t(title) }) });
    const row = element("p", undefined, { className: "row" });
    row.append(...selects, opacity);
    more.append(row);
    const legend = legendOf(kind);
    if (legend) more.append(legend);
    if (dates === 1 && found.length > 1) more.append(element("button", t("Before and after"), { type: "button", className: "quiet", name: `${kind}-swipe`, onclick: () => swipe(kind, [found.at(-2), found.at(-1)]) }));
    const read = () => {
      if (!tick.checked) delete shown[kind];
      else shown[kind] = { opacity: +opacity.value, dates: selects.map((s) => s.value) };
      more.hidden = !tick.checked;
    };
    const ordered = () => dates < 2 || selects[0].value < selects[1].value;
    tick.addEventListener("change", () => { read(); apply(); if (tick.checked && map.getZoom() < leastZoom) say(t("Zoom in to see {layer}.", { layer: t(title) })); });
    for (const s of selects) s.addEventListener("change", () => {
      if (!ordered()) { const other = selects.find((x) => x !== s); other.value = s === selects[0] ? found.at(-1) : found[0]; }
      if (!ordered()) { selects[0].value = found[0]; selects[1].value = found.at(-1); }
      read();
      apply();
    });
    opacity.addEventListener("input", () => { read(); apply(false); });
    opacity.addEventListener("change", () => apply());
    const set = (s) => {
      tick.checked = Boolean(s) && !tick.disabled;
      selects.forEach((x, i) => { x.value = s?.dates[i] && found.includes(s.dates[i]) ? s.dates[i] : found.at(dates === 1 ? -1 : i - 2) ?? ""; });
      opacity.value = s?.opacity ?? first[kind];
      read();
    };
    set(null);
    parts.set(kind, set);
    return li;
  }

  const draw = () => {
    const list = element("ul", undefined, { className: "rasters" });
    list.append(...Object.keys(kinds).map(put));
    box.replaceChildren(list);
  };

  return {
    /** open asks which layers there are around what is seen. */
    async open() {
      if (layers) return;
      layers = (await layersIn(map.getBounds().toArray().flat())).data;
      credits = [...new Set(layers.map(creditOf))].join(", ");
      draw();
    },
    /** restore shows what an address says. */
    restore(text) {
      const wanted = rasterIn(text);
      for (const [kind, set] of parts) set(wanted[kind] ?? null);
      apply(false);
    },
    dates: (name) => (layers ?? []).filter((l) => l.layer === name).map((l) => l.dataset).sort(),
    shown: () => shown,
  };
}
