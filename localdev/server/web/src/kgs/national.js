// The national page of the landscape: KGs coloured by a column of the index, those that pass a compound filter ranked. All that is
// chosen stands in the fragment of the address:
//
//	#by=column & way=quantiles|equal & n=classes & sort=column & dir=asc|desc & map=zoom/lat/lon & the filters by their names
import { addressBar } from "../address.js";
import { element, number } from "../dom.js";
import { objects, wheel } from "../land/analyses.js";
import "../land/words.js";
import { shares } from "../palette.js";
import { published } from "../tiles.js";
import { translate } from "../translate.js";
import { viewIn, viewText } from "../view.js";
import { t } from "../words.js";
import { classIn, classesOf, left, namesIn, spread, unknownColour, ways } from "./classes.js";
import { asked } from "./columns.js";
import { figure, titled, withUnit } from "./figures.js";
import { filterForm } from "./filterform.js";
import { ranking } from "./ranking.js";
import { description, kgsOf } from "./service.js";
import "./words.js";

const $ = (id) => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)");
const mode = () => (dark.matches ? "dark" : "light");
const say = (text, english = false) => { $("message").replaceChildren(element("span", text, english ? { lang: "en" } : {})); };
const own = ["kg_code", "kg_name", "gemeinde_code", "gemeinde_name", "district_code", "district_name", "state_code", "state_name", "centroid", "processed"];
const usual = "vegetated_fraction";
const ordered = ["terrain_class", "quality_grade"]; // columns of names from low to high, or from good to bad
const mostClasses = shares.length, usualClasses = 5;

/** every is every KG with what the page needs of it and a column: what is coloured first comes with the names. */
async function every(column) {
  try {
    return await kgsOf({}, [...own, column]);
  } catch (e) {
    if (e.status !== 400) throw e;
    return kgsOf({}, own); // a link may name a column that the index does not have
  }
}

