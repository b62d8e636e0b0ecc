// The profile of a KG as a page that prints: what it is in words, a map, figures with units, charts, the laws that name it, sources.
import { element, english, number } from "../dom.js";
import { analysisOf, plain } from "../land/analyses.js";
import "../land/words.js";
import { translate } from "../translate.js";
import { useName } from "../uses.js";
import { locale, t } from "../words.js";
import { bars, columns as standing } from "./charts.js";
import { withUnit } from "./figures.js";
import { kgMap } from "./kgmap.js";
import { description, heightsOf, outlineOf, profileOf, sourcesOf } from "./service.js";
import { grouped, lossByYear } from "./profile.js";
import { cellsOf, distribution } from "./terrain.js";
import "./words.js";

const $ = (id) => document.getElementById(id);
const mostLaws = 12, mostUses = 12;

// ordered are the columns in the order of a record, which the service declares; its description sorts them by name.
const ordered = (columns, record) => { const at = new Map(Object.keys(record).map((name, i) => [name, i])); return [...columns].sort((a, b) => (at.get(a.name) ?? 1e3) - (at.get(b.name) ?? 1e3)); };

const percent = (v) => `${number(v * 100, v < 0.1 ? 1 : 0)} %`;
const section = (title, ...parts) => { const s = element("section"); s.append(element("h2", title), ...parts); return s; };
const figureOf = (chart, caption) => { const f = element("figure"); f.append(chart, element("figcaption", caption)); return f; };

const whole = 0.95; // a KG whose scans cover so much of it counts as covered

// coverage is the share of a KG that was divided into objects: that which scans or aerial pictures cover. null where it is not known.
const coverage = (l) => (l.landcover?.length && l.total_area_sqm > 0 ? Math.min(l.landcover.reduce((sum, c) => sum + (c.area_sqm ?? 0), 0) / l.total_area_sqm, 1) : null);

// estimated says where the heights of a KG come from.
const estimated = (field, l) => [t("Estimated from {n} samples of the terrain model.", { n: number(field.samples) }), (coverage(l) ?? 1) < whole ? t("Heights outside the scans are estimated from the nearest samples.") : ""].filter(Boolean).join(" ");

function inWords({ cadastre: c, landscape: l }) {
  const covered = coverage(l);
  const said = [t("{area} with {parcels} parcels and {buildings} buildings.", { area: withUnit({ name: "", unit: "m²" }, c.total_area_sqm), parcels: number(c.parcel_count), buildings: number(c.building_count) })];
  if (!l.processed) return said.join(" ");
  if (l.elevation_min_m !== null) said.push(t("The terrain lies between {low} and {high} m, with a mean slope of {slope}°.", { low: number(l.elevation_min_m), high: number(l.elevation_max_m), slope: number(l.slope_mean_deg, 1) }));
  if (l.vegetated_fraction !== null) said.push(t("{share} of the analysed area is vegetated; the type with the largest area is {type}.", { share: percent(l.vegetated_fraction), type: t(plain(l.dominant_type)) }));
  if (covered !== null && covered < whole) said.push(t("Laser scans cover {share} of the KG.", { share: percent(covered) }));
  if (l.tree_count > 0) said.push(t("{n} trees stand on it, {height} m high in the mean.", { n: number(l.tree_count), height: number(l.tree_mean_height_m, 1) }));
  return said.join(" ");
}

function landcover(list) {
  const colours = new Map(analysisOf("segment").classes.map((c) => [c.id, c.light]));
  const lines = list.map((c) => ({ label: t(plain(c.object_type)), value: c.fraction, text: `${percent(c.fraction)} · ${withUnit({ name: "", unit: "m²" }, c.area_sqm)}`, colour: colours.get(c.object_type) ?? "#888" }));
  return section(t("Land cover"), figureOf(bars(lines, t("Land cover")), t("Shares of the area that laser scans and aerial pictures cover.")));
}

function landuse(list) {
  const lines = list.filter((u) => u.fraction !== null).slice(0, mostUses).map((u) => ({ label: useName(u.code), value: u.fraction, text: `${percent(u.fraction)} · ${withUnit({ name: "", unit: "m²" }, u.area_sqm)}`, colour: "#8a7a52" }));
  return lines.length ? section(t("Land use in the cadastre"), figureOf(bars(lines, t("Land use in the cadastre")), t("Areas on parcels as the cadastre has them."))) : "";
}

function heights(field, geometry, l) {
  const list = distribution(cellsOf(field, geometry));
  if (!list.length) return "";
  const bar = list.map((b) => ({ label: number(b.from, Number.isInteger(b.from) ? 0 : 1), value: b.share * 100 }));
  return section(t("Heights of the terrain"), figureOf(standing(bar, { title: t("Heights of the terrain"), unit: t("% of the area"), axis: t("m above the sea, from"), colour: "#8a6a43" }),
    estimated(field, l)));
}

