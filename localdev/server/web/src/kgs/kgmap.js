// The small map of the profile: outline over the shade of the terrain, with a scale. A drawing, so that it is printed as it is seen.
import { metres } from "../dom.js";
import { t } from "../words.js";
import { drawing, step, svg } from "./charts.js";
import { shaded } from "./terrain.js";

const degree = 111_320; // metres of a degree of latitude, and of longitude at the equator
const width = 520, tallest = 420, margin = 14;

function picture(field) {
  const canvas = Object.assign(document.createElement("canvas"), { width: field.cols, height: field.rows });
  canvas.getContext("2d").putImageData(new ImageData(shaded(field), field.cols, field.rows), 0, 0);
  return canvas.toDataURL("image/png");
}

/** kgMap draws a KG; field is its height field, null if the KG has no heights. */
export function kgMap(geometry, [west, south, east, north], field, title) {
  const shrink = Math.cos(((south + north) / 2) * (Math.PI / 180)), across = (east - west) * degree * shrink, high = (north - south) * degree;
  const scale = Math.min((width - 2 * margin) / across, tallest / high), w = across * scale, h = high * scale, left = (width - w) / 2;
  const x = (lon) => (left + ((lon - west) / (east - west)) * w).toFixed(1), y = (lat) => (margin + ((north - lat) / (north - south)) * h).toFixed(1);
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  const d = polygons.flat().map((ring) => `M${ring.map(([lon, lat]) => `${x(lon)} ${y(lat)}`).join("L")}Z`).join("");
  const height = h + 2 * margin + 26, bar = step(across, 5), floor = height - 12, parts = [];
  if (field) {
    const [fw, fs, fe, fn] = field.bbox;
    parts.push(svg("clipPath", { id: "kg-clip" }, svg("path", { d, "clip-rule": "evenodd" })),
      svg("image", { href: picture(field), x: x(fw), y: y(fn), width: x(fe) - x(fw), height: y(fs) - y(fn), preserveAspectRatio: "none", "clip-path": "url(#kg-clip)" }));
  }
  parts.push(svg("path", { d, class: field ? "outline" : "outline plain", "fill-rule": "evenodd" }),
    svg("path", { d: `M${margin} ${floor - 5}V${floor}H${(margin + bar * scale).toFixed(1)}V${floor - 5}`, class: "scale" }),
    svg("text", { x: (margin + bar * scale + 6).toFixed(1), y: floor, class: "axis" }, metres(bar)),
    svg("text", { x: width - margin, y: floor, "text-anchor": "end", class: "axis" }, t("north is up")));
  return drawing(width, Math.round(height), title, ...parts);
}
