// The page for tables: a file in, its columns recognised, its rows asked for in portions, the result shown and taken away.
import { element, number } from "../dom.js";
import { systems } from "../crs.js";
import { translate } from "../translate.js";
import { useName } from "../uses.js";
import { locale, t } from "../words.js";
import { client, width } from "./client.js";
import { recognised, roles, usable } from "./columns.js";
import { write as writeCSV } from "./csv.js";
import { tableOf } from "./file.js";
import * as kept from "./kept.js";
import { lookup, portion } from "./lookup.js";
import { asked, joined, systemsOf } from "./rows.js";
import { write as writeXLSX } from "./xlsx.js";
import "./words.js";

const $ = (id) => document.getElementById(id);
const shownAtOnce = 100;
const example = "Straße;Hausnummer;PLZ;Ort\r\nAm Anger;2;5790;Lorfach\r\nAm Anger;4;5790;Lorfach\r\nAm Ager;2;5790;Lorfach\r\n";

let table = null, results = [], stopping = null, shown = shownAtOnce, keptRun;
const known = () => results.reduce((n) => n + 1, 0); // holes are not visited
const say = (text) => { $("message").textContent = text; };
const tell = (text) => { $("state").textContent = text; };
const wait = (state) => { document.body.dataset.state = state; }; // empty, reading, ready, running, stopped, done

// ---- the table and its columns

function fields() {
  const options = (chosen) => [element("option", t("not in the table"), { value: "" }), ...table.head.map((h, i) => element("option", h || t("column {n}", { n: number(i + 1) }), { value: i, selected: i === chosen }))];
  const labelled = (title, select) => { const l = element("label"); l.append(element("span", title), select); return l; };
  const list = roles.map((r) => { const s = element("select", undefined, { name: r.id }); s.append(...options(table.columns[r.id])); return labelled(t(r.title), s); });
  const system = element("select", undefined, { name: "system" });
  system.append(element("option", t("Longitude and latitude in degrees (WGS84)"), { value: "4326" }), ...Object.entries(systems).map(([code, s]) => element("option", `${s.name} (EPSG:${code})`, { value: code })));
  list.push(labelled(t("Coordinate system"), system));
  $("fields").replaceChildren(...list);
  drawn(true);
}

// drawn fits the form to the columns that are chosen; guess chooses the coordinate system by the numbers.
function drawn(guess) {
  const of = $("columns").elements, positions = table.columns.lon !== undefined && table.columns.lat !== undefined;
  of.system.closest("label").hidden = !positions;
  let fitting = [];
  if (positions && guess) {
    fitting = systemsOf(table.rows, table.columns);
    table.system = table.system && !table.fresh ? table.system : fitting[0];
  }
  of.system.value = table.system ?? "4326";
  $("hint").textContent = !usable(table.columns) ? t("No column says where a row is. Choose a parcel id, or KG and parcel number, or two coordinates, or an address (whole, or at least its street).") : fitting.length > 1 && fitting[0] !== "4326" ? t("Several systems fit these numbers: look whether the right one is chosen.") : "";
  $("go").disabled = !usable(table.columns);
}

function open(next, before = []) {
  table = next;
  results = before.length ? before : new Array(table.rows.length);
  shown = shownAtOnce;
  $("name").textContent = t("{name}: {n} rows", { name: table.name, n: number(table.rows.length) });
  fields();
  $("table").hidden = false;
  const n = known();
  paint(n === table.rows.length ? "done" : n ? "stopped" : "ready");
  tell(n ? t("{done} of {all} rows are known from before.", { done: number(n), all: number(table.rows.length) }) : "");
}

let taken = 0; // files that were dropped: reading one may end after the next was dropped
async function take(file) {
  const turn = ++taken;
  stopping?.abort();
  say(t("Reading {name} …", { name: file.name }));
  tell("");
  wait("reading");
  $("table").hidden = $("result").hidden = true;
  table = null;
  try {
    const found = await tableOf(file);
    if (turn !== taken) return;
    say("");
    open({ ...found, columns: recognised(found.head), system: "4326", fresh: true });
  } catch (e) {
    if (turn !== taken) return;
    wait("empty");
    say(e.message);
  }
}

