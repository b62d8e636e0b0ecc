// Charts of the profile as SVG: bars that lie, one a line, and bars that stand, one a step. They hold their own text, so that they
// are printed as they are seen; each has a description that says what it shows.
import { number } from "../dom.js";

const ns = "http://www.w3.org/2000/svg";

/** svg is an element of a drawing. */
export function svg(name, attributes = {}, ...children) {
  const e = document.createElementNS(ns, name);
  for (const [k, v] of Object.entries(attributes)) if (v !== undefined) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

/** drawing is a picture of width x height with a title for who does not see it. */
export function drawing(width, height, title, ...children) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title, class: "chart" }, ...children);
}

const round = (v) => +v.toFixed(1);

const letter = 8, mostLetters = 32; // the width of a letter in the mean, and how many a label has

const cut = (text) => (text.length > mostLetters ? `${text.slice(0, mostLetters - 1).trimEnd()}…` : text);

/** bars draws a line for each of {label, value, text, colour}; values are not negative. */
export function bars(list, title) {
  const width = 520, line = 22, longest = Math.max(...list.map((b) => cut(b.label).length)), name = Math.min(Math.max(longest * letter + 12, 90), 230), said = 120, room = width - name - said, most = Math.max(...list.map((b) => b.value), Number.MIN_VALUE);
  const parts = list.flatMap((b, i) => {
    const y = i * line;
    return [
      svg("text", { x: name - 8, y: y + 15, "text-anchor": "end", class: "label" }, cut(b.label)),
      svg("rect", { x: name, y: y + 3, width: round(Math.max((b.value / most) * room, 1)), height: line - 7, fill: b.colour, class: "bar" }),
      svg("text", { x: round(name + (b.value / most) * room + 6), y: y + 15, class: "figure" }, b.text),
    ];
  });
  return drawing(width, list.length * line, `${title}: ${list.map((b) => `${b.label} ${b.text}`).join("; ")}`, ...parts);
}

/** step is a handy step that divides a length into about n parts: 1, 2 or 5 times a power of ten. */
export function step(length, n) {
  const raw = length / n, ten = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((f) => f * ten).find((s) => s >= raw * 0.999);
}

/** columns draws a bar for each of {label, value}; unit stands at the axis, every so many labels are written. */
export function columns(list, { title, unit, axis, colour }) {
  const width = 520, height = 190, left = 52, bottom = 36, top = 28, floor = height - bottom, room = width - left - 8;
  const most = Math.max(...list.map((b) => b.value), Number.MIN_VALUE), grid = step(most, 4), ceiling = Math.max(Math.ceil(most / grid - 1e-9), 1) * grid;
  const y = (v) => round(floor - (v / ceiling) * (floor - top)), each = Math.min(room / list.length, 60), every = Math.ceil(list.length / Math.min(12, Math.floor(room / 42)));
  const digits = Math.max(0, Math.min(3, -Math.floor(Math.log10(grid))));
  const parts = [svg("text", { x: 0, y: 11, class: "axis" }, unit), svg("text", { x: width - 8, y: height - 3, "text-anchor": "end", class: "axis" }, axis)];
  for (let v = 0; v <= ceiling + grid / 2; v += grid) parts.push(svg("line", { x1: left, x2: width - 8, y1: y(v), y2: y(v), class: "grid" }), svg("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end", class: "axis" }, number(v, digits)));
  list.forEach((b, i) => {
    const x = left + i * each, gap = Math.min(each * 0.15, 3);
    parts.push(svg("rect", { x: round(x + gap), y: y(b.value), width: round(Math.max(each - 2 * gap, 0.5)), height: round(floor - y(b.value)), fill: colour, class: "bar" }));
    if (i % every === 0) parts.push(svg("text", { x: round(x + each / 2), y: floor + 15, "text-anchor": "middle", class: "axis" }, b.label));
  });
  return drawing(width, height, title, ...parts);
}
