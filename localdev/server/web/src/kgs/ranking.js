// The ranking: KGs as a table that sorts by each column, and as a file.
import { element, number } from "../dom.js";
import { csv } from "../land/analyses.js";
import { t } from "../words.js";
import { figure, titled } from "./figures.js";

const more = 50;

/** ranked orders rows by a column: numbers by size, texts by letters; what is not known stands last both ways, those alike by code. */
export function ranked(rows, name, down) {
  const way = down ? -1 : 1, missing = (v) => v === null || v === undefined || v === "";
  return [...rows].sort((a, b) => {
    const [x, y] = [a[name], b[name]];
    if (missing(x) || missing(y)) return missing(x) - missing(y) || a.kg_code.localeCompare(b.kg_code);
    return (typeof x === "string" ? way * x.localeCompare(y) : way * (x - y)) || a.kg_code.localeCompare(b.kg_code);
  });
}

/** fileOf is what a reader sees as CSV: rows in their order with some columns, and the centroid. */
export const fileOf = (rows, columns) => csv(rows.map((r) => ({ properties: Object.fromEntries(["kg_code", "processed", ...columns.map((c) => c.name)].map((n) => [n, r[n]])), centroid: r.centroid })), (r) => r.centroid ?? []);

/** ranking fills box. sorted(name, down) is told what a heading asks for, open(code) of a KG. */
export function ranking({ box, sorted, open }) {
  let shown = more;

  function heading(c, { by, down }, draw) {
    const th = element("th", undefined, { scope: "col", className: c.type === "string" ? "words" : "" }), button = element("button", c.kg ? t("KG") : titled(c), { type: "button" });
    if (c.doc) button.title = c.doc;
    if (c.name === by) th.setAttribute("aria-sort", down ? "descending" : "ascending");
    button.addEventListener("click", () => { sorted(c.name, c.name === by ? !down : c.type !== "string"); draw(); });
    th.append(button);
    return th;
  }

  function line(r, i, columns) {
    const tr = element("tr");
    tr.append(element("td", number(i + 1), { className: "rank" }));
    for (const c of columns) {
      const td = element("td", undefined, { className: c.type === "string" ? "words" : "" });
      if (c.kg) {
        const go = element("button", r.kg_name || r.kg_code, { type: "button", onclick: () => open(r.kg_code) });
        td.append(go, " ", element("a", r.kg_code, { href: `/kg/${r.kg_code}`, title: t("Profile of the KG") }));
      } else if (r[c.name] === null || r[c.name] === undefined) td.append(element("span", r.processed ? "–" : t("not analysed"), { className: "none" }));
      else td.textContent = figure(c, r[c.name]);
      tr.append(td);
    }
    return tr;
  }

  /** show draws rows in an order. */
  function show(rows, columns, order, { again = true } = {}) {
    if (again) shown = more;
    const list = ranked(rows, order.by, order.down), table = element("table"), head = element("thead"), body = element("tbody"), tr = element("tr");
    tr.append(element("th", "#", { scope: "col", className: "rank" }), ...columns.map((c) => heading(c, order, () => {})));
    head.append(tr);
    body.append(...list.slice(0, shown).map((r, i) => line(r, i, columns)));
    table.append(element("caption", t("Ranking"), { className: "unseen" }), head, body);
    const scroll = element("div", undefined, { className: "rows", tabIndex: 0 }), actions = element("p", undefined, { className: "actions" });
    scroll.setAttribute("role", "group");
    scroll.setAttribute("aria-label", t("Ranking"));
    scroll.append(table);
    if (list.length > shown) actions.append(element("button", t("Show {n} more", { n: Math.min(more, list.length - shown) }), { type: "button", className: "quiet", onclick: () => { shown += more; show(rows, columns, order, { again: false }); } }), " ");
    if (list.length) actions.append(element("button", "CSV", { type: "button", className: "quiet", name: "csv", onclick: () => save(fileOf(list, columns), order.by) }));
    box.replaceChildren(list.length ? scroll : element("p", t("No KG passes the filter.")), actions);
  }
  return { show };
}

function save(text, name) {
  const to = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
  element("a", undefined, { href: to, download: `kgs-${name}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(to), 10_000);
}
