// The filter panel: parcels in view by land use, area, buildings and status, with their sums as a small chart,
// marked on the map, to take away.
import { fold } from "./dom.js";
import { asked as askedOrder, fields, foundTable, ordered, orderIn, orderText, sheetOf, usual } from "./foundtable.js";
import { classes } from "./palette.js";
import { useName, uses } from "./uses.js";
import { locale, t } from "./words.js";

const most = 1000; // parcels that are marked and listed at once
const bars = 8; // land uses that the chart shows one by one
const mostInFile = 100_000; // rows of a workbook

const number = (v, digits = 0) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(v);
/** area is a number of square metres as people read it. */
export const area = (sqm) => (sqm >= 100_000 ? `${number(sqm / 10_000, 1)} ha` : `${number(sqm)} m²`);

/** unreadable says whether a text of an address names no filter. */
export const unreadable = (text = "") => text !== "" && text !== "all" && !Object.keys(findIn(text)).length;

/** asked are the parameters of /query for what the form says, in the box [west, south, east, north]. */
export function asked(values, [west, south, east, north]) {
  const query = new URLSearchParams({ min_lon: west.toFixed(6), min_lat: south.toFixed(6), max_lon: east.toFixed(6), max_lat: north.toFixed(6) });
  for (const name of names) if (values[name]) query.set(name, values[name]);
  return query;
}

/** findText writes what the form says and how the table is sorted for an address, findIn reads it. */
const names = ["landuse", "min_area", "max_area", "has_buildings", "status"];
export const findText = (values, order) => [...names.filter((name) => values[name]).map((name) => `${name}:${values[name]}`),
  ...(order && orderText(order) !== usual ? [`sort:${orderText(order)}`] : [])].join(",") || "all";
export const findIn = (text = "") => Object.fromEntries(text.split(",").map((part) => part.split(/:(.*)/s).slice(0, 2))
  .filter(([name, value]) => (name === "sort" ? orderIn(value) : names.includes(name) && value)));

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

