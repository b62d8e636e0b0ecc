// The compare view: two versions of a KG under a slider, the earlier on the left, and what changed as a list. The
// earlier one is a map of its own above the page's, cut off at the slider; it follows the page's map.
import { attributes, byKind, events, kindOf, numberOf, others, side } from "./changes.js";
import { element, fold, number } from "./dom.js";
import { area } from "./filter.js";
import { changes as kinds } from "./palette.js";
import { locale, t } from "./words.js";

const listed = 100; // entries of a list
const choice = 60; // KGs to choose from: those next to the middle
const thumb = 28; // px, the width of the slider's thumb (map.css)
const credits = 24; // px at the lower edge that stay the page's map's: the credits stand there
const none = { type: "FeatureCollection", features: [] };
const covered = ["landuse", "footprints", "houses", "numbers"]; // of the present only: not drawn beside an earlier version

const titles = { split: "Split", merge: "Merged", renumbered: "New number" };

/** day is a date as the reader writes it. */
export const day = (date) => new Date(`${date}T00:00:00Z`).toLocaleDateString(locale, { timeZone: "UTC", dateStyle: "medium" });

/** compareView wires the panel and the slider. second(container) makes the map of the earlier version; ask has the
 * requests versionsOf, changesOf and parcelsOf; kgsIn(box) gives the KGs in view, bounds(geometry)
 * a box, boxOf(code) that of a KG; begin(on) is told when versions are compared, place(at) what to put into the address. */
