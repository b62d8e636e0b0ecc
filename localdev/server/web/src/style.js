// The map style: land use below, parcels, footprints, KG outlines, names on top. Letters are drawn by the
// browser from its own fonts: a style without glyphs asks for none.
import { above, below, names, relief } from "./base.js";
import { cellLayers } from "./cellstyle.js";
import { overlayLayers, overlaySources } from "./overlays.js";
import { changes, classes, ground, ink } from "./palette.js";
import { priceLayers } from "./prices.js";
import { uses } from "./uses.js";

const none = { type: "FeatureCollection", features: [] };

const fill = (mode) => ["match", ["to-number", ["get", "ns"]],
  ...classes.flatMap((c) => [uses.filter((u) => u.class === c.id).map((u) => Number(u.code)), c[mode]]), ground[mode]];

const halo = (c, color, width = 1.4) => ({ "text-color": color, "text-halo-color": c.halo, "text-halo-width": width });
const nothing = ["==", ["get", "parcel_id"], ""];
const plain = ["sans-serif"], bold = ["Arial Bold", "sans-serif"]; // the word Bold chooses the weight, the family need not exist

// A label that lies over another is left out; those of a later layer come first.
function labels(c) {
  return [
    { id: "houses", type: "symbol", source: "addresses", minzoom: 16.6, layout: { "text-field": ["get", "number"], "text-font": plain, "text-size": ["interpolate", ["linear"], ["zoom"], 16.6, 9.5, 19, 12.5], "text-padding": 1 }, paint: halo(c, c.house) },
    { id: "numbers", type: "symbol", source: "land", "source-layer": "labels", minzoom: 16, layout: { "text-field": ["get", "gnr"], "text-font": plain, "text-size": ["interpolate", ["linear"], ["zoom"], 16, 11, 19, 14], "text-padding": 1 }, paint: halo(c, c.number) },
    { id: "streets", type: "symbol", source: "streets", minzoom: 15.6, layout: { "text-field": ["get", "name"], "text-font": bold, "text-size": ["interpolate", ["linear"], ["zoom"], 15.6, 11, 19, 15], "text-rotate": ["get", "angle"], "text-rotation-alignment": "map", "text-pitch-alignment": "map", "text-max-width": 40, "text-padding": 14, "symbol-sort-key": ["-", ["get", "count"]] }, paint: halo(c, c.street, 1.8) },
    { id: "localities", type: "symbol", source: "names", minzoom: 12, maxzoom: 18, filter: ["==", ["get", "kind"], "place"], layout: { "text-field": ["get", "name"], "text-font": bold, "text-size": ["interpolate", ["linear"], ["zoom"], 12, 12, 16, 16], "text-padding": 6 }, paint: halo(c, c.place, 1.8) },
    { id: "kg-names", type: "symbol", source: "names", minzoom: 11.3, maxzoom: 17, filter: ["==", ["get", "kind"], "kg"], layout: { "text-field": ["format", ["upcase", ["get", "name"]], {}, "\n", {}, ["concat", "KG ", ["get", "code"]], { "font-scale": 0.8 }], "text-font": plain, "text-size": ["interpolate", ["linear"], ["zoom"], 11, 10.5, 16, 14], "text-letter-spacing": 0.08, "text-padding": 8 }, paint: halo(c, c.kgName, 1.6) },
    { id: "municipalities", type: "symbol", source: "names", maxzoom: 12, filter: ["==", ["get", "kind"], "municipality"], layout: { "text-field": ["get", "name"], "text-font": bold, "text-size": 13, "text-padding": 6 }, paint: halo(c, c.place, 1.8) },
  ];
}

// A version of a KG that is compared with another: every parcel covers what is drawn below it.
function compared(mode) {
  const c = ink[mode];
  return [
    { id: "compared", type: "fill", source: "compared", paint: { "fill-color": ["match", ["get", "change"], ...changes.flatMap((k) => [k.id, k[mode]]), ground[mode]] } },
    { id: "compared-line", type: "line", source: "compared", paint: { "line-color": c.parcel, "line-width": ["interpolate", ["linear"], ["zoom"], 11, 0.1, 13, 0.4, 16, 1, 19, 1.8] } },
    { id: "compared-pointed", type: "line", source: "compared", filter: nothing, paint: { "line-color": c.chosen, "line-width": 4 } },
    { id: "compared-number", type: "symbol", source: "compared", minzoom: 15.5, filter: ["==", ["geometry-type"], "Point"], layout: { "text-field": ["get", "gnr"], "text-font": plain, "text-size": ["interpolate", ["linear"], ["zoom"], 16, 11, 19, 14], "text-padding": 1 }, paint: halo(c, c.number) },
  ];
}