function loss(list) {
  const years = lossByYear(list), title = t("Forest loss by year");
  if (!years.length) return section(title, element("p", t("The map of forest change has no loss here.")));
  return section(title, figureOf(standing(years, { title: `${title}: ${years.map((y) => `${y.label} ${number(y.value, 2)} ha`).join("; ")}`, unit: "ha", axis: t("year"), colour: "#8c4a1f" }), t("Cells of 30 m with a loss of forest.")));
}

function figures(columns, record, processed) {
  const box = element("div", undefined, { className: "groups" });
  for (const g of grouped(columns)) {
    const shown = g.columns.filter((c) => processed || (record[c.name] !== null && record[c.name] !== undefined));
    if (!shown.length) continue;
    const table = element("table"), part = element("section");
    for (const c of shown) {
      const tr = table.insertRow(), th = element("th", t(c.title), { scope: "row", title: c.doc });
      tr.append(th, element("td", withUnit(c, record[c.name])));
    }
    part.append(element("h3", t(g.title)), table);
    box.append(part);
  }
  return section(t("Figures"), box);
}

function laws(list) {
  if (list === null) return section(t("Laws"), element("p", t("Laws are not at hand.")));
  if (!list.length) return "";
  const ul = element("ul");
  for (const l of list.slice(0, mostLaws)) {
    const li = element("li");
    li.append(/^https:\/\//.test(l.ris_url) ? element("a", l.law, { href: l.ris_url, rel: "noopener" }) : l.law, l.grundstueck ? `, ${t("Parcel {gnr}", { gnr: l.grundstueck })}` : "");
    ul.append(li);
  }
  if (list.length > mostLaws) ul.append(element("li", t("and {n} more", { n: list.length - mostLaws })));
  return section(t("Laws that name the KG or its parcels"), ul);
}

function sources(list, license, processed, code) {
  const ul = element("ul", undefined, { className: "sources" });
  const line = (what, who, name, to) => {
    const li = element("li");
    li.append(what, ": ", who, ", ", /^https:\/\//.test(to ?? "") ? element("a", name, { href: to, rel: "noopener license" }) : name);
    ul.append(li);
  };
  if (list && processed) for (const s of list) line(english(s.source), s.attribution, s.license, s.license_url);
  else if (license) line(t("Data"), license.attribution, license.license, license.license_url);
  const at = `${location.origin}/kg/${code}`, told = element("p");
  told.append(t("As of {day}", { day: new Date().toLocaleDateString(locale, { dateStyle: "long" }) }), " · ", element("a", at, { href: at }));
  return section(t("Sources and licences"), ul, told);
}

async function start() {
  translate();
  const code = decodeURIComponent(location.pathname.split("/").pop());
  $("print").addEventListener("click", () => print());
  const [profile, { columns }, outline, attribution] = await Promise.all([profileOf(code), description(), outlineOf(code).catch(() => null), sourcesOf().catch(() => null)]);
  const { cadastre: c, landscape: l, meta } = profile, name = t("KG {code} {name}", { code, name: c.kg_name ?? "" });
  document.title = `${name}: Mappe`;
  $("title").textContent = name;
  $("where").textContent = [c.gemeinde_name, c.district_name, c.state_name].filter(Boolean).join(", ");
  $("words").textContent = inWords(profile);
  const field = l.processed ? await heightsOf(code, c.bbox).catch(() => null) : null, hasHeights = field?.elev_min != null;
  const [west, south, east, north] = c.bbox ?? [], parts = [];
  if (!l.processed) parts.push(element("p", t("This KG is not analysed yet: what analysis finds is not known."), { className: "notice" }));
  if (outline?.geometry && c.bbox) {
    const map = figureOf(kgMap(outline.geometry, c.bbox, hasHeights ? field : null, t("Map of the KG")), hasHeights ? `${t("Outline of the KG over the terrain, {low} to {high} m.", { low: number(field.elev_min), high: number(field.elev_max) })} ${estimated(field, l)}` : t("Outline of the KG."));
    map.className = "map";
    parts.push(map);
    $("on-map").href = `/map#map=${(13).toFixed(2)}/${((south + north) / 2).toFixed(5)}/${((west + east) / 2).toFixed(5)}`;
  }
  if (meta?.kgs_unavailable_count || meta?.kgs_warming_count) parts.push(element("p", t("The cadastre of this KG cannot be read at the moment: its land use is missing."), { className: "notice" }));
  if (l.landcover?.length) parts.push(landcover(l.landcover));
  parts.push(landuse(profile.landuse ?? []), figures(ordered(columns, l), l, l.processed));
  const pair = element("div", undefined, { className: "pair" });
  if (hasHeights && outline?.geometry) pair.append(heights(field, outline.geometry, l));
  if (l.processed) pair.append(loss(l.hansen_loss ?? []));
  parts.push(pair);
  parts.push(laws(profile.legal_references), sources(attribution, meta?.license, l.processed, code));
  $("profile").replaceChildren(...parts.filter((p) => p !== ""));
  if (l.processed && l.primary_year) $("scan").textContent = t("Laser scan of {year}", { year: l.primary_year });
}

start().catch((e) => { $("message").replaceChildren(element("span", e.message, e.english ? { lang: "en" } : {})); }).finally(() => { document.body.dataset.ready = "true"; });
