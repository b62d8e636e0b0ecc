// The parcels of a filter as a table that sorts: what its columns are, in which order the service answers, in which rows stand.
import { element, number } from "./dom.js";
import { useName } from "./uses.js";
import { locale, t } from "./words.js";

const page = 100; // rows that are added at a time

// numberKey is a parcel's number as it is counted: main, sub, building plots after the others (functions/cadastre/query).
function numberKey({ parcel_id: id }) {
  const m = /-(\.?)(\d+)(?:\/(\d+))?$/.exec(id);
  return m ? [Number(m[2]), m[3] === undefined ? 0 : Number(m[3]) + 1, m[1] ? 1 : 0] : [Infinity, 0, 0];
}
const use = (p) => (p.dominant_landuse == null ? null : useName(String(p.dominant_landuse)));

/** columns are {id, title, full: what a short title is for, of(row): what it is sorted by, null where it is not known, text(row), said(row): what a letter stands for, words: begins with A}. */
export const columns = [
  { id: "number", title: "Parcel", of: numberKey, text: (p) => p.parcel_id, words: true },
  { id: "area", title: "Area, m²", of: (p) => p.area_sqm, text: (p) => number(p.area_sqm), cell: (p) => p.area_sqm },
  { id: "use", title: "Land use", of: use, text: (p) => use(p) ?? "–", words: true },
  { id: "buildings", title: "Buildings", of: (p) => p.footprint_count, text: (p) => number(p.footprint_count), cell: (p) => p.footprint_count },
  { id: "folio", title: "EZ", full: "Folio (EZ)", of: (p) => p.ez || null, text: (p) => (p.ez ? String(p.ez) : "–"), cell: (p) => p.ez || "" },
  { id: "status", title: "Boundary", of: (p) => p.status, text: (p) => p.status ?? "–", said: (p) => ({ G: t("held in the boundary cadastre (G)"), E: t("not in the boundary cadastre (E)") })[p.status] ?? "", words: true },
];
/** fields are those of /query that the columns need. */
export const fields = "parcel_id,area_sqm,dominant_landuse,footprint_count,ez,status";

/** usual is the order that no address says. */
export const usual = "area_desc";

/** orderIn is {column, down} of "area_desc", null of what is no order; orderText writes it. */
export function orderIn(text = "") {
  const [, id, way] = /^([a-z]+)_(asc|desc)$/.exec(text) ?? [];
  return columns.some((c) => c.id === id) ? { column: id, down: way === "desc" } : null;
}
export const orderText = ({ column, down }) => `${column}_${down ? "desc" : "asc"}`;

/** asked is the order of /query for an order of the table; "" where the service has none. */
export const asked = (order) => ({ area_desc: "area_desc", area_asc: "area_asc", number_asc: "gnr" })[orderText(order)] ?? "";

const collator = new Intl.Collator(locale, { numeric: true });
function compare(a, b) {
  if (Array.isArray(a)) return a.reduce((d, v, i) => d || v - b[i], 0);
  return typeof a === "string" ? collator.compare(a, b) : a - b;
}

/** ordered are rows in an order; those without a value come last, equal ones stand by their parcel id. */
export function ordered(rows, { column, down }) {
  const { of } = columns.find((c) => c.id === column);
  return rows.map((row) => ({ row, key: of(row) })).sort((a, b) => {
    if ((a.key == null) !== (b.key == null)) return a.key == null ? 1 : -1;
    const d = a.key == null ? 0 : compare(a.key, b.key) * (down ? -1 : 1);
    return d || (a.row.parcel_id < b.row.parcel_id ? -1 : 1);
  }).map(({ row }) => row);
}

/** sheetOf are rows as those of a workbook, the first with the titles. */
export const sheetOf = (rows) => [columns.map((c) => t(c.title)), ...rows.map((p) => columns.map((c) => (c.cell ?? c.text)(p)))];

/** foundTable is a table of rows that stand in their order; sort(order) is told of another one, open(id) shows a parcel and point(id)
 * marks one on the map, "" none. */
export function foundTable({ rows, order, sort, open, point }) {
  const table = element("table"), head = table.createTHead().insertRow(), body = table.createTBody(), box = element("div", undefined, { className: "found" });
  for (const c of columns) {
    const th = element("th", undefined, { scope: "col", className: c.words ? "words" : "" }), button = element("button", t(c.title), { type: "button" });
    button.dataset.column = c.id;
    if (c.full) button.title = t(c.full);
    if (c.id === order.column) th.ariaSort = order.down ? "descending" : "ascending";
    button.addEventListener("click", () => sort({ column: c.id, down: c.id === order.column ? !order.down : !c.words }));
    th.append(button);
    head.append(th);
  }

  const line = (p) => {
    const tr = element("tr");
    tr.dataset.parcel = p.parcel_id;
    columns.forEach((c, i) => {
      const td = element("td", i ? c.text(p) : undefined, { className: c.words ? "words" : "", title: c.said?.(p) ?? "" });
      if (!i) {
        const button = element("button", c.text(p), { type: "button" });
        button.dataset.parcel = p.parcel_id;
        td.append(button);
      }
      tr.append(td);
    });
    return tr;
  };

  const more = element("button", "", { type: "button", className: "quiet more-rows" });
  let shown = 0;
  const add = () => {
    const from = shown;
    body.append(...rows.slice(from, from + page).map(line));
    shown = Math.min(from + page, rows.length);
    more.textContent = t("Show {n} more", { n: number(Math.min(page, rows.length - shown)) });
    more.hidden = shown === rows.length;
    return body.rows[from];
  };
  more.addEventListener("click", () => { const first = add(); first?.querySelector("button").focus({ preventScroll: true }); });
  add();

  // One listener each for all rows: the row that is meant is the one around what was touched.
  const idOf = (e) => e.target.closest?.("tr")?.dataset.parcel ?? "";
  body.addEventListener("click", (e) => { if (idOf(e)) open(idOf(e)); });
  for (const kind of ["pointerover", "focusin"]) body.addEventListener(kind, (e) => point(idOf(e)));
  for (const kind of ["pointerleave", "focusout"]) body.addEventListener(kind, () => point(""));
  body.addEventListener("keydown", (e) => {
    const i = [...body.rows].indexOf(e.target.closest("tr")), to = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: body.rows.length - 1 }[e.key];
    if (to === undefined || !body.rows[to]) return;
    e.preventDefault();
    body.rows[to].querySelector("button").focus();
  });
  box.append(table, more);
  return box;
}
