// Land prices as colour: parcels from zoom 14.5, below that KGs by what building land costs in their municipality. How
// sure an estimate is, is hatched: the wider its interval, the denser.
import { element, number } from "./dom.js";
import { prices as classes } from "./palette.js";
import { t } from "./words.js";

const parcelZoom = 14.5;
const batch = 1000; // parcels of one request, the service's limit
const most = 5000; // parcels that are priced in one view, those next to its middle
const kept = 20_000; // prices that are kept
const districts = 12; // districts whose prices one view asks for

/** spreads are the classes of uncertainty: an estimate may be multiplied or divided by up to the given factor. */
export const spreads = [
  { upTo: 1.33, pattern: "" },
  { upTo: 1.5, pattern: "hatch" },
  { upTo: Infinity, pattern: "hatch-dense" },
];

/** spreadOf is the class of an interval, the last one if no class contains it. */
export function spreadOf(interval) {
  const { low_eur_per_sqm: low, high_eur_per_sqm: high } = interval ?? {};
  const factor = low > 0 && high >= low ? Math.sqrt(high / low) : Infinity;
  return spreads.findIndex((s) => factor <= s.upTo);
}

/** classOf is the class of a price, -1 for none. */
export const classOf = (price) => (price >= 0 ? classes.findLastIndex((c) => price >= c.from) : -1);

// The baseline of a municipality says where it comes from, not how far it may be off: its own series is the surest.
const sourceSpread = { gemeinde: 0, bezirk: 1 };

function filled(id, layer, mode) {
  const price = ["coalesce", ["feature-state", "class"], -1];
  const source = { source: "land", "source-layer": layer, layout: { visibility: "none" }, ...(layer === "kg" ? { maxzoom: parcelZoom } : { minzoom: parcelZoom }) };
  const shown = (spread) => ["case", ["==", ["coalesce", ["feature-state", "spread"], -1], spread], 0.6, 0];
  return [
    { id, type: "fill", ...source, paint: { "fill-color": ["match", price, ...classes.flatMap((c, i) => [i, c[mode]]), "rgba(0,0,0,0)"], "fill-opacity": 0.92 } },
    ...spreads.map((s, i) => ({ id: `${id}-${s.pattern}`, type: "fill", ...source, paint: { "fill-pattern": s.pattern, "fill-opacity": shown(i) } })).slice(1),
  ];
}

/** priceLayers are the style layers of a mode; they begin hidden. */
export const priceLayers = (mode) => [...filled("price-kgs", "kg", mode), ...filled("price-parcels", "parcels", mode)];

/** pattern is a tile of diagonal lines, each dark beside light, so that they are seen on every colour. */
export function pattern(size, every) {
  const data = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) {
    const at = (x + y) % every, value = at < 2 ? 0 : at < 4 ? 255 : -1;
    if (value >= 0) data.set([value, value, value, 235], 4 * (y * size + x));
  }
  return { width: size, height: size, data };
}

const range = (i) => (i === 0 ? t("under {eur}", { eur: number(classes[1].from) }) : i === classes.length - 1 ? t("{eur} and more", { eur: number(classes[i].from) }) : `${number(classes[i].from)} – ${number(classes[i + 1].from)}`);

/** legendOf draws the classes and the hatching, with what they mean for parcels or for KGs. */
function legendOf(box, mode, year, parcels) {
  const colours = element("ul"), sure = element("ul");
  classes.forEach((c, i) => {
    const li = element("li"), swatch = element("i");
    swatch.style.background = c[mode];
    li.append(swatch, range(i));
    colours.append(li);
  });
  const words = parcels
    ? [t("up to × {f} or ÷ {f}", { f: number(1.33, 2) }), t("up to × {f} or ÷ {f}", { f: number(1.5, 2) }), t("more")]
    : [t("of the municipality itself"), t("of its district"), t("of the state or country")];
  spreads.forEach((s, i) => {
    const li = element("li"), swatch = element("i", "", { className: s.pattern });
    swatch.style.backgroundColor = classes[3][mode];
    li.append(swatch, words[i]);
    sure.append(li);
  });
  box.replaceChildren(element("h2", parcels ? t("Estimate {year}, €/m²", { year }) : t("Building land in the municipality {year}, €/m²", { year })), colours, element("h2", parcels ? t("Interval of the estimate") : t("Published value")), sure, element("p", "", { role: "status" }));
}

// parcelColours gives a function that prices and colours the parcels in view.
function parcelColours({ map, pricesOf, tell }) {
  const known = new Map(); // parcel to {class, spread}, what was seen longest ago first
  const state = (id) => ({ source: "land", sourceLayer: "parcels", id });

  function keep(id, value) {
    known.set(id, value);
    map.setFeatureState(state(id), value);
    if (known.size <= kept) return;
    const [oldest] = known.keys();
    known.delete(oldest);
    map.removeFeatureState(state(oldest));
  }

  return async (signal) => {
    const ids = inView(map), wanted = ids.slice(0, most), missing = wanted.filter((id) => !known.has(id));
    for (const id of wanted.filter((id) => known.has(id))) { const value = known.get(id); known.delete(id); known.set(id, value); }
    if (missing.length) tell(t("Asking for prices …"));
    for (let i = 0; i < missing.length; i += batch) {
      for (const row of await pricesOf(missing.slice(i, i + batch), signal)) {
        const level = classOf(row.buy_eur_per_sqm ?? -1);
        keep(row.parcel_id, { class: level, spread: level < 0 ? -1 : spreadOf(row.interval) });
      }
      if (signal.aborted) return;
    }
    const priced = wanted.filter((id) => known.get(id)?.class >= 0).length;
    tell(ids.length > most ? t("{n} of {all} parcels in view: the nearest to the middle; zoom in for the others", { n: number(most), all: number(ids.length) })
      : t("{n} of {all} parcels in view have a price", { n: number(priced), all: number(ids.length) }));
  };
}

