// What lies in the area that is looked at: parcels, land use, protected areas, prices and buildings with their figures, the parcels one
// by one, and as files. It asks when its part of the panel is open.
import { areaParts, areaParcels, sitesIn } from "../api.js";
import { element, number } from "../dom.js";
import { inGerman, t } from "../words.js";

const listed = 12; // sites and uses that are shown
const atOnce = 50; // rows of parcels
const classNames = { geb: "Buildings", bau: "Built-up land", acker: "Arable land", gruen: "Grassland", wald: "Forest", wasser: "Water", verkehr: "Traffic", alpen: "Alpine land", sonst: "Other" };
const priceNames = { bauland_built: "Building land, built", bauland_zoned: "Building land, not built", ackerland: "Arable land", gruenland: "Grassland", wald: "Forest", other: "Other (no price)" };

const sqm = (v) => `${number(v)} m²`;
const pct = (v) => (v > 0 && v < 0.01 ? "< 0.01 %" : `${number(v, v < 10 ? 2 : 1)} %`);
const shared = (o, share) => `${sqm(o.overlap_sqm)} (${pct(share)})`;

/** lines are the parts of an answer as lists: {title, rows: [[name, value]], empty}. */
export function lines(area) {
  const out = [], part = (title, rows, empty = t("none")) => out.push({ title, rows: rows.slice(0, listed), more: Math.max(rows.length - listed, 0), empty });
  if (area.parcels) part(t("Parcels"), [[t("{n} parcels, {whole} of them whole", { n: number(area.parcels.count), whole: number(area.parcels.within) }), shared(area.parcels, area.parcels.overlap_of_area_pct)]].filter(() => area.parcels.count));
  if (area.landuse) part(t("Land use"), area.landuse.classes.map((c) => [t(classNames[c.class] ?? c.class), shared(c, c.overlap_of_area_pct)]), t("not known"));
  if (area.landuse?.uses.length > 1) part(t("Land use in detail"), area.landuse.uses.map((u) => [(inGerman ? u.name : u.name_en) || String(u.code), shared(u, u.overlap_of_area_pct)]));
  if (area.protected_areas) part(t("Protected areas"), area.protected_areas.map((a) => [[a.name, a.desig].filter(Boolean).join(", "), ofSite(a)]));
  if (area.natura2000) part("Natura 2000", area.natura2000.map((s) => [`${s.sitename} ${s.sitecode}`, ofSite(s)]));
  if (area.buildings) part(t("Buildings"), [[t("{n} footprints", { n: number(area.buildings.footprint_count) }), shared({ overlap_sqm: area.buildings.footprint_overlap_sqm }, area.buildings.footprint_overlap_of_area_pct)],
    [t("Addresses"), number(area.buildings.address_point_count)]]);
  if (area.prices) part(t("Estimated prices {year}, € for 1 m²", { year: area.prices.year }), area.prices.classes.map((c) => [`${t(priceNames[c.class] ?? c.class)} (${number(c.parcel_count)})`,
    c.median_eur_per_sqm == null ? t("no price") : t("{median} ({low} to {high})", { median: number(c.median_eur_per_sqm, 2), low: number(c.low_eur_per_sqm, 2), high: number(c.high_eur_per_sqm, 2) })]));
  return out;
}

const ofSite = (s) => t("{shared} of the area, {site} of the site", { shared: shared(s, s.overlap_of_area_pct ?? s.overlap_of_place_pct), site: pct(s.overlap_of_site_pct) });

function drawn(part) {
  const section = element("section"), list = element("dl");
  section.append(element("h3", part.title));
  for (const [name, value] of part.rows) {
    const pair = element("div");
    pair.append(element("dt", name), element("dd", value));
    list.append(pair);
  }
  section.append(part.rows.length ? list : element("p", part.empty));
  if (part.more) section.append(element("p", t("and {n} more", { n: part.more })));
  return section;
}