// ---- the run

async function run() {
  if (document.body.dataset.state === "running") return; // a second click
  say("");
  const mine = table, stop = stopping = new AbortController();
  paint("running");
  if (!known()) {
    mine.run = keptRun = `${Date.now()} ${Math.random()}`;
    await kept.begin({ ...mine, fresh: false });
    if (mine !== table) return;
  }
  const { signal } = stop, ask = client({ signal, note: tell }), portions = [];
  for (let from = 0; from < table.rows.length; from += portion) {
    const at = Array.from({ length: Math.min(portion, table.rows.length - from) }, (_, i) => from + i);
    if (at.some((i) => !results[i])) portions.push(at);
  }
  const worker = async () => {
    for (let at = portions.shift(); at; at = portions.shift()) {
      const open = at.filter((i) => !results[i]), found = await lookup(ask, open.map((i) => asked(mine.rows[i], mine.columns, mine.system)), { useName, note: say });
      if (mine !== table) return;
      open.forEach((i, n) => { results[i] = found[n]; });
      await kept.add(mine.run, at[0], at.map((i) => results[i]));
      if (signal.aborted || mine !== table) return;
      paint("running");
    }
  };
  // One that fails ends the others; what they have in hand is kept before the run is over.
  const failed = [];
  await Promise.all(Array.from({ length: width }, () => worker().catch((e) => { failed.push(e); stop.abort(); })));
  if (mine !== table) return;
  if (known() === mine.rows.length) paint("done");
  else {
    const e = failed.find((e) => e.name !== "AbortError");
    if (e) say(t("The run ended early: {why}. What is known is kept; it can be continued.", { why: e instanceof TypeError ? t("the service answers in a form that this page does not know; load the page anew") : e.message }));
    paint("stopped");
  }
}

// ---- what is seen

function paint(state) {
  const done = known(), all = table.rows.length, running = state === "running";
  wait(state);
  $("bar").hidden = !running && state !== "stopped";
  $("bar").value = done / all;
  if (running) tell(t("{done} of {all} rows", { done: number(done), all: number(all) }));
  if (state === "stopped") tell(done ? t("Stopped at {done} of {all} rows.", { done: number(done), all: number(all) }) : "");
  if (state === "done") tell("");
  for (const e of $("columns").querySelectorAll("select")) e.disabled = running;
  $("go").hidden = running || state === "done";
  $("go").textContent = done ? t("Go on") : t("Find the parcels");
  $("stop").hidden = !running;
  $("result").hidden = done === 0;
  if (done) paintResult(state);
}

const lost = (r) => r && !r.area && r.area !== 0;

function paintResult(state) {
  const found = results.filter((r) => !lost(r)).length, reasons = new Map();
  for (const r of results) if (lost(r)) { const why = r.reason.split(";")[0].replace(/ [\d./-]+$/, ""); reasons.set(why, (reasons.get(why) ?? 0) + 1); }
  $("gist").textContent = t("{found} of {all} rows have a parcel.", { found: number(found), all: number(known()) });
  const list = element("ul");
  for (const [why, n] of [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 20)) list.append(element("li", `${why}: ${number(n)}`));
  $("reasons").replaceChildren(...(reasons.size ? [element("h3", t("Not found, by reason")), list] : []));
  const licences = [...new Set(results.map((r) => r.licence).filter(Boolean))];
  $("credit").textContent = licences.length ? t("Protected areas and distances: {licence}", { licence: licences.join("; ") }) : "";
  $("again").hidden = state !== "done" || !results.some((r) => r.again);
  paintRows();
}