// save gives a file to the reader.
function save(name, blob) {
  const url = URL.createObjectURL(blob), a = element("a", "", { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** filterPanel wires the panel. query(parameters) asks the service, open(id) shows a parcel, mark(ids) marks
 * parcels, point(id) the one that is pointed at, told(text) is what the address should say of the filter. */
export function filterPanel({ map, toggle, panel, mode, query, link, open, mark, point, told: tell }) {
  const form = panel.querySelector("form"), told = panel.querySelector("[role=status]"), result = panel.querySelector(".result");
  const select = form.elements.landuse;
  for (const c of classes) {
    const group = Object.assign(document.createElement("optgroup"), { label: t(c.name) });
    for (const u of uses.filter((u) => u.class === c.id)) group.append(element("option", useName(u.code), { value: u.code }));
    if (group.children.length) select.append(group);
  }

  // What was found: the rows as the service answered them, what they were asked by, how they stand in the table.
  let turn = 0, found = null, order = orderIn(usual);
  const values = () => Object.fromEntries(new FormData(form));
  const empty = () => {
    found = null;
    result.replaceChildren();
    panel.classList.remove("wide");
    mark([]);
    point("");
  };
  const clear = () => {
    turn++;
    order = orderIn(usual);
    told.textContent = "";
    empty();
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

  // howMany says what was found, and of more than are listed which these are.
  const howMany = ({ rows, total, asked }) => {
    const n = number(total), shown = number(rows.length);
    if (total === 0) return t("No parcel in view passes.");
    if (total <= rows.length) return t("{n} parcels", { n });
    const which = { area_desc: t("{n} parcels, the largest {shown} are marked", { n, shown }), area_asc: t("{n} parcels, the smallest {shown} are marked", { n, shown }), gnr: t("{n} parcels, the first {shown} by their numbers are marked", { n, shown }) }[asked];
    return askedOrder(order) === asked ? which : `${which}. ${t("They are sorted among themselves.")}`;
  };

  const files = (parameters) => {
    const take = element("p", `${t("Take them away as")} `, { className: "files" }), book = element("button", "XLSX", { type: "button", className: "quiet", name: "xlsx" });
    for (const [form, name] of [["geojson", "GeoJSON"], ["gpkg", "GeoPackage"], ["shapefile", "Shapefile"], ["csv", "CSV"]]) take.append(element("a", name, { href: link(parameters, form) }), " ");
    book.addEventListener("click", async () => {
      book.disabled = true;
      try {
        const [{ write }, answer] = await Promise.all([import("./tables/xlsx.js"), query(new URLSearchParams([...parameters, ["fields", fields], ["limit", String(mostInFile)], ["with_stats", "false"]]))]);
        save("parcels.xlsx", await write(sheetOf(ordered(answer.data, order)), t("Parcels")));
      } catch (e) {
        told.textContent = e.message;
      }
      book.disabled = false;
    });
    take.append(book);
    return take;
  };

  // list draws the rows in their order; the parcels are marked already.
  const list = () => {
    told.textContent = howMany(found);
    const old = result.querySelector(".found"), table = foundTable({ rows: ordered(found.rows, order), order, sort, open, point });
    const focused = old?.contains(document.activeElement) ? document.activeElement.dataset.column : "";
    if (old) old.replaceWith(table); else result.append(table);
    if (focused) table.querySelector(`[data-column=${focused}]`).focus({ preventScroll: true });
  };

  const draw = ({ data, meta, stats }, parameters, asked, again) => {
    found = { rows: data, total: meta.total, asked, parameters };
    mark(data.map((p) => p.parcel_id));
    if (meta.total === 0) { told.textContent = howMany(found); return; }
    if (again) {
      result.querySelector(".files")?.replaceWith(files(parameters));
      list();
      return;
    }
    const parts = [];
    if (stats?.total_area_sqm != null) {
      parts.push(element("p", t("{area} in all, {mean} on average, {n} building addresses", { area: area(stats.total_area_sqm), mean: area(stats.avg_area_sqm), n: number(stats.total_buildings) })));
      const [most] = shares(stats.landuse_breakdown ?? []);
      if (most) parts.push(fold(t("Land use"), `${most.name} ${number(most.share * 100)} %`, chart(stats.landuse_breakdown)));
    }
    panel.classList.add("wide");
    result.replaceChildren(...parts, files(parameters));
    list();
  };

  // find asks for what the form says; again for what was found, in another order of the service.
  const find = async (parameters = asked(values(), map.getBounds().toArray().flat()), again = false) => {
    const mine = ++turn, sorted = askedOrder(order) || usual;
    told.textContent = t("Searching …");
    if (!again) empty();
    parameters.set("sort", sorted);
    try {
      const answer = await query(new URLSearchParams([...parameters, ["fields", fields], ["limit", String(most)], ["with_stats", "true"]]));
      if (mine === turn) draw(answer, parameters, sorted, again);
    } catch (e) {
      if (mine === turn) { told.textContent = e.message; empty(); }
    }
  };

  // sort asks the service where it knows the order and has more than it listed; else the rows that there are change their places, of
  // more than are listed those of the usual order.
  const sort = (next) => {
    order = next;
    tell(findText(values(), order));
    if (found.total > found.rows.length && (askedOrder(order) || usual) !== found.asked) find(found.parameters, true);
    else list();
  };

  const set = (on) => {
    panel.hidden = !on;
    toggle.setAttribute("aria-expanded", String(on));
    if (!on) { clear(); tell(""); }
  };
  toggle.addEventListener("click", () => { set(panel.hidden); if (!panel.hidden) select.focus(); });
  form.addEventListener("submit", (e) => { e.preventDefault(); tell(findText(values(), order)); find(); });
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
      if (unreadable(text)) text = ""; // the page says so
      if (!text) { if (!panel.hidden) set(false); return; }
      set(true);
      const said = findIn(text);
      order = orderIn(said.sort ?? usual);
      for (const name of names) form.elements[name].value = said[name] ?? "";
      find();
    },
  };
}