export function compareView({ map, toggle, panel, swipe, second, ask, kgsIn, current, bounds, fit, boxOf, place, begin }) {
  const form = panel.querySelector("form"), told = panel.querySelector("[role=status]"), result = panel.querySelector(".result");
  const slider = swipe.querySelector("input"), divider = swipe.querySelector(".divider"), earlier = swipe.querySelector(".earlier");
  const { kg, from, to } = form.elements;
  let other = null, running = new AbortController(), drawn = null;

  const cut = () => {
    const x = thumb / 2 + (slider.value / 100) * (swipe.clientWidth - thumb);
    divider.style.left = `${x}px`;
    earlier.style.clipPath = `inset(0 ${Math.max(swipe.clientWidth - x, 0)}px ${credits}px 0)`;
    if (drawn) slider.setAttribute("aria-valuetext", t("{share} % {from}, the rest {to}", { share: slider.value, from: day(drawn.from), to: day(drawn.to) }));
  };
  slider.addEventListener("input", cut);
  addEventListener("resize", cut);
  divider.addEventListener("pointerdown", (e) => { e.preventDefault(); divider.setPointerCapture(e.pointerId); });
  divider.addEventListener("pointermove", (e) => {
    if (!divider.hasPointerCapture(e.pointerId)) return;
    slider.value = (100 * (e.clientX - thumb / 2)) / (swipe.clientWidth - thumb);
    cut();
  });

  const follow = () => other?.jumpTo({ center: map.getCenter(), zoom: map.getZoom() });
  const both = (work) => [map, other].filter(Boolean).forEach(work);
  const point = (ids) => both((m) => m.getLayer("compared-pointed") && m.setFilter("compared-pointed", ["in", ["get", "parcel_id"], ["literal", ids]]));
  const show = (visible) => both((m) => { for (const id of covered) if (m.getLayer(id)) m.setLayoutProperty(id, "visibility", visible ? "visible" : "none"); });

  const goTo = (row, ids) => {
    point(ids);
    fit(bounds(row.geometry));
    told.textContent = describe(row);
  };

  const button = (text, row, ids) => {
    const li = element("li"), b = element("button", text, { type: "button" });
    b.dataset.parcel = row.parcel_id;
    b.addEventListener("click", () => goTo(row, ids));
    b.addEventListener("focus", () => point(ids));
    b.addEventListener("pointerenter", () => point(ids));
    li.append(b);
    return li;
  };
  const list = (items, draw, wide) => {
    const ul = element("ul", undefined, { className: wide ? "happened" : "found" });
    ul.append(...items.slice(0, listed).map(draw));
    if (items.length > listed) ul.append(element("li", t("and {n} more", { n: number(items.length - listed) })));
    return ul;
  };

  function legend(summary, rows) {
    const count = new Map([...byKind(rows)].map(([id, list]) => [id, list.length]));
    const ul = element("ul", undefined, { className: "kinds" });
    for (const k of kinds) {
      const li = element("li"), swatch = element("i");
      swatch.style.background = `light-dark(${k.light}, ${k.dark})`;
      li.append(swatch, `${t(k.name)}: ${number(count.get(k.id))}`);
      ul.append(li);
    }
    ul.append(element("li", t("Unchanged: {n}; changed ground: {area}", { n: number(summary.unchanged), area: area(summary.symmetric_difference_sqm) })));
    return ul;
  }

  function draw(diff) {
    const rows = diff.features.map((f) => ({ ...f.properties, geometry: f.geometry }));
    const happened = events(rows);
    const parts = [legend(diff.summary, rows)];
    for (const [kind, title] of Object.entries(titles)) {
      const found = happened.filter((e) => e.kind === kind);
      if (!found.length) continue;
      const details = fold(t(title), number(found.length), list(found, (e) => button(`${e.from.map(numberOf).join(", ")} → ${e.to.map(numberOf).join(", ")}`, e.row, [...e.from, ...e.to]), true));
      details.dataset.event = kind;
      parts.push(details);
    }
    for (const k of kinds) {
      const found = byKind(rows).get(k.id);
      if (!found.length) continue;
      const details = fold(t(k.name), number(found.length), list(found, (r) => button(numberOf(r.parcel_id), r, [r.parcel_id])));
      details.dataset.change = k.id;
      parts.push(details);
    }
    result.replaceChildren(...parts);
    return rows;
  }

  function tell(diff, sides) {
    const partly = diff.meta.total > diff.features.length || sides.some((s) => s.meta.total > s.features.length);
    told.textContent = diff.meta.total === 0 ? t("Nothing changed between the two.")
      : t("{n} parcels changed from {from} to {to}", { n: number(diff.meta.total), from: day(diff.from.date), to: day(diff.to.date) }) + (partly ? `. ${t("The KG is too large to be drawn whole.")}` : "");
  }

  async function compare(signal) {
    drawn = null;
    told.textContent = t("Comparing …");
    result.replaceChildren();
    swipe.hidden = true;
    const [diff, ...sides] = await Promise.all([ask.changesOf(kg.value, from.value, to.value, signal), ask.parcelsOf(kg.value, from.value, signal), ask.parcelsOf(kg.value, to.value, signal)]);
    if (signal.aborted) return;
    const rows = draw(diff);
    swipe.hidden = false;
    if (!other) {
      other = second(earlier);
      map.on("move", follow);
      await new Promise((done) => other.once("load", done));
      if (signal.aborted || !other) return;
    }
    follow();
    show(false);
    other.getSource("compared").setData(side(sides[0], rows));
    map.getSource("compared").setData(side(sides[1], rows));
    drawn = { kg: kg.value, from: diff.from.date, to: diff.to.date, rows };
    divider.querySelector(".before").textContent = day(drawn.from);
    divider.querySelector(".after").textContent = day(drawn.to);
    cut();
    tell(diff, sides);
    place({ compare: kg.value, from: from.value, to: to.value });
  }

  // undraw takes the two versions off the map.
  function undraw() {
    drawn = null;
    swipe.hidden = true;
    map.off("move", follow);
    other?.remove();
    other = null;
    earlier.replaceChildren();
    map.getSource("compared").setData(none);
    point([]);
    show(true);
  }

  async function attempt(work) {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      await work(signal);
    } catch (e) {
      if (signal.aborted) return;
      undraw();
      result.replaceChildren();
      told.textContent = e.message;
    }
  }

  const options = (select, values, chosen) => select.replaceChildren(...values.map(([value, text]) => element("option", text, { value, selected: value === chosen })));

  async function open(signal, wanted = {}) {
    told.textContent = t("Asking …");
    const dates = await ask.versionsOf(kg.value, signal);
    if (signal.aborted) return;
    const all = dates.map((d) => [d, day(d)]);
    options(to, all, wanted.to ?? dates[0]);
    options(from, all, wanted.from ?? dates[1] ?? dates[0]);
    if (dates.length > 1) { await compare(signal); return; }
    undraw();
    result.replaceChildren();
    told.textContent = t("KG {kg} has one version only.", { kg: kg.value });
  }

  const set = (on, wanted) => {
    panel.hidden = !on;
    toggle.setAttribute("aria-expanded", String(on));
    if (!on) {
      running.abort();
      undraw();
      begin(false);
      place(null);
      return;
    }
    const seen = kgsIn(map.getBounds().toArray().flat()).slice(0, choice), code = wanted?.kg || current() || seen[0]?.kg_code || "";
    if (!seen.some((k) => k.kg_code === code)) seen.unshift({ kg_code: code, kg_name: "" });
    begin(true);
    options(kg, seen.filter((k) => k.kg_code).map((k) => [k.kg_code, `${k.kg_code} ${k.kg_name}`.trim()]).sort(), code);
    kg.focus();
    attempt((signal) => open(signal, wanted));
  };

  toggle.addEventListener("click", () => set(panel.hidden));
  kg.addEventListener("change", () => {
    const box = boxOf(kg.value);
    if (box) fit(box);
    attempt((signal) => open(signal));
  });
  for (const select of [from, to]) select.addEventListener("change", () => attempt(compare));
  form.addEventListener("submit", (e) => e.preventDefault());
  panel.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    set(false);
    toggle.focus();
  });

  return {
    open: (wanted) => set(true, wanted),
    close: () => { if (!panel.hidden) set(false); },
    maps: () => [map, other].filter(Boolean),
    /** at tells what became of the parcel at a point of the screen; false where no versions are compared. */
    at({ x, y }) {
      if (!drawn) return false;
      const m = x < divider.getBoundingClientRect().left ? other : map;
      const id = m.queryRenderedFeatures([x, y], { layers: ["compared"] })[0]?.properties.parcel_id;
      point(id ? [id] : []);
      const row = drawn.rows.find((r) => r.parcel_id === id);
      told.textContent = !id ? t("no parcel here") : row ? describe(row) : t("{gnr}: unchanged", { gnr: numberOf(id) });
      return true;
    },
  };
}

/** describe is what became of a parcel, in one line. */
export function describe(row) {
  const kind = kinds.find((k) => k.id === kindOf(row));
  const parts = [t(kind.name)];
  if (row.geometry_changed) parts.push(t("{before} to {after}", { before: area(row.area_before_sqm), after: area(row.area_after_sqm) }));
  const before = others(row, row.from), after = others(row, row.to);
  if (before.length) parts.push(t("from {list}", { list: before.join(", ") }));
  if (after.length) parts.push(t("to {list}", { list: after.join(", ") }));
  return `${numberOf(row.parcel_id)}: ${[...parts, ...attributes(row)].join("; ")}`;
}
