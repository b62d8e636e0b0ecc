// The list of the parcels in view: the way to a parcel for who uses no pointer.
import { t } from "./words.js";

const most = 150; // entries: more are no help to read
const leastZoom = 15;

/** inView wires the panel; open(id) shows a parcel, point(id) marks one on the map ("" for none). */
export function inView({ map, toggle, panel, open, point }) {
  const list = panel.querySelector("ul"), told = panel.querySelector("p");

  const parcels = () => {
    const centre = map.getCenter(), found = new Map();
    for (const f of map.queryRenderedFeatures({ layers: ["parcels"] })) {
      const id = f.properties.parcel_id;
      if (!id) continue;
      const far = distance(f.geometry, centre);
      const entry = found.get(id);
      if (!entry) found.set(id, { id, gnr: f.properties.gnr, area: f.properties.area_sqm, far });
      else entry.far = Math.min(entry.far, far);
    }
    return [...found.values()].sort((a, b) => a.far - b.far);
  };

  let drawn = "";
  const draw = () => {
    if (panel.hidden) return;
    if (map.getZoom() < leastZoom) {
      drawn = "";
      list.replaceChildren();
      told.textContent = t("Zoom in to list the parcels in view.");
      return;
    }
    const all = parcels(), shown = all.slice(0, most);
    shown.sort((a, b) => a.id.localeCompare(b.id, "de", { numeric: true }));
    told.textContent = all.length === 0 ? t("No parcels in view.")
      : all.length > most ? t("{shown} of {n} parcels in view: the nearest to the middle", { shown: most, n: all.length }) : t("{n} parcels in view", { n: all.length });
    const ids = shown.map((p) => p.id).join(" ");
    if (ids === drawn) return; // who reads the list keeps its place
    drawn = ids;
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.parcel : "";
    list.replaceChildren(...shown.map((p) => {
      const li = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.textContent = p.id;
      button.dataset.parcel = p.id;
      button.addEventListener("click", () => open(p.id));
      button.addEventListener("focus", () => point(p.id));
      button.addEventListener("blur", () => point(""));
      button.addEventListener("pointerenter", () => point(p.id));
      button.addEventListener("pointerleave", () => point(""));
      li.append(button);
      return li;
    }));
    if (focused) (list.querySelector(`[data-parcel="${CSS.escape(focused)}"]`) ?? toggle).focus();
  };

  const set = (on) => {
    panel.hidden = !on;
    toggle.setAttribute("aria-expanded", String(on));
    point("");
    draw();
  };

  toggle.addEventListener("click", () => set(panel.hidden));
  panel.addEventListener("keydown", (e) => {
    const buttons = [...list.querySelectorAll("button")], i = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: buttons.length - 1 }[e.key];
    if (i >= 0 && to !== undefined && buttons[to]) {
      e.preventDefault();
      buttons[to].focus();
    } else if (e.key === "Escape") {
      e.stopPropagation();
      set(false);
      toggle.focus();
    }
  });
  map.on("idle", draw);
  return {
    /** entry is the button of a parcel, where the list holds it. */
    entry: (id) => (panel.hidden || !id ? null : list.querySelector(`[data-parcel="${CSS.escape(id)}"]`)),
  };
}

// distance is that of a polygon's nearest corner, in degrees of latitude; a nearness to sort by.
function distance(geometry, { lng, lat }) {
  let best = Infinity;
  const squeeze = Math.cos((lat * Math.PI) / 180);
  const walk = (c) => {
    if (typeof c[0] === "number") best = Math.min(best, Math.hypot((c[0] - lng) * squeeze, c[1] - lat));
    else c.forEach(walk);
  };
  walk(geometry.coordinates);
  return best;
}