async function start() {
  translate();
  const bar = addressBar({ location, history, window });
  const library = import("./choropleth.js"), reading = published(); // they come while the KGs are asked for
  for (const coming of [library, reading]) coming.catch(() => {}); // told where they are awaited
  const [{ numbers, named, filters, types }, { rows, meta }] = await Promise.all([description(), every(bar.get("by") || usual)]);
  const known = new Map(rows.map((r) => [r.kg_code, r])), byName = new Map([...numbers, ...named].map((c) => [c.name, c]));
  let passing = [], running = new AbortController(), last = "";

  // ---- what is coloured, and in how many classes
  const group = (label, list) => { const g = element("optgroup", undefined, { label }); g.append(...list.map((c) => element("option", titled(c), { value: c.name }))); return g; };
  $("by").append(group(t("Figures"), numbers), group(t("Kinds"), named));
  $("way").append(...ways.map((w) => element("option", t(w.name), { value: w.id })));
  $("n").append(...Array.from({ length: mostClasses - 1 }, (_, i) => element("option", number(i + 2), { value: i + 2 })));
  const column = () => byName.get(bar.get("by")) ?? byName.get(usual) ?? numbers[0];
  const way = () => (ways.some((w) => w.id === bar.get("way")) ? bar.get("way") : ways[0].id);
  const names = () => named.includes(column());
  const classes = () => (Number(bar.get("n")) >= 2 && Number(bar.get("n")) <= mostClasses ? Math.trunc(Number(bar.get("n"))) : usualClasses);
  const order = () => ({ by: shownColumns().some((c) => c.name === bar.get("sort")) ? bar.get("sort") : column().name, down: bar.get("dir") !== "asc" });
  $("by").addEventListener("change", () => { bar.set({ by: $("by").value, sort: "", dir: "" }, { push: true }); update(); });
  for (const id of ["way", "n"]) $(id).addEventListener("change", () => { bar.set({ [id]: $(id).value }, { push: true }); update(); });

  const form = filterForm({ box: $("filter"), filters, rows, types, told: (members) => { bar.set(members, { push: true }); update(); } });
  const table = ranking({ box: $("ranking"), sorted: (name, down) => { bar.set({ sort: name, dir: down ? "" : "asc" }, { push: true }); draw(); }, open: (code) => { map?.go(code); $("map").scrollIntoView({ block: "nearest" }); } });

  // The ranking shows where a KG is, the column that is coloured and those that are filtered by.
  function shownColumns() {
    const ranges = filters.filter((f) => f.kind === "range" && f.name !== column().name && (bar.get(`min_${f.name}`) || bar.get(`max_${f.name}`))).map((f) => f.column);
    const place = (name, title) => ({ name, title, type: "string", unit: "" });
    return [{ ...place("kg_name", "KG"), kg: true }, column(), ...ranges, place("gemeinde_name", "Municipality"), place("district_name", "District")];
  }

  function details(code) {
    const r = passing.find((p) => p.kg_code === code) ?? known.get(code), box = element("div", undefined, { className: "details" });
    box.append(element("h2", `${r.kg_name ?? ""} (${code})`), element("p", [r.gemeinde_name, r.district_name, r.state_name].filter(Boolean).join(", ")));
    if (!r.processed) box.append(element("p", t("This KG is not analysed yet.")));
    if (r[column().name] !== null && r[column().name] !== undefined) box.append(element("p", `${t(column().title)}: ${withUnit(column(), r[column().name])}`));
    else if (!passing.includes(r)) box.append(element("p", t("The filter leaves it out.")));
    box.append(element("a", t("Profile of the KG"), { href: `/kg/${code}` }));
    return box;
  }

  /** divided are the classes of what is coloured: {labels, of(value), colours(mode)}. */
  function divided() {
    const values = passing.map((r) => r[column().name]);
    if (!names()) {
      const c = classesOf(values, classes(), way());
      const label = (i) => (i + 1 < c.from.length ? t("{from} to under {to}", { from: figure(column(), c.from[i]), to: figure(column(), c.from[i + 1]) }) : c.from[i] === c.most ? figure(column(), c.most) : t("{from} to {to}", { from: figure(column(), c.from[i]), to: figure(column(), c.most) }));
      return { labels: c.from.map((_, i) => label(i)), of: (v) => classIn(c, v), colours: (m) => spread(shares, c.from.length).map((s) => s[m]) };
    }
    const list = namesIn(column(), values), all = column().values, colour = new Map(objects.map(([id, , hue]) => [id, hue]));
    const inOrder = ordered.includes(column().name), steps = (m) => spread(shares, all.length).map((s) => s[m]);
    const one = (v, m) => (inOrder ? steps(m)[all.indexOf(v)] : colour.get(v) ?? wheel[all.indexOf(v) % wheel.length]);
    return { labels: list.map((v) => figure(column(), v)), of: (v) => list.indexOf(v), colours: (m) => list.map((v) => one(v, m)) };
  }

  function drawLegend(c, colours, counts) {
    const line = (text, n, paint) => { const li = element("li"), i = element("i"); paint(i); li.append(i, element("span", text), " ", element("span", number(n), { className: "n" })); return li; };
    const raw = rows.filter((r) => !r.processed).length, missing = passing.filter((r) => r.processed && c.of(r[column().name]) < 0).length;
    const lines = c.labels.map((label, i) => line(label, counts[i], (e) => { e.style.backgroundColor = colours[i]; }));
    if (missing) lines.push(line(t("analysed, value not known"), missing, (e) => { e.style.backgroundColor = unknownColour(mode()); }));
    if (raw) lines.push(line(t("not analysed"), raw, (e) => { e.className = "hatch"; }));
    if (passing.length < rows.length) lines.push(line(t("left out by the filter"), rows.length - passing.length, () => {}));
    const list = element("ul");
    list.append(...lines);
    $("legend").replaceChildren(element("h2", titled(column())), element("p", column().doc, { lang: "en", className: "soft" }), list);
  }

  function draw() {
    const c = divided(), counts = c.labels.map(() => 0), of = new Map();
    for (const r of passing) {
      const i = c.of(r[column().name]);
      if (i >= 0) counts[i]++;
      of.set(r.kg_code, i >= 0 || r.processed ? i : left); // what is not analysed is hatched, and has no colour of its own
    }
    drawLegend(c, c.colours(mode()), counts);
    map?.draw(of, c.colours);
    table.show(passing, shownColumns(), order());
    const analysed = passing.filter((r) => r.processed).length;
    $("count").textContent = t("{n} of {all} KGs, {analysed} of them analysed", { n: number(passing.length), all: number(rows.length), analysed: number(analysed) });
  }

  // update shows what the address says; only another question is asked again.
  async function update() {
    $("by").value = column().name;
    for (const id of ["way", "n"]) $(id).closest("label").hidden = names();
    $("way").value = way();
    $("n").value = String(classes());
    const members = asked(filters, bar.all());
    form.restore(bar.all(), column().name);
    const fields = [...new Set(["kg_code", column().name, ...shownColumns().map((c) => c.name)])].filter((n) => !own.includes(n) || n === "kg_code");
    const question = JSON.stringify([members, fields]);
    if (question === last) { draw(); return; }
    running.abort();
    running = new AbortController();
    if (!Object.keys(members).length && rows.length && fields.every((name) => name in rows[0])) { // nothing is left to ask
      passing = rows;
      last = question;
      say("");
      draw();
      document.body.setAttribute("aria-busy", "false");
      return;
    }
    const { signal } = running;
    document.body.setAttribute("aria-busy", "true");
    try {
      const got = await kgsOf(members, fields, signal);
      passing = got.rows.map((r) => ({ ...known.get(r.kg_code), ...r }));
      last = question;
      say("");
      draw();
    } catch (e) {
      if (!signal.aborted) say(e.message, e.english);
    } finally {
      if (!signal.aborted) document.body.setAttribute("aria-busy", "false");
    }
  }

  const { license = {} } = meta ?? {};
  $("sources").replaceChildren(element("span", license.attribution ?? ""), ", ", license.license_url ? element("a", license.license, { href: license.license_url, rel: "noopener license" }) : "");
  let map = null;
  await update();
  const { choropleth } = await library;
  map = await choropleth({
    container: "map", reading, rows, mode, view: viewIn(bar.get("map")), say, details, chosen: () => {},
    moved: (m) => bar.set({ map: viewText({ zoom: m.getZoom(), center: m.getCenter().toArray() }) }),
  });
  draw();
  $("whole").addEventListener("click", () => map.whole());
  dark.addEventListener("change", draw);
  bar.hear((now, before) => { const view = viewIn(now.map); if (view && now.map !== before.map) map.map.jumpTo(view); update(); });
  window.mappe = { map: map.map };
  document.body.dataset.ready = "true";
}

start().catch((e) => { say(e.message, e.english); document.body.dataset.ready = "true"; });
