// A map of another service under the parcels, where the operator named one: an aerial photograph, the administration's base map. It is
// asked for when the reader draws it, and its service then sees where the map stands.
import { escaped } from "./archive.js";
import { below, relief } from "./base.js";
import { element, number } from "./dom.js";
import { t } from "./words.js";

const over = [0, 0.3, 0.6]; // how much of the land use may be drawn over it

/** readBackground is what the operator named: {tiles, credit, max_zoom}; null for none. */
export async function readBackground() {
  const reply = await fetch("/map/background.json");
  return reply.ok ? (await reply.json()).background : null;
}

/** backgroundSwitch fills box with the switch of a background. base has the sources of the base map, whose ground it replaces. */
export function backgroundSwitch({ map, box, mode, background, base }) {
  const id = "background", label = element("label"), input = element("input", undefined, { type: "checkbox", name: id });
  const shareLabel = element("label", `${t("Land use over it")} `, { hidden: true }), share = element("select", undefined, { name: "over_background" });
  share.append(...over.map((v) => element("option", v ? `${number(v * 100)} %` : t("none"), { value: String(v) })));
  const covered = [...below(mode(), base), ...relief(mode(), base)].map((l) => l.id);

  function draw() {
    const on = input.checked;
    shareLabel.hidden = !on;
    if (on && !map.getSource(id)) {
      map.addSource(id, { type: "raster", tiles: [background.tiles], tileSize: 256, maxzoom: background.max_zoom, attribution: escaped(background.credit) });
      map.addLayer({ id, type: "raster", source: id }, map.getStyle().layers[1]?.id);
    }
    if (!on && map.getSource(id)) {
      map.removeLayer(id);
      map.removeSource(id); // with its credit
    }
    for (const layer of covered) map.setLayoutProperty(layer, "visibility", on ? "none" : "visible");
    map.setPaintProperty("landuse", "fill-opacity", on ? Number(share.value) : 1);
    map.setLayoutProperty("footprints", "visibility", on && share.value === "0" ? "none" : "visible");
  }
  input.addEventListener("change", draw);
  share.addEventListener("change", draw);
  label.append(input, element("span", background.credit));
  shareLabel.append(share);
  box.replaceChildren(element("h2", t("Background")), label, shareLabel);
  box.hidden = false;
}
