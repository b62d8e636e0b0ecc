// The filter panel: parcels in view by land use, area, buildings and status, with their sums as a small chart,
// marked on the map, to take away.
import { classes } from "./palette.js";
import { useName, uses } from "./uses.js";
import { locale, t } from "./words.js";

const most = 1000; // parcels that are marked and listed at once
const bars = 8; // land uses that the chart shows one by one

const number = (v, digits = 0) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(v);
/** area is a number of square metres as people read it. */
export const area = (sqm) => (sqm >= 100_000 ? `${number(sqm / 10_000, 1)} ha` : `${number(sqm)} m²`);

/** asked are the parameters of /query for what the form says, in the box [west, south, east, north]. */
export function asked(values, [west, south, east, north]) {
  const query = new URLSearchParams({ min_lon: west.toFixed(6), min_lat: south.toFixed(6), max_lon: east.toFixed(6), max_lat: north.toFixed(6) });
  for (const name of names) if (values[name]) query.set(name, values[name]);
  return query;
}

/** findText writes what the form says for an address, findIn reads it. */
const names = ["landuse", "min_area", "max_area", "has_buildings", "status"];
export const findText = (values) => names.filter((name) => values[name]).map((name) => `${name}:${values[name]}`).join(",") || "all";
export const findIn = (text = "") => Object.fromEntries(text.split(",").map((part) => part.split(/:(.*)/s).slice(0, 2)).filter(([name, value]) => names.includes(name) && value));

/** shares are the land uses of an answer by area, the largest first, small ones as one. */
export function shares(breakdown) {
  const known = breakdown.filter((u) => u.area_sqm > 0).sort((a, b) => b.area_sqm - a.area_sqm);
  const sum = known.reduce((s, u) => s + u.area_sqm, 0);
  const list = known.slice(0, bars).map((u) => ({ name: useName(String(u.code)), area: u.area_sqm, share: u.area_sqm / sum, class: uses.find((x) => x.code === String(u.code))?.class ?? "sonst" }));
  const rest = known.slice(bars).reduce((s, u) => s + u.area_sqm, 0);
  if (rest > 0) list.push({ name: t("others"), area: rest, share: rest / sum, class: "sonst" });
  return list;
}

const element = (tag, text, attributes = {}) => Object.assign(document.createElement(tag), { textContent: text ?? "" }, attributes);

/** filterPanel wires the panel. query(parameters) asks the service, open(id) shows a parcel, mark(ids) marks
 * parcels, told(text) is what the address should say of the filter. */
export function filterPanel({ map, toggle, panel, mode, query, link, open, mark, told: tell }) {
  const form = panel.querySelector("form"), told = panel.querySelector("[role=status]"), result = panel.querySelector(".result");
  const select = form.elements.landuse;
  for (const c of classes) {
    const group = Object.assign(document.createElement("optgroup"), { label: t(c.name) });
    for (const u of uses.filter((u) => u.class === c.id)) group.append(element("option", useName(u.code), { value: u.code }));
    if (group.children.length) select.append(group);
  }

  let turn = 0;
  const clear = () => {
    turn++;
    result.replaceChildren();
    told.textContent = "";
    mark([]);
  };

  const chart = (breakdown) => {
    const list = element("ul", "", { className: "bars" });
    for (const s of shares(breakdown)) {
      const li = element("li"), bar = element("i");
      bar.style.width = `${Math.max(s.share * 100, 1).toFixed(1)}%`;
      bar.style.background = classes.find((c) => c.id === s.class)[mode()];
      li.append(element("span", s.name), element("span", `${area(s.area)} · ${number(s.share * 100)} %`), bar);
      list.append(li);
    }
    return list;
  };

  const draw = (answer, parameters) => {
    const { data, meta, stats } = answer;
    told.textContent = meta.total === 0 ? t("No parcel in view passes.")
      : meta.total > data.length ? t("{n} parcels, the largest {shown} are marked", { n: number(meta.total), shown: number(data.length) }) : t("{n} parcels", { n: number(meta.total) });
    mark(data.map((p) => p.parcel_id));
    const parts = [];
    if (meta.total > 0 && stats?.total_area_sqm != null) {
      const facts = element("p", t("{area} in all, {mean} on average, {n} buildings", { area: area(stats.total_area_sqm), mean: area(stats.avg_area_sqm), n: number(stats.total_buildings) }));
      parts.push(facts);
      if (stats.landuse_breakdown?.some((u) => u.area_sqm > 0)) parts.push(element("h2", t("Land use")), chart(stats.landuse_breakdown));
    }
    if (meta.total > 0) {
      const take = element("p", `${t("Take them away as")} `);
      for (const [form, name] of [["geojson", "GeoJSON"], ["gpkg", "GeoPackage"], ["csv", "CSV"]]) take.append(element("a", name, { href: link(parameters, form) }), " ");
      const list = element("ul", "", { className: "found" });
      for (const p of data.slice(0, 100)) {
        const li = element("li"), button = element("button", p.parcel_id, { type: "button", title: area(p.area_sqm) });
        button.dataset.parcel = p.parcel_id;
        button.addEventListener("click", () => open(p.parcel_id));
        li.append(button);
        list.append(li);
      }
      parts.push(take, list);
    }
    result.replaceChildren(...parts);
  };

  const find = async () => {
    const mine = ++turn;
    const values = Object.fromEntries(new FormData(form));
    const parameters = asked(values, map.getBounds().toArray().flat());
    told.textContent = t("Searching …");
    result.replaceChildren();
    try {
      const answer = await query(new URLSearchParams([...parameters, ["fields", "parcel_id,area_sqm"], ["limit", String(most)], ["with_stats", "true"]]));
      if (mine === turn) draw(answer, parameters);
    } catch (e) {
      if (mine === turn) { told.textContent = e.message; mark([]); }
    }
  };

  const set = (on) => {
    panel.hidden = !on;
    toggle.setAttribute("aria-expanded", String(on));
    if (!on) { clear(); tell(""); }
  };
  toggle.addEventListener("click", () => { set(panel.hidden); if (!panel.hidden) select.focus(); });
  form.addEventListener("submit", (e) => { e.preventDefault(); tell(findText(Object.fromEntries(new FormData(form)))); find(); });
  form.addEventListener("reset", () => { clear(); tell(""); });
  panel.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    set(false);
    toggle.focus();
  });
  return {
    close: () => set(false),
    /** restore finds what an address says; without one the panel closes. */
    restore(text) {
      if (!text) { if (!panel.hidden) set(false); return; }
      set(true);
      const said = findIn(text);
      for (const name of names) form.elements[name].value = said[name] ?? "";
      find();
    },
  };
}