function paintRows() {
  const only = $("which").value === "lost", at = [], told = [...new Set(Object.values(table.columns))].sort((a, b) => a - b);
  let more = false;
  for (let i = 0; i < results.length && !more; i++) if (results[i] && (!only || lost(results[i]))) { if (at.length < shown) at.push(i); else more = true; }
  const out = element("table"), head = out.createTHead().insertRow(), body = out.createTBody();
  for (const [title, figure] of [["Row", true], ["In the table"], ["Parcel"], ["KG"], ["Municipality"], ["Area, m²", true], ["Land use"], ["Price, €/m²", true], ["Protected areas"], ["To a stop, m", true], ["Match"], ["Why not"]]) head.append(element("th", t(title), { scope: "col", className: figure ? "n" : "" }));
  for (const i of at) {
    const r = results[i], tr = body.insertRow(), cell = (value, name = "") => { const td = tr.insertCell(); td.className = name; td.append(value); return td; };
    if (lost(r)) tr.className = "lost";
    cell(number(i + 2), "n");
    cell(told.map((k) => table.rows[i][k] ?? "").filter((v) => v !== "").join(" "));
    cell(r.parcel ? element("a", r.parcel, { href: `/p/${encodeURIComponent(r.parcel)}` }) : "");
    cell(`${r.kg ?? ""} ${r.kgName ?? ""}`.trim());
    cell(r.gemeindeName ?? "");
    cell(typeof r.area === "number" ? number(r.area) : "", "n");
    cell(r.uses ?? "");
    cell(typeof r.perSqm === "number" ? r.perSqm.toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) : "", "n");
    cell([r.natura, r.areas].filter((v) => v && v !== t("none")).join("; ") || (r.natura || r.areas ? t("none") : ""));
    cell(typeof r.transit === "number" ? number(r.transit) : "", "n");
    cell(t(r.match ?? ""));
    cell(r.reason ?? "", "why");
  }
  $("rows").replaceChildren(out);
  $("more").hidden = !more;
}

async function save(form) {
  const rows = joined(table.head, table.rows, results), ending = form === "xlsx" ? form : "csv", blob = form === "xlsx" ? await writeXLSX(rows) : writeCSV(rows, form === "comma" ? ";" : table.separator);
  const link = element("a", undefined, { href: URL.createObjectURL(blob), download: `${table.name.replace(/\.\w+$/, "")}-mappe.${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// ---- what a reader does

function wire() {
  $("file").addEventListener("change", () => { if ($("file").files[0]) take($("file").files[0]); $("file").value = ""; });
  $("example").addEventListener("click", () => take(new File([example], "example.csv")));
  addEventListener("dragover", (e) => { e.preventDefault(); $("drop").classList.add("over"); });
  addEventListener("dragleave", () => $("drop").classList.remove("over"));
  addEventListener("drop", (e) => { e.preventDefault(); $("drop").classList.remove("over"); if (e.dataTransfer.files[0]) take(e.dataTransfer.files[0]); });
  $("columns").addEventListener("change", (e) => {
    const { name, value } = e.target;
    if (name === "system") table.system = value;
    else if (value === "") delete table.columns[name];
    else table.columns[name] = Number(value);
    drawn(name === "lon" || name === "lat");
    results = new Array(table.rows.length); // other columns are other questions
    tell("");
    paint("ready");
  });
  $("columns").addEventListener("submit", (e) => { e.preventDefault(); run(); });
  $("stop").addEventListener("click", () => stopping.abort());
  $("remove").addEventListener("click", async () => {
    stopping?.abort();
    taken++;
    table = null;
    if (keptRun) await kept.forget(keptRun);
    $("table").hidden = $("result").hidden = true;
    say("");
    wait("empty");
  });
  $("again").addEventListener("click", () => { results.forEach((r, i) => { if (r.again) delete results[i]; }); run(); });
  $("which").addEventListener("change", () => { shown = shownAtOnce; paintRows(); });
  $("more").addEventListener("click", () => { shown += shownAtOnce; paintRows(); });
  for (const b of $("files").querySelectorAll("button[name]")) b.addEventListener("click", () => save(b.name));
}

translate();
wire();
const before = await kept.last();
keptRun ??= before?.table.run;
if (before && !taken) open({ ...before.table, fresh: false }, before.results);
else if (!taken) wait("empty");
document.body.dataset.ready = "true";
