// What there is of the land, at zooms that show no parcels yet: municipalities, and districts where those are too small to be told
// apart, coloured by how many of their KGs are available. The areas are tiles of the served generation, read when the map is first zoomed
// out; what is built the document of places says, what had to leave the store its index. Who presses an area has a card of it.
import { archiveOf } from "./archive.js";
import { classOf, tally } from "./builtshare.js";
import { closer, heading, areaButton, opened } from "./card.js";
import { day, element, number, rows } from "./dom.js";
import { available, ground, ink } from "./palette.js";
import { t } from "./words.js";

/** Below it areas are drawn instead of parcels; below the other districts have one colour. */
export const areaZoom = 12.5, districtZoom = 8;
const listed = 40; // KGs or municipalities that a card lists

const layersOf = (mode) => {
  const c = ink[mode], state = (name) => ["coalesce", ["feature-state", name], -1];
  const colour = (name) => ["match", state(name), ...available.flatMap((a, i) => [i, a[mode]]), ground[mode]];
  const border = (id, level, minzoom, width) => ({
    id: `areas-${id}`, type: "line", source: "areas", "source-layer": "border", filter: ["==", ["get", "level"], level], minzoom, maxzoom: 13,
    layout: { "line-join": "round", "line-cap": "round" }, paint: { "line-color": c.kg, "line-width": width, "line-opacity": ["interpolate", ["linear"], ["zoom"], 11.5, 0.7, areaZoom, 0] },
  });
  return [
    { id: "areas", type: "fill", source: "areas", "source-layer": "municipality", maxzoom: areaZoom, paint: { "fill-antialias": false, "fill-color": ["step", ["zoom"], colour("district"), districtZoom, colour("municipality")], "fill-opacity": ["interpolate", ["linear"], ["zoom"], 10, 0.75, areaZoom, 0.2] } },
    border("municipalities", "municipality", districtZoom, ["interpolate", ["linear"], ["zoom"], 8, 0.3, 11, 0.8]),
    border("districts", "district", 5, ["interpolate", ["linear"], ["zoom"], 5, 0.4, 8, 1, 11, 1.6]),
    border("states", "state", 4, ["interpolate", ["linear"], ["zoom"], 4, 0.8, 8, 1.8, 11, 2.4]),
  ];
};

// evicted are the dates of the snapshots that left the store, by their KGs, as its index says; a store that none has left has no index.
// One of another date than the served one was built again since.
async function evicted() {
  const reply = await fetch("/artefacts/availability.json");
  return new Map(reply.ok ? (await reply.json()).evicted.map((k) => [k.kg_code, k.stichtag]) : []);
}

const grouped = (list, of) => { const out = new Map(); for (const x of list) out.set(of(x), [...(out.get(of(x)) ?? []), x]); return out; };

/** availableAreas draws the areas when the map is zoomed out. places is the promise of the names, box the part of the legend. */
export function availableAreas({ map, mode, pointer, places, box, say }) {
  const key = pointer.artefacts?.["base-areas"]?.key;
  let byArea = null, opening = null;

  async function open() {
    const p = await places;
    const gone = await evicted().catch(() => new Map()); // colours do not depend on it
    const kgs = [...p.byKG.values()].map((k) => ({ ...k, evicted: Boolean(k.stichtag) && gone.get(k.kg_code) === k.stichtag }));
    if (!kgs.some((k) => k.stichtag !== undefined)) return; // a generation whose places do not say it
    byArea = { municipality: grouped(kgs, (k) => k.gemeinde_code), district: grouped(kgs, (k) => k.gemeinde_code.slice(0, 3)) };
    map.addSource("areas", { type: "vector", url: archiveOf(key).url, promoteId: { municipality: "gemeinde_code" } });
    for (const layer of layersOf(mode())) map.addLayer(layer, "parcels");
    const counted = Object.fromEntries(Object.entries(byArea).map(([what, of]) => [what, new Map([...of].map(([code, list]) => { const n = tally(list); return [code, classOf(n.built, n.all)]; }))]));
    for (const [code, c] of counted.municipality) map.setFeatureState({ source: "areas", sourceLayer: "municipality", id: code }, { municipality: c, district: counted.district.get(code.slice(0, 3)) });
    legend();
  }
  const shown = () => map.getZoom() < areaZoom;
  function legend() {
    box.hidden = !byArea || !shown();
    box.replaceChildren(element("h2", t(map.getZoom() < districtZoom ? "KGs available, by district" : "KGs available, by municipality")), element("ul"));
    box.lastChild.append(...available.map((c) => {
      const li = element("li"), swatch = element("i");
      swatch.style.background = c[mode()];
      li.append(swatch, t(c.name));
      return li;
    }));
  }
  function look() {
    if (key && shown()) opening ??= open().catch((e) => { opening = null; say(e.message); });
    if (byArea) legend();
    return opening;
  }
  map.on("zoomend", look);
  if (map.loaded()) look(); else map.once("load", look);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (!byArea) return;
    for (const layer of layersOf(mode())) for (const [name, value] of Object.entries(layer.paint)) map.setPaintProperty(layer.id, name, value);
    legend();
  });

  return {
    /** at is the area that is drawn at a place, as {kind, code}; null where parcels are drawn or no area is. */
    async at(lngLat) {
      if (!key || !shown()) return null;
      await look();
      if (!byArea) return null;
      if (!map.isSourceLoaded("areas")) await new Promise((done) => map.once("idle", done));
      const found = map.queryRenderedFeatures(map.project(lngLat), { layers: ["areas"] })[0]?.properties;
      if (!found?.gemeinde_code) return null;
      return map.getZoom() < districtZoom ? { kind: "district", code: found.gemeinde_code.slice(0, 3) } : { kind: "municipality", code: found.gemeinde_code };
    },
    /** kgsOf are the rows of the KGs of an area. */
    kgsOf: ({ kind, code }) => byArea?.[kind].get(code) ?? [],
  };
}