/** layers are those of a mode, "light" or "dark". */
export function layers(mode, has = {}) {
  const c = ink[mode];
  return [
    { id: "ground", type: "background", paint: { "background-color": ground[mode] } },
    ...below(mode, has),
    { id: "landuse", type: "fill", source: "land", "source-layer": "landuse", paint: { "fill-color": fill(mode), "fill-antialias": false } },
    ...relief(mode, has),
    { id: "parcels", type: "fill", source: "land", "source-layer": "parcels", paint: { "fill-color": "#000", "fill-opacity": 0 } },
    ...priceLayers(mode),
    ...cellLayers(mode, has),
    { id: "footprints", type: "fill", source: "land", "source-layer": "footprints", minzoom: 14, paint: { "fill-color": classes[0][mode], "fill-outline-color": c.outline } },
    { id: "borders", type: "line", source: "land", "source-layer": "parcels", minzoom: 13, paint: { "line-color": c.parcel, "line-width": ["interpolate", ["linear"], ["zoom"], 13, 0.2, 16, 0.8, 19, 1.6] } },
    { id: "kg", type: "line", source: "land", "source-layer": "kg", paint: { "line-color": c.kg, "line-width": ["interpolate", ["linear"], ["zoom"], 9, 0.8, 16, 2.5] } },
    ...above(mode, has),
    ...compared(mode),
    ...overlayLayers(mode, c.halo),
    { id: "found-fill", type: "fill", source: "land", "source-layer": "parcels", filter: nothing, paint: { "fill-color": c.found, "fill-opacity": 0.45 } },
    { id: "found-line", type: "line", source: "land", "source-layer": "parcels", filter: nothing, paint: { "line-color": c.found, "line-width": 1.6 } },
    { id: "pointed", type: "line", source: "land", "source-layer": "parcels", filter: nothing, paint: { "line-color": c.chosen, "line-width": 3, "line-dasharray": [2, 1] } },
    { id: "chosen-fill", type: "fill", source: "chosen", paint: { "fill-color": c.chosenFill, "fill-opacity": 0.35 } },
    { id: "chosen-line", type: "line", source: "chosen", paint: { "line-color": c.chosen, "line-width": 2.5 } },
    { id: "chosen-point", type: "circle", source: "chosen", filter: ["==", ["geometry-type"], "Point"], paint: { "circle-radius": 7, "circle-color": c.chosenFill, "circle-stroke-color": c.chosen, "circle-stroke-width": 2.5 } },
    { id: "near-casing", type: "line", source: "near", layout: { "line-cap": "round" }, paint: { "line-color": c.halo, "line-width": 5, "line-opacity": 0.8 } },
    { id: "near-line", type: "line", source: "near", paint: { "line-color": c.near, "line-width": 2.2, "line-dasharray": [2, 1.2] } },
    ...names(mode, has),
    ...labels(c),
    { id: "near-along", type: "symbol", source: "near", minzoom: 15.5, filter: ["all", ["==", ["geometry-type"], "LineString"], [">", ["get", "distance"], 250]], layout: { "symbol-placement": "line", "symbol-spacing": 350, "text-field": ["get", "text"], "text-font": bold, "text-size": 12.5 }, paint: halo(c, c.near, 2) },
    { id: "near-end", type: "circle", source: "near", filter: ["==", ["geometry-type"], "Point"], paint: { "circle-radius": 4, "circle-color": c.near, "circle-stroke-color": c.halo, "circle-stroke-width": 1.5 } },
    { id: "near-name", type: "symbol", source: "near", filter: ["==", ["geometry-type"], "Point"], layout: { "text-field": ["get", "text"], "text-font": bold, "text-size": 13, "text-variable-anchor": ["left", "right", "top", "bottom"], "text-radial-offset": 0.7, "text-justify": "auto", "text-padding": 3 }, paint: halo(c, c.near, 2) },
  ];
}

/** style is the map of a mode; base has the sources of the base map. */
export function style(tiles, attribution, mode, base = {}) {
  const points = { type: "geojson", data: none };
  return {
    version: 8,
    sources: { land: { type: "vector", url: tiles, attribution, promoteId: { parcels: "parcel_id", kg: "kg_code" } }, chosen: points, near: points, compared: points, cells: points, names: points, addresses: points, streets: points, ...base, ...overlaySources() },
    layers: layers(mode, base),
  };
}

/** repaint gives a drawn map the colours of a mode. */
export function repaint(map, mode) {
  for (const layer of layers(mode, map.getStyle().sources)) for (const [name, value] of Object.entries(layer.paint)) map.setPaintProperty(layer.id, name, value);
}
