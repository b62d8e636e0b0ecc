// What the analysis of KGs has found, over the parcels: objects by type and single trees. Switches alone; what they draw is loaded when
// one is ticked.
import { t } from "./words.js";

export const kind = "landscape-tiles"; // of the artefact
const layers = [{ id: "objects", name: "Objects found", zoom: 14, colour: "#7cb342" }, { id: "trees", name: "Trees found", zoom: 15, colour: "#1f6b3a" }];

/** analysedSwitches puts the switches into list; box is the part of the legend. What it gives has at(point, lngLat), which shows what lies there, and says
 * whether it did. */
export function analysedSwitches({ map, list, box, mode, key, say }) {
  const shown = new Set();
  let drawn = null, now = null;
  const draw = async () => {
    try {
      drawn ??= import("./land/analysed.js").then(({ analysed }) => analysed({ map, box, mode, key }));
      now = await drawn;
      now.show(shown);
    } catch (e) {
      drawn = null;
      say(e.message);
    }
  };
  list.append(...layers.map((l) => {
    const li = document.createElement("li"), label = document.createElement("label"), swatch = document.createElement("i");
    const input = Object.assign(document.createElement("input"), { type: "checkbox", name: l.id });
    swatch.style.background = l.colour;
    input.addEventListener("change", () => { if (input.checked) shown.add(l.id); else shown.delete(l.id); draw(); });
    label.append(input, swatch, t(l.name));
    li.append(label);
    return li;
  }));
  return { at: (point, lngLat) => Boolean(shown.size && now?.at(point, lngLat)) };
}
