// What an analysis found, beside the map: a legend that filters, a histogram, a table that sorts and flies to each, files.
import { element, number } from "../dom.js";
import { t } from "../words.js";
import { bins, csv, geojson, plain, sorted } from "./analyses.js";
import { shareFile } from "./ask.js";

const page = 100; // rows of the table that are shown at a time
const fewest = 5; // rows that make a histogram

/** said is a value of a column in words. */
export function said(column, value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string") return column.words ? t(plain(value)) : value;
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  return number(value, column.digits ?? 0);
}

// save gives a file to the reader.
function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type })), a = element("a", undefined, { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function histogram({ title, of, step }, rows) {
  if (rows.length < fewest) return null;
  const found = bins(rows.map((r) => of(r.properties)), step);
  if (!found.length) return null;
  const figure = element("figure"), most = Math.max(...found.map((b) => b.n)), bars = element("div", undefined, { className: "histogram" });
  for (const b of found) {
    const bar = element("i", undefined, { title: `${number(b.from)} … ${number(b.to)}: ${number(b.n)}` });
    bar.style.height = `${b.n ? Math.max((100 * b.n) / most, 2) : 0}%`;
    bars.append(bar);
  }
  const ends = element("p", undefined, { className: "ends" });
  ends.append(element("span", number(found[0].from)), element("span", t("at most {n}", { n: number(most) })), element("span", number(found.at(-1).to)));
  figure.append(element("figcaption", t(title)), bars, ends);
  bars.setAttribute("role", "img");
  bars.setAttribute("aria-label", found.filter((b) => b.n).map((b) => `${number(b.from)}–${number(b.to)}: ${number(b.n)}`).join(", "));
  return figure;
}

/** resultView fills box. mode is the page's, middle(row) a place in a row's shape; open(row) shows a row on the map, point(row)
 * marks one, hide(places) leaves classes out of the map, told(hidden ids) what the address should say. */
export function resultView({ box, mode, middle, open, point, hide, told }) {
  let analysis, rows = [], classes = [], name = "", hidden = new Set(), order = null, shown = page;
  const parts = {};

  const passing = () => rows.filter((r) => !hidden.has(r.class));

  function legend() {
    const list = element("ul", undefined, { className: "classes" });
    classes.forEach((c, i) => {
      const li = element("li"), label = element("label"), tick = element("input", undefined, { type: "checkbox", checked: !hidden.has(i) }), swatch = element("i");
      tick.dataset.class = c.id;
      swatch.style.background = c[mode()];
      tick.addEventListener("change", () => { if (tick.checked) hidden.delete(i); else hidden.add(i); shown = page; changed(); });
      label.append(tick, swatch, element("span", t(c.name)), element("span", number(c.n), { className: "n" }));
      li.append(label);
      list.append(li);
    });
    return list;
  }

  // changed draws what depends on the filter.
  function changed(tell = true) {
    hide(hidden);
    const left = passing(), summed = t(left.length === 1 ? analysis.one : analysis.many, { n: number(left.length) });
    parts.count.textContent = hidden.size ? t("{shown} of {n}", { shown: number(left.length), n: number(rows.length) }) : summed;
    parts.figure.replaceChildren(...[histogram(analysis.histogram, left)].filter(Boolean));
    parts.package.href = shareFile(name, hidden.size ? [...new Set(left.map((r) => analysis.type(r.properties)))] : null);
    parts.package.hidden = !name || !left.length;
    table();
    if (tell) told(classes.filter((c, i) => hidden.has(i)).map((c) => c.id));
  }

  function head() {
    const tr = element("tr");
    analysis.columns.forEach((c, i) => {
      const th = element("th", undefined, { scope: "col" }), button = element("button", c.unit ? `${t(c.title)}, ${c.unit}` : t(c.title), { type: "button" });
      if (order.column === i) th.ariaSort = order.down ? "descending" : "ascending";
      button.addEventListener("click", () => {
        order = { column: i, down: order.column === i ? !order.down : !c.words };
        shown = page;
        table();
        parts.table.querySelectorAll("th button")[i].focus();
      });
      th.append(button);
      tr.append(th);
    });
    const thead = element("thead");
    thead.append(tr);
    return thead;
  }

  function line(row) {
    const tr = element("tr");
    tr.dataset.row = row.i;
    analysis.columns.forEach((c, i) => {
      const td = element("td", undefined, { className: c.words ? "words" : "amount" });
      if (i > 0) td.textContent = said(c, row.cells[i]);
      else {
        const button = element("button", undefined, { type: "button" }), swatch = element("i");
        swatch.style.background = classes[row.class]?.[mode()] ?? "#888";
        button.append(swatch, said(c, row.cells[i]));
        td.append(button);
      }
      tr.append(td);
    });
    tr.addEventListener("click", () => open(row));
    tr.addEventListener("pointerenter", () => point(row));
    tr.addEventListener("pointerleave", () => point(null));
    return tr;
  }

  function table() {
    const all = sorted(passing(), order.column, order.down), body = element("tbody"), drawn = element("table");
    body.append(...all.slice(0, shown).map(line));
    drawn.append(head(), body);
    parts.table.replaceChildren(drawn);
    if (all.length > shown) parts.table.append(element("button", t("Show {n} more", { n: number(Math.min(page, all.length - shown)) }), { type: "button", className: "quiet more-rows", onclick: () => { shown += page; table(); } }));
  }

  const file = () => `${analysis.id}-${new Date().toISOString().slice(0, 10)}`;

  function draw() {
    parts.count = element("h3");
    parts.figure = element("div");
    parts.table = element("div", undefined, { className: "rows" });
    parts.package = element("a", "GeoPackage", { download: "" });
    const files = element("p", undefined, { className: "files" });
    files.append(`${t("Take them away as")} `, element("button", "CSV", { type: "button", className: "quiet", onclick: () => save(`${file()}.csv`, "text/csv", csv(passing(), middle)) }), " ",
      element("button", "GeoJSON", { type: "button", className: "quiet", onclick: () => save(`${file()}.geojson`, "application/geo+json", JSON.stringify(geojson(passing()))) }), " ", parts.package);
    box.replaceChildren(parts.count, ...(rows.length ? [legend(), parts.figure, files, parts.table] : []));
    changed(false);
  }

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (rows.length) draw(); });

  return {
    /** show fills the view; hide are the ids of the classes that are left out, share the name of the result. */
    show(of, all, of2, { hide: without = [], share = "" } = {}) {
      [analysis, rows, classes, name] = [of, all, of2, share];
      hidden = new Set(classes.flatMap((c, i) => (without.includes(c.id) ? [i] : [])));
      order = { ...analysis.sorted };
      shown = page;
      draw();
    },
    /** leave out other classes, as an address says. */
    filter(without) {
      hidden = new Set(classes.flatMap((c, i) => (without.includes(c.id) ? [i] : [])));
      if (rows.length) draw();
    },
    /** mark shows which row is open on the map. */
    mark(i) {
      for (const tr of box.querySelectorAll("tr[data-row]")) tr.classList.toggle("open", Number(tr.dataset.row) === i);
      box.querySelector("tr.open")?.scrollIntoView({ block: "nearest" });
    },
    clear() { rows = []; box.replaceChildren(); },
  };
}
