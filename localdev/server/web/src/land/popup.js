// What an answer knows of one feature, on the map.
import { Popup } from "maplibre-gl";
import { element, number } from "../dom.js";
import { inGerman, t } from "../words.js";
import { plain } from "./analyses.js";

// Units stand at the end of the names of properties.
const units = [[/_sqm$/, "m²"], [/_m3(_est)?$/, "m³"], [/_cm$/, "cm"], [/_m$/, "m"], [/_pct$/, "%"], [/_deg$/, "°"], [/_(lon|lat)$/, "°"]];

/** property is a property as words with its unit: "area_sqm" is {name: "area", unit: "m²"}. */
export function property(name) {
  const [end, unit] = units.find(([pattern]) => pattern.test(name)) ?? [null, ""];
  const words = plain(end && !/_(lon|lat)$/.test(name) ? name.replace(end, "") : name);
  return { name: words[0].toUpperCase() + words.slice(1), unit };
}

// value is one in words; null where it says nothing.
function value(name, v, unit) {
  if (v === null || v === undefined || v === "") return null;
  if (Array.isArray(v)) return v.length ? v.map((x) => (typeof x === "object" ? JSON.stringify(x) : t(plain(x)))).join(", ") : null;
  if (typeof v === "object") return JSON.stringify(v);
  if (typeof v === "boolean") return v ? t("yes") : t("no");
  if (typeof v === "string") return /_id$/.test(name) ? v : t(plain(v));
  const digits = unit === "°" ? 6 : Number.isInteger(v) ? 0 : Math.abs(v) >= 100 ? 1 : 2;
  return `${number(v, digits)}${unit ? ` ${unit}` : ""}`;
}

/** detailsOf is all that a row knows: its type as title, then names and values. */
export function detailsOf(analysis, row, classes) {
  const box = element("div", undefined, { className: "details" }), p = row.properties, type = analysis.type(p), table = element("table");
  const words = t(plain(type)), title = words ? words[0].toUpperCase() + words.slice(1) : t(classes[row.class]?.name ?? "");
  box.append(element("h2", title, { tabIndex: -1 }));
  const aside = ([key]) => Number(/_(id|lon|lat)$|^seq$/.test(key)); // names and places stand last
  for (const [key, v] of Object.entries(p).sort((a, b) => aside(a) - aside(b))) {
    const { name, unit } = property(key), text = value(key, v, unit);
    if (text === null || v === type) continue;
    const tr = table.insertRow();
    tr.append(element("th", inGerman ? t(name) : name, { scope: "row" }), element("td", text));
  }
  box.append(table);
  return box;
}

/** popup shows one at a time; closed() is told when the reader closes it. */
export function popup(map, closed) {
  let shown = null, quiet = false;
  const close = () => {
    quiet = true;
    shown?.remove();
    shown = null;
    quiet = false;
  };
  return {
    show(at, content) {
      close();
      shown = new Popup({ maxWidth: "300px", closeOnClick: false, focusAfterOpen: false }).setLngLat(at).setDOMContent(content).addTo(map);
      shown.on("close", () => { shown = null; if (!quiet) closed(); });
    },
    close,
    open: () => shown !== null,
  };
}
