// What is known of a portion of rows, in at most five questions: where addresses are, where named parcels lie, which parcels hold
// the points, what surrounds them, what they cost.
import { t } from "../words.js";
import { Refused } from "./client.js";

const api = "/cadastre/api/v1";

/** portion is how many rows are asked for at once; the services take up to 1,000. */
export const portion = 250;

/** inside is a position in a polygon of GeoJSON: the middle of the longest of some lines from west to east that lie in it. */
export function inside(geometry) {
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  let best = null, longest = 0;
  for (const rings of polygons) {
    const lats = rings[0].map(([, lat]) => lat), low = Math.min(...lats), high = Math.max(...lats);
    for (let k = 1; k < 16; k++) {
      const y = low + ((high - low) * (k + 0.013)) / 16, xs = [];
      for (const ring of rings) for (let i = 1; i < ring.length; i++) {
        const [[ax, ay], [bx, by]] = [ring[i - 1], ring[i]];
        if (ay > y !== by > y) xs.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
      }
      xs.sort((a, b) => a - b);
      for (let i = 1; i < xs.length; i += 2) if (xs[i] - xs[i - 1] > longest) { longest = xs[i] - xs[i - 1]; best = [(xs[i] + xs[i - 1]) / 2, y]; }
    }
  }
  return best;
}

// each is a list with an answer to every question; another one is that of a service of another version.
function each(list, questions) {
  if (!Array.isArray(list) || list.length !== questions) throw new TypeError(`${list?.length} answers to ${questions} questions`);
  return list;
}

const grouped = (rows, key) => { const out = new Map(); rows.forEach((r, i) => { if (r[key]) out.set(r[key], [...(out.get(r[key]) ?? []), i]); }); return out; };

/** lookup finds what is known of rows (as asked() of rows.js reads them); useNames(codes) are land uses in words. A result that asking
 * later may complete has `again`. note(text) is told what is left out. */
export async function lookup(ask, rows, { useName, note }) {
  const results = rows.map((r) => ({ match: r.match ?? "", reason: r.problem ?? "" })), points = new Map();
  rows.forEach((r, i) => { if (r.at) points.set(i, r.at); });
  await geocode(ask, rows, results, points);
  await outlines(ask, rows, results, points);
  await contain(ask, rows, results, points, useName);
  await surround(ask, results, points, note);
  await price(ask, results, note);
  return results;
}

async function geocode(ask, rows, results, points) {
  const at = rows.flatMap((r, i) => (r.address ? [i] : []));
  if (!at.length) return;
  const { data } = await ask(`${api}/search/address_osm`, { queries: at.map((i) => ({ q: rows[i].address })) });
  each(data, at.length).forEach((d, n) => {
    const i = at[n], r = results[i];
    if (d.lon === null || d.lon === undefined) {
      r.reason = t("no such address is known");
      if (d.suggestions?.length) r.reason += `; ${t("did you mean {list}?", { list: d.suggestions.join(", ") })}`;
      if (["busy", "failed", "not_asked"].includes(d.upstream)) { r.again = true; r.reason += `; ${t("the other search for addresses was not asked")}`; }
      return;
    }
    Object.assign(r, { match: d.house_number_match || `geocoder ${d.source ?? ""}`.trim(), found: d.display_name ?? "", lon: d.lon, lat: d.lat });
    // The middle of a street lies in somebody's parcel, which nobody asked for.
    if (d.house_number_match === "street") r.reason = t("the address has no house number: only its street is known");
    else points.set(i, [d.lon, d.lat]);
  });
}

async function outlines(ask, rows, results, points) {
  const parcels = grouped(rows, "parcel");
  if (!parcels.size) return;
  const { data, meta } = await ask(`${api}/parcels/geometry/batch`, { ids: [...parcels.keys()].sort() });
  for (const d of data) for (const i of parcels.get(d.parcel_id) ?? []) {
    const at = inside(d.geometry);
    if (at) points.set(i, at);
    else results[i].reason = t("the parcel's outline cannot be read");
  }
  const failed = (ids, reason, again) => { for (const id of ids ?? []) for (const i of parcels.get(id) ?? []) Object.assign(results[i], { reason: t(reason, { id, kg: id.slice(0, 5) }), match: "", ...(again && { again }) }); };
  failed(meta.not_found, "there is no parcel {id}", false);
  failed(meta.pending_ids, "KG {kg} is not loaded yet: ask again later", true);
}