// save gives a file to the reader.
function save(name, blob) {
  const url = URL.createObjectURL(blob), a = element("a", undefined, { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const forms = [["CSV", "csv", "csv"], ["GeoJSON", "geojson", "geojson"], ["GeoPackage", "gpkg", "gpkg"], ["Shapefile", "shapefile", "zip"]];

/** largest are parcels by what of them lies in the area. */
export const largest = (list) => [...list].sort((a, b) => (b.overlap_sqm ?? 0) - (a.overlap_sqm ?? 0) || a.parcel_id.localeCompare(b.parcel_id, "de", { numeric: true }));

/** areaParts fills box; open(id) shows a parcel, point({parcel_id, lon, lat}) marks one on the map, null none. area() is the area that is looked at, most the largest in m² that is told of whole; of larger KGs and
 * municipalities the sites alone are told. */
export function areaPartsPanel({ box, area, most, say, open, point }) {
  let asking = new AbortController(), told = null, on = false;

  async function draw() {
    const a = area();
    if (!on || told === a) return;
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    told = a;
    point(null);
    if (!a) { box.replaceChildren(element("p", t("No area is chosen."))); return; }
    const status = element("p", t("Asking …"), { ariaLive: "polite" });
    box.replaceChildren(status);
    try {
      const small = a.m2 <= most, found = small ? await areaParts(a, signal) : await sitesIn(a.place, signal);
      if (signal.aborted) return;
      if (!found) { status.textContent = t("The area is too large for what lies in it."); return; }
      const notes = [];
      if (!small) notes.push(element("p", t("The area is too large for all that lies in it: of a KG or a municipality protected areas are told."), { className: "warning" }));
      if (found.ready === false) notes.push(element("p", t("KGs in the area are not loaded: the figures are of the others."), { className: "warning" }));
      box.replaceChildren(...notes, ...lines(found).map(drawn), ...(small ? [files(a)] : []), ...(found.list?.length ? [table(found.list)] : []));
    } catch (e) {
      if (signal.aborted) return;
      told = null;
      status.textContent = e.message;
    }
  }

  // line is the row of a parcel: a press opens its card, and while the pointer or the focus is on it the map marks it.
  function line(p) {
    const tr = element("tr"), td = element("td"), button = element("button", p.parcel_id, { type: "button", className: "quiet" });
    td.append(button);
    tr.append(td, element("td", sqm(p.overlap_sqm), { className: "amount" }), element("td", pct(p.overlap_pct ?? 0), { className: "amount" }));
    tr.addEventListener("click", () => open(p.parcel_id));
    for (const [on, of] of [["pointerenter", p], ["focusin", p], ["pointerleave", null], ["focusout", null]]) tr.addEventListener(on, () => point(of));
    return tr;
  }

  // table lists the parcels, some at a time.
  function table(list) {
    const section = element("section", undefined, { className: "rows" }), whole = element("table"), head = element("tr"), body = element("tbody"), all = largest(list), more = element("button", undefined, { type: "button", className: "quiet more-rows" });
    head.append(...[t("Parcel"), t("In the area"), t("of the parcel")].map((title) => element("th", title, { scope: "col" })));
    whole.append(element("thead"), body);
    whole.tHead.append(head);
    const grow = () => {
      const from = body.rows.length;
      body.append(...all.slice(from, from + atOnce).map(line));
      const left = all.length - body.rows.length;
      more.hidden = !left;
      more.textContent = t("Show {n} more", { n: number(Math.min(atOnce, left)) });
      return body.rows[from];
    };
    more.addEventListener("click", () => grow().querySelector("button").focus());
    grow();
    section.append(element("h3", t("The parcels one by one")), whole, more);
    return section;
  }

  function files(a) {
    const p = element("p", undefined, { className: "take" });
    p.append(`${t("Take the parcels away as")} `);
    for (const [title, form, ending] of forms) {
      const button = element("button", title, { type: "button", className: "quiet", name: `parts-${form}` });
      button.addEventListener("click", async () => {
        button.disabled = true;
        try { save(`parcels-${new Date().toISOString().slice(0, 10)}.${ending}`, await areaParcels(a, form)); } catch (e) { say(e.message); }
        button.disabled = false;
      });
      p.append(button, " ");
    }
    return p;
  }

  return {
    /** show begins or ends asking. */
    show(open) { on = open; draw(); },
    /** changed is told of another area. */
    changed: draw,
  };
}
