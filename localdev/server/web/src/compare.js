// The compare view: a KG and two of its versions are chosen, drawn under a slider, and what changed is listed.
import { describe, renderChanges } from "./changelist.js";
import { numberOf, side } from "./changes.js";
import { day, element, number } from "./dom.js";
import { t } from "./words.js";

const choice = 60; // KGs to choose from: those next to the middle

const options = (select, values, chosen) => select.replaceChildren(...values.map(([value, text]) => element("option", text, { value, selected: value === chosen })));

// summed is what a comparison comes to, in one line.
function summed(diff, sides) {
  if (diff.meta.total === 0) return t("Nothing changed between the two.");
  const partly = diff.meta.total > diff.features.length || sides.some((s) => s.meta.total > s.features.length);
  const all = t("{n} parcels changed from {from} to {to}", { n: number(diff.meta.total), from: day(diff.from.date), to: day(diff.to.date) });
  return partly ? `${all}. ${t("The KG is too large to be drawn whole.")}` : all;
}

/** compareView wires the panel. maps is the swipe view that it draws in; ask has the requests versionsOf,
 * changesOf and parcelsOf; country has kgsIn(box), current() and boxOf(code); bounds(geometry) is a box, fit(box) goes
 * there; begin(on) is told when versions are compared, place(at) what to put into the address. */
export function compareView({ map, toggle, panel, maps, ask, country, bounds, fit, begin, place }) {
  const form = panel.querySelector("form"), told = panel.querySelector("[role=status]"), result = panel.querySelector(".result");
  const { kg, from, to } = form.elements;
  let running = new AbortController(), rows = null; // of what is drawn
  let chosen = []; // the parcels of the entry or the place that was clicked: marked until something else is chosen

  const say = (text) => { told.textContent = text; };
  const choose = (ids) => {
    chosen = ids;
    maps.point(ids);
  };
  const clear = () => {
    rows = null;
    chosen = [];
    maps.clear();
    result.replaceChildren();
  };

  async function attempt(work) {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      await work(signal);
    } catch (e) {
      if (signal.aborted) return;
      clear();
      say(e.message);
    }
  }

  async function compare(signal) {
    rows = null;
    choose([]);
    say(t("Comparing …"));
    result.replaceChildren();
    maps.hide();
    const [diff, a, b] = await Promise.all([ask.changesOf(kg.value, from.value, to.value, signal), ask.parcelsOf(kg.value, from.value, signal), ask.parcelsOf(kg.value, to.value, signal)]);
    if (signal.aborted) return;
    const changed = diff.features.map((f) => ({ ...f.properties, geometry: f.geometry }));
    renderChanges(result, { summary: diff.summary, rows: changed }, { point: maps.point, leave: () => maps.point(chosen), open: (row, ids) => { choose(ids); fit(bounds(row.geometry)); say(describe(row)); } });
    if (!(await maps.draw("compared", [{ name: day(diff.from.date), data: side(a, changed) }, { name: day(diff.to.date), data: side(b, changed) }], signal))) return;
    rows = changed;
    say(summed(diff, [a, b]));
    place({ compare: kg.value, from: from.value, to: to.value });
  }

  // ofKG asks for the versions of the KG and compares the two that are wanted, else the last two.
  async function ofKG(signal, wanted = {}) {
    say(t("Asking …"));
    const dates = await ask.versionsOf(kg.value, signal);
    if (signal.aborted) return;
    const all = dates.map((d) => [d, day(d)]);
    options(to, all, wanted.to ?? dates[0]);
    options(from, all, wanted.from ?? dates[1] ?? dates[0]);
    if (dates.length > 1) { await compare(signal); return; }
    clear();
    say(t("KG {kg} has one version only.", { kg: kg.value }));
  }

  function open(wanted) {
    const seen = country.kgsIn(map.getBounds().toArray().flat()).slice(0, choice), code = wanted?.kg || country.current() || seen[0]?.kg_code || "";
    if (!seen.some((k) => k.kg_code === code)) seen.unshift({ kg_code: code, kg_name: "" });
    begin(true);
    options(kg, seen.filter((k) => k.kg_code).map((k) => [k.kg_code, `${k.kg_code} ${k.kg_name}`.trim()]).sort(), code);
    panel.hidden = false;
    toggle.setAttribute("aria-expanded", "true");
    kg.focus();
    attempt((signal) => ofKG(signal, wanted));
  }

  function close() {
    if (panel.hidden) return;
    panel.hidden = true;
    toggle.setAttribute("aria-expanded", "false");
    running.abort();
    clear();
    begin(false);
    place(null);
  }

  toggle.addEventListener("click", () => (panel.hidden ? open() : close()));
  kg.addEventListener("change", () => {
    const box = country.boxOf(kg.value);
    if (box) fit(box);
    attempt(ofKG);
  });
  for (const select of [from, to]) select.addEventListener("change", () => attempt(compare));
  form.addEventListener("submit", (e) => e.preventDefault());
  panel.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    close();
    toggle.focus();
  });

  /** at tells what became of the parcel at a point of the screen; false where no versions are compared. */
  function at({ x, y }) {
    if (!rows) return false;
    const id = maps.mapAt(x).queryRenderedFeatures([x, y], { layers: ["compared"] })[0]?.properties.parcel_id;
    choose(id ? [id] : []);
    const row = rows.find((r) => r.parcel_id === id);
    say(!id ? t("no parcel here") : row ? describe(row) : t("{gnr}: unchanged", { gnr: numberOf(id) }));
    return true;
  }

  return { open, close, at };
}