async function contain(ask, rows, results, points, useName) {
  if (!points.size) return;
  const list = [...points].map(([id, [lon, lat]]) => ({ lon, lat, id }));
  const { results: found } = await ask(`${api}/spatial/points?overlays=true&wait=true`, { points: list });
  each(found, list.length).forEach((a, n) => {
    const i = list[n].id, r = results[i];
    Object.assign(r, placesOf(a), { lon: r.lon ?? list[n].lon, lat: r.lat ?? list[n].lat });
    if (a.error) r.reason = a.error;
    else if (a.pending) Object.assign(r, { reason: t("KG {kg} is not loaded yet: ask again later", { kg: a.kg_code ?? "" }), again: true });
    else if (!a.matched) r.reason = t("no parcel lies at this position");
    else if (rows[i].parcel && a.parcel.parcel_id !== rows[i].parcel) Object.assign(r, placesOf({}), { parcel: rows[i].parcel, reason: t("the parcel's area lies in parcel {id}", { id: a.parcel.parcel_id }) });
    else take(r, a.parcel, useName);
  });
}

const placesOf = (a) => ({ kg: a.kg_code ?? "", kgName: a.kg_name ?? "", gemeinde: a.gemeinde_code ?? "", gemeindeName: a.gemeinde_name ?? "", district: a.district_code ?? "", districtName: a.district_name ?? "" });

function take(r, p, useName) {
  const codes = [p.dominant_landuse, ...(p.landuse_codes ?? "").split(",")].filter((c) => c !== null && c !== undefined && c !== "");
  Object.assign(r, {
    parcel: p.parcel_id, area: p.area_sqm ?? "", buildings: p.building_count ?? "", built: p.total_building_area_sqm ?? "",
    uses: [...new Set(codes.map((c) => useName(c)))].join("; "),
    natura: p.in_natura2000 === false ? t("none") : (p.natura2000_sites ?? []).map((s) => `${s.sitename ?? ""} ${s.sitecode ?? ""}`.trim()).join("; "),
    laws: [...new Set((p.legal_refs ?? []).map((l) => l.source_law_name))].join("; "),
  });
}

// surround asks what surrounds the positions of rows with a parcel. A server without the data leaves the columns empty.
async function surround(ask, results, points, note) {
  const list = [...points].filter(([i]) => results[i].parcel && !results[i].reason).map(([i, [lon, lat]]) => ({ lon, lat, id: String(i) }));
  if (!list.length) return;
  let answer;
  try {
    answer = await ask("/context/api/v1/context?include=protected_area,osm", { points: list });
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    note(t("Protected areas and distances are left out: {why}", { why: e.message }));
    if (e.later) for (const { id } of list) results[id].again = true;
    return;
  }
  const { license, attribution } = answer.meta?.license ?? {}, licence = [attribution, license].filter(Boolean).join("; ");
  each(answer.data, list.length).forEach((a, n) => {
    const osm = a.osm ?? {}, sites = a.protected_area?.sites;
    Object.assign(results[list[n].id], {
      areas: sites ? sites.map((s) => (s.desig ? `${s.name} (${s.desig})` : s.name)).join("; ") || t("none") : "",
      road: osm.dist_road_m ?? "", roadName: osm.road_name ?? "", major: osm.dist_major_road_m ?? "", transit: osm.dist_transit_m ?? "",
      station: osm.dist_train_station_m ?? "", water: osm.dist_water_m ?? "", settlement: osm.dist_settlement_m ?? "", licence,
    });
    const missing = Object.values(a.missing ?? {});
    if (missing.length) note(t("Protected areas and distances are left out: {why}", { why: missing.join(", ") }));
  });
}

async function price(ask, results, note) {
  const of = grouped(results.map((r) => (r.reason ? {} : r)), "parcel");
  if (!of.size) return;
  let answer;
  try {
    answer = await ask(`${api}/land_prices/batch`, { parcel_ids: [...of.keys()] });
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    note(t("Prices are left out: {why}", { why: e.message }));
    if (e.later) for (const at of of.values()) for (const i of at) results[i].again = true;
    return;
  }
  for (const a of answer.data) for (const i of of.get(a.parcel_id) ?? []) {
    Object.assign(results[i], { priceClass: a.class ?? "", perSqm: a.buy_eur_per_sqm ?? "", total: a.buy_total_eur ?? "", confidence: a.confidence ?? "" });
    if (a.error) results[i].reason = t("price: {why}", { why: a.error });
  }
}