// kgColours gives a function that colours the KGs in view by the building land of their municipality.
function kgColours({ map, districtPrices, kgsIn, tell }) {
  const asked = new Map(); // district to its baselines by municipality
  return async (signal) => {
    const seen = kgsIn(map.getBounds().toArray().flat()), codes = [...new Set(seen.map(districtOf))];
    for (const code of codes.slice(0, districts)) {
      if (!asked.has(code)) asked.set(code, new Map((await districtPrices(code, signal)).map((g) => [g.gemeinde_code, g.baseline])));
      if (signal.aborted) return;
    }
    for (const k of seen) {
      const baseline = asked.get(districtOf(k))?.get(k.gemeinde_code);
      if (baseline) map.setFeatureState({ source: "land", sourceLayer: "kg", id: k.kg_code }, { class: classOf(baseline.eur_per_sqm), spread: sourceSpread[baseline.source] ?? 2 });
    }
    tell(codes.length > districts ? t("{n} of {all} districts in view; zoom in for the others", { n: districts, all: codes.length }) : t("Zoom in for single parcels."));
  };
}

// switchOf is the entry of the list of layers: a box to tick beside the colours.
function switchOf(mode) {
  const li = element("li"), label = element("label"), input = element("input", undefined, { type: "checkbox", name: "prices" }), swatch = element("i");
  const paint = () => { swatch.style.background = `linear-gradient(90deg, ${classes.map((c) => c[mode()]).join(",")})`; };
  paint();
  label.append(input, swatch, t("Land prices"));
  li.append(label);
  return { li, input, paint };
}

/** priceSwitch puts the switch into list and the legend into box, in place of the one of land uses. pricesOf and
 * districtPrices ask the service, kgsIn(box) gives the KGs in view with their municipality; begin is called before the
 * colours appear. */
export function priceSwitch({ map, list, box, uses, mode, year, pricesOf, districtPrices, kgsIn, begin }) {
  let on = false, running = new AbortController(), drawn = "", last = "";
  const tell = (text) => { const p = box.querySelector("[role=status]"); if (p) p.textContent = text; };
  const parcels = parcelColours({ map, pricesOf, tell }), kgs = kgColours({ map, districtPrices, kgsIn, tell });

  async function draw() {
    if (!on) return;
    running.abort();
    running = new AbortController();
    const { signal } = running, near = map.getZoom() >= parcelZoom, legend = `${near} ${mode()}`;
    if (drawn !== legend) legendOf(box, mode(), year, near);
    drawn = legend;
    try {
      await (near ? parcels(signal) : kgs(signal));
    } catch (e) {
      if (!signal.aborted) tell(e.message);
    }
  }

  const set = (value) => {
    if (value) begin();
    on = value;
    if (on && !map.hasImage("hatch")) {
      map.addImage("hatch", pattern(32, 16), { pixelRatio: 2 });
      map.addImage("hatch-dense", pattern(32, 8), { pixelRatio: 2 });
    }
    for (const { id } of priceLayers("light")) map.setLayoutProperty(id, "visibility", on ? "visible" : "none");
    map.setLayoutProperty("landuse", "visibility", on ? "none" : "visible"); // its colours would be read as prices
    map.setPaintProperty("footprints", "fill-opacity", on ? 0.3 : 1);
    box.hidden = !on;
    uses.hidden = on;
    last = view(map);
    if (on) draw();
    else running.abort();
  };

  const { li, input, paint } = switchOf(mode);
  input.addEventListener("change", () => set(input.checked));
  list.prepend(li);
  map.on("idle", () => { const now = view(map); if (now !== last) { last = now; draw(); } });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { paint(); draw(); });
  const off = () => { if (input.checked) { input.checked = false; set(false); } };
  return {
    off,
    /** allow turns the colours off for as long as something else is drawn. */
    allow(may) { if (!may) off(); input.disabled = !may; },
  };
}

// districtOf is the district of a KG: the code of a municipality begins with it.
const districtOf = (kg) => kg.district_code ?? kg.gemeinde_code.slice(0, 3);

// view names what is seen: an idle map that did not move has nothing new to ask for.
const view = (map) => [map.getZoom().toFixed(3), ...map.getBounds().toArray().flat().map((v) => v.toFixed(6))].join(" ");

// inView gives the ids of the parcels in view, those nearest to the middle first.
function inView(map) {
  const { lng, lat } = map.getCenter(), squeeze = Math.cos((lat * Math.PI) / 180), far = new Map();
  for (const f of map.queryRenderedFeatures({ layers: ["parcels"] })) {
    const id = f.properties.parcel_id;
    if (!id) continue;
    let c = f.geometry.coordinates;
    while (typeof c[0] !== "number") c = c[0];
    const d = Math.hypot((c[0] - lng) * squeeze, c[1] - lat);
    if (!(far.get(id) <= d)) far.set(id, d);
  }
  return [...far.keys()].sort((a, b) => far.get(a) - far.get(b));
}
