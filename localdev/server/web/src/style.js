// The map style: land use below, parcels, footprints, KG outlines, numbers on top.
export const uses = [
  { name: "Buildings and yards", color: "#e4d3c8", codes: [41, 83, 52] },
  { name: "Fields and meadows", color: "#edf0c8", codes: [48, 40, 57] },
  { name: "Forest", color: "#bcd6ae", codes: [56, 55, 58] },
  { name: "Alpine pasture", color: "#d8e6b8", codes: [54] },
  { name: "Water", color: "#b5d6ea", codes: [59, 60, 61, 64] },
  { name: "Traffic", color: "#e6e2dc", codes: [42, 65, 92, 95] },
  { name: "Rock, glacier, barren", color: "#dcdad6", codes: [62, 87, 88] },
  { name: "Other", color: "#eadfe8", codes: [53, 63, 72, 84, 96] },
];

const fill = ["match", ["to-number", ["get", "ns"]], ...uses.flatMap((u) => [u.codes, u.color]), "#eeeae2"];
const none = { type: "FeatureCollection", features: [] };

export function style(tiles, attribution) {
  return {
    version: 8,
    sources: {
      land: { type: "vector", url: tiles, attribution },
      chosen: { type: "geojson", data: none },
    },
    layers: [
      { id: "ground", type: "background", paint: { "background-color": "#f2f1e8" } },
      { id: "landuse", type: "fill", source: "land", "source-layer": "landuse", paint: { "fill-color": fill, "fill-antialias": false } },
      { id: "parcels", type: "fill", source: "land", "source-layer": "parcels", paint: { "fill-color": "#000", "fill-opacity": 0 } },
      { id: "footprints", type: "fill", source: "land", "source-layer": "footprints", minzoom: 14, paint: { "fill-color": "#b6806a", "fill-outline-color": "#7c5444" } },
      { id: "borders", type: "line", source: "land", "source-layer": "parcels", minzoom: 13, paint: { "line-color": "#6b6256", "line-width": ["interpolate", ["linear"], ["zoom"], 13, 0.2, 16, 0.8, 19, 1.6] } },
      { id: "kg", type: "line", source: "land", "source-layer": "kg", paint: { "line-color": "#8a2b4e", "line-width": ["interpolate", ["linear"], ["zoom"], 9, 0.8, 16, 2.5] } },
      { id: "chosen-fill", type: "fill", source: "chosen", paint: { "fill-color": "#f2b705", "fill-opacity": 0.35 } },
      { id: "chosen-line", type: "line", source: "chosen", paint: { "line-color": "#b3261e", "line-width": 2.5 } },
      { id: "numbers", type: "symbol", source: "land", "source-layer": "labels", minzoom: 16, layout: { "text-field": ["get", "gnr"], "text-font": ["sans-serif"], "text-size": 11 }, paint: { "text-color": "#3b3630", "text-halo-color": "#fff", "text-halo-width": 1 } },
    ],
  };
}
