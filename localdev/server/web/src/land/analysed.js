// Objects and trees of the analysed KGs as the served generation has them in tiles: the map's layers, their legend, and what is known of
// one that is pressed.
import "../shared.js";
import { archiveOf, escaped } from "../archive.js";
import { element } from "../dom.js";
import { t } from "../words.js";
import "./words.js";
import { leaves, objects } from "./analyses.js";
import { detailsOf, popup } from "./popup.js";

const source = "analysed";
const of = { objects: ["analysed-objects", "analysed-outline"], trees: ["analysed-trees"] };

const layersOf = (mode) => [
  { id: "analysed-objects", type: "fill", source, "source-layer": "segments", minzoom: 14, paint: { "fill-color": ["match", ["get", "type"], ...objects.flatMap(([id, , colour]) => [id, colour]), "#b0b0b0"], "fill-opacity": ["+", 0.3, ["*", 0.5, ["coalesce", ["get", "confidence"], 0.5]]] } },
  { id: "analysed-outline", type: "line", source, "source-layer": "segments", minzoom: 16, paint: { "line-color": mode === "dark" ? "#0b1012" : "#ffffff", "line-width": 0.6 } },
  { id: "analysed-trees", type: "circle", source, "source-layer": "trees", minzoom: 15, paint: {
    "circle-color": ["match", ["get", "leaf_type"], ...leaves.filter((l) => l.id !== "unknown").flatMap((l) => [l.id, l[mode]]), leaves.at(-1)[mode]],
    "circle-radius": ["interpolate", ["exponential", 2], ["zoom"], 15, ["+", 1, ["*", 0.06, ["coalesce", ["get", "height_m"], 10]]], 18, ["+", 4, ["*", 0.3, ["coalesce", ["get", "height_m"], 10]]]],
    "circle-stroke-color": mode === "dark" ? "#0b1012" : "#ffffff", "circle-stroke-width": 0.8, "circle-opacity": 0.85,
  } },
];

/** analysed draws what is shown: a set of "objects" and "trees". */
export async function analysed({ map, box, mode, key }) {
  const { archive, url } = archiveOf(key), { attribution = "" } = (await archive.getMetadata()) ?? {};
  map.addSource(source, { type: "vector", url, attribution: escaped(attribution) });
  for (const layer of layersOf(mode())) map.addLayer({ ...layer, layout: { visibility: "none" } }, map.getLayer("houses") ? "houses" : undefined);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { for (const l of layersOf(mode())) for (const [name, value] of Object.entries(l.paint)) map.setPaintProperty(l.id, name, value); });
  const details = popup(map, () => {});
  let shown = new Set();

  // The legend has what is in view.
  function legend() {
    box.hidden = !shown.size;
    const part = (layer, property, all) => {
      const seen = new Set(shown.has(layer) ? map.queryRenderedFeatures({ layers: [of[layer][0]] }).map((f) => f.properties[property] ?? "unknown") : []);
      return all.filter(([id]) => seen.has(id)).map(([, name, colour]) => {
        const li = element("li"), swatch = element("i");
        swatch.style.background = colour;
        li.append(swatch, t(name));
        return li;
      });
    };
    const rows = [...part("objects", "type", objects), ...part("trees", "leaf_type", leaves.map((l) => [l.id, l.name, l[mode()]]))], list = element("ul");
    list.append(...rows);
    const none = map.getZoom() < (shown.has("objects") ? 14 : 15) ? t("Zoom in to see what was found.") : t("Nothing was found here, or the KG is not analysed.");
    box.replaceChildren(element("h2", t("Found by analysis")), rows.length ? list : element("p", none));
  }
  map.on("idle", () => { if (shown.size) legend(); });

  return {
    show(which) {
      shown = new Set(which);
      for (const [layer, ids] of Object.entries(of)) for (const id of ids) map.setLayoutProperty(id, "visibility", shown.has(layer) ? "visible" : "none");
      details.close();
      legend();
    },
    at(point, lngLat) {
      const near = [[point.x - 3, point.y - 3], [point.x + 3, point.y + 3]], layers = [...shown].map((l) => of[l][0]);
      const found = map.queryRenderedFeatures(near, { layers }).sort((a, b) => Number(b.layer.id === "analysed-trees") - Number(a.layer.id === "analysed-trees"))[0];
      if (!found) return false;
      const tree = found.layer.id === "analysed-trees", { type, ...rest } = found.properties;
      details.show(lngLat, detailsOf({ type: () => (tree ? "tree" : type) }, { properties: rest, class: 0 }, []));
      return true;
    },
  };
}
