// The list of what changed between two versions of a KG.
import { attributes, byKind, events, kindOf, numberOf, others } from "./changes.js";
import { element, fold, number } from "./dom.js";
import { area } from "./filter.js";
import { changes as kinds } from "./palette.js";
import { t } from "./words.js";

const most = 100; // entries of a list

const titles = { split: "Split", merge: "Merged", renumbered: "New number" };

/** describe is what became of a parcel, in one line. */
export function describe(row) {
  const parts = [t(kinds.find((k) => k.id === kindOf(row)).name)];
  if (row.geometry_changed) parts.push(t("{before} to {after}", { before: area(row.area_before_sqm), after: area(row.area_after_sqm) }));
  const before = others(row, row.from), after = others(row, row.to);
  if (before.length) parts.push(t("from {list}", { list: before.join(", ") }));
  if (after.length) parts.push(t("to {list}", { list: after.join(", ") }));
  return `${numberOf(row.parcel_id)}: ${[...parts, ...attributes(row)].join("; ")}`;
}

function legend(summary, counted) {
  const ul = element("ul", undefined, { className: "kinds" });
  for (const k of kinds) {
    const li = element("li"), swatch = element("i");
    swatch.style.background = `light-dark(${k.light}, ${k.dark})`;
    li.append(swatch, `${t(k.name)}: ${number(counted.get(k.id).length)}`);
    ul.append(li);
  }
  ul.append(element("li", t("Unchanged: {n}; changed ground: {area}", { n: number(summary.unchanged), area: area(summary.symmetric_difference_sqm) })));
  return ul;
}

/** renderChanges fills box; open(row, ids) shows an entry on the map and chooses it, point(ids) marks its parcels while
 * the pointer or the focus is on it, leave() marks again what was chosen. */
export function renderChanges(box, { summary, rows }, { open, point, leave }) {
  const entry = (text, row, ids) => {
    const li = element("li"), button = element("button", text, { type: "button" });
    button.dataset.parcel = row.parcel_id;
    button.addEventListener("click", () => open(row, ids));
    for (const event of ["focus", "pointerenter"]) button.addEventListener(event, () => point(ids));
    for (const event of ["blur", "pointerleave"]) button.addEventListener(event, leave);
    li.append(button);
    return li;
  };
  const part = (title, entries, className, data) => {
    const ul = element("ul", undefined, { className });
    ul.append(...entries.slice(0, most).map((e) => entry(...e)));
    if (entries.length > most) ul.append(element("li", t("and {n} more", { n: number(entries.length - most) })));
    const details = fold(t(title), number(entries.length), ul);
    Object.assign(details.dataset, data);
    return details;
  };
  const counted = byKind(rows), happened = events(rows);
  const told = Object.entries(titles).map(([kind, title]) => {
    const entries = happened.filter((e) => e.kind === kind).map((e) => [`${e.from.map(numberOf).join(", ")} → ${e.to.map(numberOf).join(", ")}`, e.row, [...e.from, ...e.to]]);
    return entries.length && part(title, entries, "happened", { event: kind });
  });
  const changed = kinds.map((k) => {
    const entries = counted.get(k.id).map((row) => [numberOf(row.parcel_id), row, [row.parcel_id]]);
    return entries.length && part(k.name, entries, "found", { change: k.id });
  });
  box.replaceChildren(legend(summary, counted), ...[...told, ...changed].filter(Boolean));
}
