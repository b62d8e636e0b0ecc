// What lies over the parcels: Natura 2000 sites and protected areas, drawn when the reader asks for them.
import { t } from "./words.js";

/** overlays are the layers that may be shown: id of the collection, name, colour by mode. */
export const overlays = [
  { id: "natura2000", name: "Natura 2000", label: "sitename", light: "#0b6e4f", dark: "#63e0b4" },
  { id: "protected_areas", name: "Protected areas", label: "name", light: "#5b3f9e", dark: "#c9b5ff" },
];

const none = { type: "FeatureCollection", features: [] };

/** overlayLayers are the style layers of a mode; they begin hidden. */
export function overlayLayers(mode, halo) {
  return overlays.flatMap((o) => {
    const source = `over-${o.id}`, layout = { visibility: "none" };
    return [
      { id: `${source}-fill`, type: "fill", source, layout, paint: { "fill-color": o[mode], "fill-opacity": 0.16 } },
      { id: `${source}-line`, type: "line", source, layout, paint: { "line-color": o[mode], "line-width": 2, "line-dasharray": [3, 1.5] } },
      { id: `${source}-name`, type: "symbol", source, layout: { ...layout, "text-field": ["get", o.label], "text-font": ["Arial Bold", "sans-serif"], "text-size": 12.5, "text-padding": 6 }, paint: { "text-color": o[mode], "text-halo-color": halo, "text-halo-width": 1.8 } },
    ];
  });
}

/** overlaySources are their sources. */
export const overlaySources = () => Object.fromEntries(overlays.map((o) => [`over-${o.id}`, { type: "geojson", data: none }]));

/** overlaySwitches puts a switch for each overlay into list; items(id, box) asks for what is in view. */
export function overlaySwitches({ map, list, mode, items, say }) {
  const shown = new Set(), turns = {};
  const draw = async (o) => {
    if (!shown.has(o.id)) return;
    const turn = (turns[o.id] = (turns[o.id] ?? 0) + 1);
    try {
      const found = await items(o.id, map.getBounds().toArray().flat());
      if (turn === turns[o.id]) map.getSource(`over-${o.id}`).setData(found);
    } catch (e) {
      if (turn === turns[o.id]) say(e.message);
    }
  };
  list.replaceChildren(...overlays.map((o) => {
    const li = document.createElement("li"), label = document.createElement("label"), box = document.createElement("i");
    const input = Object.assign(document.createElement("input"), { type: "checkbox", name: o.id, checked: shown.has(o.id) });
    const paint = () => { box.style.background = o[mode()]; };
    paint();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
    input.addEventListener("change", () => {
      if (input.checked) shown.add(o.id); else shown.delete(o.id);
      for (const part of ["fill", "line", "name"]) map.setLayoutProperty(`over-${o.id}-${part}`, "visibility", input.checked ? "visible" : "none");
      draw(o);
    });
    label.append(input, box, t(o.name));
    li.append(label);
    return li;
  }));
  map.on("moveend", () => overlays.forEach(draw));
}
