// The map under and over the cadastre: roads, railways, waters, settlements and names from the archives that the
// served generation names. Without such archives the map has only the cadastre. What is drawn below the land use shows at small zooms
// and where nothing is known of the land; at large ones names and thin lines lie over it.
const plain = ["sans-serif"], bold = ["Arial Bold", "sans-serif"], slanted = ["Arial Italic", "sans-serif"];

/** archives are the sources of the base map by the kind of their archive in a pointer's artefacts, which is their name in the style, too. */
export const archives = {
  "base-osm": { type: "vector" }, "base-names": { type: "vector" },
  "base-cells": { type: "vector", minzoom: 8, maxzoom: 14 }, // read when a layer of it is drawn for the first time; the cadastre is credited for it
  "base-relief": { type: "raster-dem", tileSize: 256 },
};

/** describe is what a source says of itself by its archive's metadata. */
export const describe = (metadata, escaped) => ({ attribution: credit(metadata, escaped), ...(metadata?.encoding && { encoding: metadata.encoding }) });

const inks = {
  light: { water: "#9ccaf0", stream: "#3f7fb8", road: "#ffffff", major: "#f4c978", casing: "#8f8577", rail: "#4a4a4a", text: "#2c2c2c", hydro: "#1f5a94", peak: "#5a3d20", field: "#5b5136", halo: "#ffffff" },
  dark: { water: "#315e9a", stream: "#5b93cf", road: "#5a6068", major: "#a07a3a", casing: "#0b1012", rail: "#9a9a9a", text: "#e9eef0", hydro: "#a9d1fa", peak: "#e2c3a2", field: "#d3cba9", halo: "#0b1012" },
};

const major = ["match", ["get", "fclass"], ["motorway", "trunk", "primary", "secondary"], true, false];
const width = (...stops) => ["interpolate", ["exponential", 1.4], ["zoom"], ...stops];
const osm = (id, type, layer, rest) => ({ id: `base-${id}`, type, source: "base-osm", "source-layer": layer, ...rest });
const name = (id, layers, rest, paint) => ({
  id: `base-${id}`, type: "symbol", source: "base-names", "source-layer": "name", filter: ["match", ["get", "layer"], layers, true, false], ...rest, paint,
});
const ink = (c, color, halo = 1.5) => ({ "text-color": color, "text-halo-color": c.halo, "text-halo-width": halo });

/** below are the layers under the land use. */
export function below(mode, has) {
  const c = inks[mode];
  if (!has["base-osm"]) return [];
  return [
    osm("water", "fill", "water", { paint: { "fill-color": c.water } }),
    osm("waterway", "line", "waterway", { paint: { "line-color": c.water, "line-width": width(9, 0.8, 14, 2.5) } }),
    osm("road-casing", "line", "road", { maxzoom: 15, layout: { "line-cap": "round", "line-join": "round" }, paint: { "line-color": c.casing, "line-width": ["case", major, 4.2, 2.4], "line-opacity": 0.5 } }),
    osm("road", "line", "road", { filter: ["!", major], maxzoom: 15, layout: { "line-cap": "round", "line-join": "round" }, paint: { "line-color": c.road, "line-width": width(11, 0.6, 14, 1.8) } }),
  ];
}

/** relief is the shade of the terrain over the land use: light from the north-west, as maps have it. */
export function relief(mode, has) {
  if (!has["base-relief"]) return [];
  const dark = mode === "dark";
  return [{
    id: "relief", type: "hillshade", source: "base-relief",
    paint: {
      "hillshade-illumination-direction": 315, "hillshade-illumination-anchor": "map",
      "hillshade-exaggeration": ["interpolate", ["linear"], ["zoom"], 9, 0.7, 13, 0.5, 16, 0.25, 18, 0],
      "hillshade-shadow-color": dark ? "rgba(0,0,0,0.75)" : "rgba(45,40,60,0.55)",
      "hillshade-highlight-color": dark ? "rgba(255,255,255,0.16)" : "rgba(255,255,255,0.45)",
      "hillshade-accent-color": dark ? "rgba(0,0,0,0.2)" : "rgba(60,55,70,0.15)",
    },
  }];
}

/** above are the lines over the land use, below the parcels that are marked. */
export function above(mode, has) {
  const c = inks[mode];
  if (!has["base-osm"]) return [];
  return [
    osm("stream", "line", "waterway", { minzoom: 13, paint: { "line-color": c.stream, "line-width": width(13, 0.8, 18, 2), "line-opacity": 0.7 } }),
    osm("major", "line", "road", { filter: major, maxzoom: 16, layout: { "line-cap": "round", "line-join": "round" }, paint: { "line-color": c.major, "line-width": width(8, 1, 14, 3), "line-opacity": ["interpolate", ["linear"], ["zoom"], 13, 1, 16, 0.35] } }),
    osm("rail", "line", "rail", { paint: { "line-color": c.rail, "line-width": width(9, 0.8, 18, 2.2) } }),
    osm("sleepers", "line", "rail", { minzoom: 12, paint: { "line-color": c.rail, "line-width": width(12, 3, 18, 7), "line-dasharray": [0.25, 3] } }),
  ];
}

/** names are the letters; of those that would lie over each other the later layer's stay. */
export function names(mode, has) {
  const c = inks[mode], out = [];
  if (has["base-names"]) out.push(
    name("field", ["ried", "sonstige"], { minzoom: 14.5, layout: { "text-field": ["get", "name"], "text-font": slanted, "text-size": 11, "text-padding": 12 } }, ink(c, c.field)),
    name("hydro", ["gewaesser", "gletscher"], { minzoom: 12.5, layout: { "text-field": ["get", "name"], "text-font": slanted, "text-size": 12, "text-padding": 20 } }, ink(c, c.hydro)),
    name("peak", ["gelaende", "gebiet"], { minzoom: 11, layout: { "text-field": ["case", ["has", "elevation_m"], ["concat", "▲\n", ["get", "name"], "\n", ["get", "elevation_m"], " m"], ["get", "name"]], "text-font": plain, "text-size": 11, "text-padding": 10 } }, ink(c, c.peak)),
  );
  if (has["base-osm"]) out.push(
    osm("road-name", "symbol", "road", { minzoom: 13.5, maxzoom: 15.6, filter: ["has", "name"], layout: { "symbol-placement": "line", "text-field": ["get", "name"], "text-font": plain, "text-size": 11, "text-padding": 6 }, paint: ink(c, c.text) }),
    osm("stop", "symbol", "stop", { minzoom: 13.5, filter: ["match", ["get", "fclass"], ["railway_station", "railway_halt"], true, false], layout: { "text-field": ["concat", "◼ ", ["get", "name"]], "text-font": bold, "text-size": 11.5, "text-padding": 8 }, paint: ink(c, c.rail, 1.8) }),
    osm("place", "symbol", "place", { maxzoom: 12, layout: { "text-field": ["get", "name"], "text-font": bold, "text-size": ["match", ["get", "fclass"], "city", 17, "town", 14.5, 12], "text-padding": 8, "symbol-sort-key": ["-", ["coalesce", ["get", "population"], 0]] }, paint: ink(c, c.text, 1.8) }),
  );
  return out;
}

// credit is what a source's attribution says, with its licence.
function credit(metadata, escaped) {
  const who = escaped(metadata?.attribution ?? "");
  const licence = metadata?.license ?? "";
  if (!/^https:\/\//.test(licence)) return who;
  const short = licence.includes("opendatacommons") ? "ODbL" : "CC BY 4.0";
  return `${who}, <a href="${escaped(licence)}">${short}</a>`;
}
