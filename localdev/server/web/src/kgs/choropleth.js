// The map of the national page: KGs by class. From zoom 8 on, where the archive of tiles begins, they are outlines; below it dots at
// their centroids. A KG that was not analysed is hatched, whatever its colour.
import { Map as MapLibre, NavigationControl, Popup, ScaleControl } from "maplibre-gl";
import { credits, openTiles } from "../archive.js";
import { ground, ink } from "../palette.js";
import { pattern } from "../prices.js";
import { left, unknown, unknownColour } from "./classes.js";
import { outlineOf } from "./service.js";
import { t } from "../words.js";

const none = { type: "FeatureCollection", features: [] };
const outlineZoom = 8;

const state = ["coalesce", ["feature-state", "class"], left];
const colour = (colours, mode) => ["match", state, ...colours.flatMap((c, i) => [i, c]), unknown, unknownColour(mode), "rgba(0,0,0,0)"];

function layersOf(mode) {
  const c = ink[mode], land = { source: "land", "source-layer": "kg" };
  const wide = (grow) => ["interpolate", ["exponential", 1.6], ["zoom"], 5, 1.6 + grow, 6.5, 3 + grow, 8, 6 + grow];
  return [
    { id: "ground", type: "background", paint: { "background-color": ground[mode] } },
    { id: "kg-fill", type: "fill", ...land, paint: { "fill-color": colour([], mode), "fill-opacity": 0.92 } },
    { id: "kg-line", type: "line", ...land, paint: { "line-color": c.kg, "line-opacity": 0.7, "line-width": ["interpolate", ["linear"], ["zoom"], 8, 0.3, 12, 1.2, 16, 2.5] } },
    { id: "kg-chosen", type: "line", ...land, filter: ["==", ["get", "kg_code"], ""], paint: { "line-color": c.chosen, "line-width": 3 } },
    { id: "dots", type: "circle", source: "kgs", maxzoom: outlineZoom, paint: { "circle-color": colour([], mode), "circle-radius": wide(0), "circle-stroke-color": c.kg, "circle-stroke-width": ["case", ["get", "processed"], 0, 0.5] } },
    { id: "kg-names", type: "symbol", source: "kgs", minzoom: 10.5, layout: { "text-field": ["get", "name"], "text-font": ["sans-serif"], "text-size": 12, "text-padding": 6 }, paint: { "text-color": c.kgName, "text-halo-color": c.halo, "text-halo-width": 1.6 } },
  ];
}

const besideCentre = 0.03; // degrees that a KG reaches beyond its centre, about

// boxAround is the box of places with so many degrees beside them.
const boxAround = (places, beside) => places.reduce((b, [x, y]) => [Math.min(b[0], x - beside), Math.min(b[1], y - beside), Math.max(b[2], x + beside), Math.max(b[3], y + beside)], [180, 90, -180, -90]);

const placesOf = (c) => (typeof c[0] === "number" ? [c] : c.flatMap(placesOf));

/** choropleth fills container with a map over the tiles of what is served, whose pointer is being read. rows are all KGs; chosen(code) is told of a KG that is pressed, details(code) is what a
 * popup of it shows. */