const stateOf = (k) => (!k.stichtag ? t("not available") : k.evicted ? t("{date}, in the archive: brought back when it is asked for", { date: day(k.stichtag) }) : day(k.stichtag));

/** renderArea is the card of a municipality or a district: what of it is built, and its parts. go(box) shows a place. */
export function renderArea(card, { kind, code }, { kgs, places, go, onClose }) {
  const n = tally(kgs), boxOf = (list) => list.filter((k) => k.west != null).reduce((b, k) => (b ? [Math.min(b[0], k.west), Math.min(b[1], k.south), Math.max(b[2], k.east), Math.max(b[3], k.north)] : [k.west, k.south, k.east, k.north]), null);
  const municipality = kind === "municipality", one = places.byGemeinde.get(municipality ? code : kgs[0]?.gemeinde_code);
  const name = municipality ? one?.gemeinde_name ?? code : one?.district_name ?? code;
  card.replaceChildren(closer(onClose), heading(name),
    element("p", municipality ? t("municipality {code}, district {district}", { code, district: one?.district_name ?? "" }) : t("district {code}", { code }), { className: "where" }),
    rows([
      [t("KGs available"), t("{n} of {all}", { n: number(n.built), all: number(n.all) })],
      [t("Dates of the data"), n.oldest && (n.oldest === n.newest ? day(n.oldest) : `${day(n.oldest)} – ${day(n.newest)}`)],
      [t("In the archive alone"), n.evicted > 0 && t("{n} KGs", { n: number(n.evicted) })],
    ]));
  const parts = municipality
    ? kgs.map((k) => ({ text: `KG ${k.kg_code} ${k.kg_name}`, about: stateOf(k), box: boxOf([k]) }))
    : [...grouped(kgs, (k) => k.gemeinde_code)].map(([g, list]) => { const c = tally(list); return { text: places.gemeindeName(g) || g, about: t("{n} of {all} KGs", { n: number(c.built), all: number(c.all) }), box: boxOf(list) }; });
  const list = element("ul", undefined, { className: "parts" });
  for (const p of parts.slice(0, listed)) {
    const li = element("li");
    li.append(p.box ? element("button", p.text, { type: "button", className: "quiet", onclick: () => go(p.box) }) : element("span", p.text), element("span", p.about));
    list.append(li);
  }
  if (parts.length > listed) list.append(element("li", t("and {n} more", { n: number(parts.length - listed) })));
  const actions = element("p", undefined, { className: "actions" }), whole = boxOf(kgs);
  if (whole) actions.append(element("button", t("Show it whole"), { type: "button", className: "quiet", onclick: () => go(whole) }));
  if (n.built > 0) actions.append(element("a", t("Download"), { href: `/download#place=${kind}:${code}` }));
  if (municipality && n.built > 0) actions.append(areaButton(`municipality:${code}`, t("What lies in it")));
  card.append(list, actions);
  delete card.dataset.parcel;
  delete card.dataset.cell;
  opened(card);
}
