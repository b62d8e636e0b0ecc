// What an analysis found, on the map: areas and crowns in the colours of their classes, trees as circles by their height, the
// surer the denser.
import { boundsOf } from "./shapes.js";

const source = "land-result";
const none = { type: "FeatureCollection", features: [] };
const crownZoom = 16.2; // crowns are drawn from here, circles up to there
export const layers = ["land-result-fill", "land-result-line", "land-result-tree"];

// A circle has a radius by the height, as the crown of a tree of that height has it in metres; at small zooms at least some pixels.
const metresAt = (zoom) => (40_075_016.7 * Math.cos(47.5 * (Math.PI / 180))) / 512 / 2 ** zoom;
const radius = (zoom, least) => ["max", least, ["/", ["+", 0.8, ["*", 0.1, ["coalesce", ["get", "h"], 5]]], metresAt(zoom)]];
const treeRadius = ["interpolate", ["exponential", 2], ["zoom"], 13, radius(13, 1.2), 15, radius(15, 2), 17, radius(17, 2.5), 20, radius(20, 4)];
const dense = (least) => ["+", least, ["*", 1 - least, ["coalesce", ["get", "c"], 1]]]; // by confidence
const emphasis = ["boolean", ["feature-state", "chosen"], false];

/** middle is a place in a shape: of points themselves, of areas the middle of the box of the first ring that is largest. */
export function middle(row, apex) {
  const at = apex?.(row.properties);
  if (at) return at;
  if (row.properties.centroid_lon != null) return [row.properties.centroid_lon, row.properties.centroid_lat];
  if (row.geometry?.type === "Point") return row.geometry.coordinates;
  const [w, s, e, n] = boundsOf(row.geometry?.coordinates ?? []) ?? [0, 0, 0, 0];
  return [(w + e) / 2, (s + n) / 2];
}

/** resultMap draws rows on the map. */
export function resultMap({ map, mode }) {
  let analysis = null, classes = [], hidden = new Set(), chosen = null, all = [];

  const colours = () => ["match", ["get", "k"], ...classes.flatMap((c, i) => [i, c[mode()]]), "#888"];
  const filter = (...more) => ["all", ["!", ["in", ["get", "k"], ["literal", [...hidden]]]], ...more];
  const shape = (type) => ["==", ["geometry-type"], type];

  function add() {
    if (map.getSource(source)) return;
    const before = map.getLayer("houses") ? "houses" : undefined, area = analysis.drawn === "areas";
    map.addSource(source, { type: "geojson", data: none });
    map.addLayer({ id: layers[0], type: "fill", source, minzoom: area ? 0 : crownZoom, paint: { "fill-opacity": ["*", area ? 0.75 : 0.6, dense(0.25)] } }, before);
    map.addLayer({ id: layers[1], type: "line", source, minzoom: area ? 0 : crownZoom, paint: { "line-width": ["case", emphasis, 4, area ? 2 : 0.8], "line-opacity": dense(0.5) } }, before);
    map.addLayer({ id: layers[2], type: "circle", source, maxzoom: 24, paint: { "circle-radius": treeRadius, "circle-opacity": dense(0.25), "circle-stroke-width": ["case", emphasis, 3, 0.6], "circle-stroke-opacity": dense(0.6) } }, before);
  }

  function remove() {
    for (const id of layers) if (map.getLayer(id)) map.removeLayer(id);
    if (map.getSource(source)) map.removeSource(source);
  }

  function paint() {
    if (!map.getSource(source) || !classes.length) return;
    const dark = mode() === "dark", crowns = all.some((r) => r.geometry?.type !== "Point");
    map.setPaintProperty(layers[0], "fill-color", colours());
    map.setPaintProperty(layers[1], "line-color", ["case", emphasis, dark ? "#fff" : "#000", analysis.drawn === "areas" ? colours() : dark ? "#0b1012" : "#fff"]);
    map.setPaintProperty(layers[2], "circle-color", colours());
    map.setPaintProperty(layers[2], "circle-stroke-color", ["case", emphasis, dark ? "#fff" : "#000", dark ? "#0b1012" : "#fff"]);
    map.setFilter(layers[0], filter(shape("Polygon")));
    map.setFilter(layers[1], filter(shape("Polygon")));
    map.setFilter(layers[2], filter(shape("Point")));
    map.setLayerZoomRange(layers[2], 0, crowns ? crownZoom : 24);
  }

  // featuresOf are a row on the map: its shape, and of a crown its apex.
  const featuresOf = (row) => {
    const properties = { k: row.class, h: row.height ?? 5, c: row.confidence ?? 1 }, out = [{ type: "Feature", id: row.i, properties, geometry: row.geometry }];
    if (analysis.drawn === "crowns" && row.geometry?.type !== "Point") out.push({ type: "Feature", id: row.i, properties, geometry: { type: "Point", coordinates: middle(row, analysis.apex) } });
    return out;
  };

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);

  return {
    draw(of, rows, of2) {
      if (analysis !== of) remove();
      analysis = of;
      all = rows;
      classes = of2;
      chosen = null;
      hidden = new Set();
      add();
      map.getSource(source).setData({ type: "FeatureCollection", features: rows.filter((r) => r.geometry).flatMap(featuresOf) });
      paint();
    },
    hide(places) { hidden = places; paint(); },
    choose(i) {
      if (!map.getSource(source)) return;
      if (chosen !== null) map.removeFeatureState({ source, id: chosen });
      chosen = i;
      if (i !== null) map.setFeatureState({ source, id: i }, { chosen: true });
    },
    /** at is the number of the row at a point of the screen; null if no row is drawn there. */
    at: ({ x, y }) => {
      const there = layers.filter((id) => map.getLayer(id));
      if (!there.length) return null;
      const found = map.queryRenderedFeatures([[x - 3, y - 3], [x + 3, y + 3]], { layers: there });
      return found.length ? found[0].id : null;
    },
    clear() { remove(); analysis = null; all = []; classes = []; chosen = null; },
  };
}