export async function choropleth({ container, reading, rows, mode, view, chosen, details, say, moved }) {
  const tiles = await openTiles(reading).catch(() => null), byCode = new Map(rows.map((r) => [r.kg_code, r]));
  if (!tiles) say(t("The outlines of the KGs cannot be read: dots stand for them at every scale."));
  const pressed = tiles ? ["kg-fill", "dots"] : ["dots"], outlined = (layer) => tiles || layer.source !== "land";
  const whole = boxAround(rows.map((r) => r.centroid).filter(Boolean), besideCentre);
  const dots = { type: "FeatureCollection", features: rows.filter((r) => r.centroid).map((r) => ({ type: "Feature", properties: { code: r.kg_code, name: r.kg_name, processed: Boolean(r.processed) }, geometry: { type: "Point", coordinates: r.centroid } })) };
  const map = new MapLibre({
    container, ...(view ?? (whole[0] < whole[2] ? { bounds: whole, fitBoundsOptions: { padding: 24 } } : { center: [13.3, 47.6], zoom: 6 })), maxZoom: 16, dragRotate: false, attributionControl: { compact: false },
    style: {
      version: 8, layers: layersOf(mode()).filter(outlined).map(({ maxzoom, ...layer }) => (tiles && maxzoom ? { ...layer, maxzoom } : layer)),
      sources: {
        ...(tiles ? { land: { type: "vector", url: tiles.url, attribution: credits(tiles), promoteId: { kg: "kg_code" } } } : {}),
        kgs: { type: "geojson", data: dots.features.length ? dots : none, promoteId: "code" },
      },
    },
    locale: { "Map.Title": t("Map of KGs"), "NavigationControl.ZoomIn": t("Zoom in"), "NavigationControl.ZoomOut": t("Zoom out") },
  });
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.addControl(new ScaleControl(), "bottom-right");
  map.on("error", (e) => say(e.error?.message ?? t("the map could not be drawn")));
  map.on("moveend", () => moved(map));
  const popup = new Popup({ maxWidth: "280px", closeButton: true });
  let drawn = null, turn = 0;

  function at(point) {
    const hits = map.queryRenderedFeatures(point, { layers: pressed });
    return hits[0]?.properties.kg_code ?? hits[0]?.properties.code ?? "";
  }
  function show(code, place) {
    if (tiles) map.setFilter("kg-chosen", ["==", ["get", "kg_code"], code]);
    if (!code || !byCode.has(code)) { popup.remove(); return; }
    popup.setLngLat(place ?? byCode.get(code).centroid).setDOMContent(details(code)).addTo(map);
  }
  map.on("click", (e) => { const code = at(e.point); show(code, e.lngLat); chosen(code); });
  for (const layer of pressed) {
    map.on("mousemove", layer, () => { map.getCanvas().style.cursor = "pointer"; });
    map.on("mouseleave", layer, () => { map.getCanvas().style.cursor = ""; });
  }
  await new Promise((done) => map.once("load", done));
  // Filters are matched, not looked for in a list: there are thousands of KGs.
  const raw = rows.filter((r) => !r.processed).map((r) => r.kg_code);
  map.addImage("hatch", pattern(12, 12));
  if (tiles && raw.length) map.addLayer({ id: "kg-hatch", type: "fill", source: "land", "source-layer": "kg", filter: ["match", ["get", "kg_code"], raw, true, false], paint: { "fill-pattern": "hatch", "fill-opacity": 0.35 } }, "kg-line");

  function paint() {
    if (!drawn) return;
    const { classes, colours } = drawn;
    for (const code of byCode.keys()) {
      const value = { class: classes.get(code) ?? left };
      if (tiles) map.setFeatureState({ source: "land", sourceLayer: "kg", id: code }, value);
      map.setFeatureState({ source: "kgs", id: code }, value);
    }
    for (const [id, what] of [["kg-fill", "fill-color"], ["dots", "circle-color"]]) if (pressed.includes(id)) map.setPaintProperty(id, what, colour(colours(mode()), mode()));
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const layer of layersOf(mode()).filter(outlined)) for (const [name, value] of Object.entries(layer.paint)) map.setPaintProperty(layer.id, name, value);
    paint();
  });
  return {
    map,
    /** draw colours KGs: classes by code, colours(mode) one for each class. */
    draw(classes, colours) { drawn = { classes, colours }; paint(); popup.remove(); },
    /** go shows a KG. */
    go(code) {
      const { centroid } = byCode.get(code) ?? {}, mine = ++turn;
      show(code);
      if (!centroid) return;
      const fit = (box) => { if (mine === turn) map.fitBounds(box, { padding: 60, maxZoom: 13, duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 600 }); };
      outlineOf(code).then((f) => fit(boxAround(placesOf(f.geometry.coordinates), 0)), () => fit(boxAround([centroid], besideCentre)));
    },
    whole() { if (whole[0] < whole[2]) map.fitBounds(whole, { padding: 24 }); },
  };
}
