// Calls to the services, by the project's own client. Every failure becomes an Error with the service's own message.
import { cadastre, context } from "../../../../clients/javascript/index.js";
import { inGerman, t } from "./words.js";

const land = cadastre(), around = context();

async function call(answer) {
  try {
    return await answer;
  } catch (e) {
    if (e.code === "unreachable") throw new Error(t("the service cannot be reached"));
    if (e.message === `the service answered ${e.status}` || e.code === "broken_answer") throw new Error(t("the service answered {status}", { status: e.status }));
    throw e;
  }
}

/** The id of the parcel that contains a point, or null. */
export async function parcelAt({ lng, lat }) {
  const answer = await call(land.spatialPoints({ body: { points: [{ lon: lng, lat }] } }));
  return answer.results[0].matched ? answer.results[0].parcel.parcel_id : null;
}

/** The geometry row of one parcel, or null when no parcel has the id. */
export async function parcelGeometry(id) {
  const answer = await call(land.parcelsGeometryBatchPost({ body: { ids: [id] } }));
  return answer.data[0] ?? null;
}

/** The full parcel row, its KG, and the address points inside its outline. */
export async function parcelDetails(row) {
  const [answer, kgs] = await Promise.all([
    call(land.spatialPolygonPost({ body: { polygons: [row.geometry], layers: ["parcels", "buildings"] } })),
    call(around.kgs({ codes: [row.kg_code] })),
  ]);
  const { parcels, buildings } = answer.results[0];
  return { parcel: parcels.find((p) => p.parcel_id === row.parcel_id) ?? row, kg: kgs.data.kgs[0], buildings };
}

/** The address of a parcel's row as a file. */
export const parcelFile = (id, form) => land.url(land.parcelsGeometryBatch, { ids: [id], ...form });

/** The address of a parcel's page to print, in the reader's language. */
export const parcelSheet = (id, options = {}) => land.url(land.parcelSheet, { id, lang: inGerman ? "de" : "en", ...options });

/** The outline of a KG as a feature. */
export const kgShape = (code) => call(land.ogcKgsItem({ feature: code, f: "json" }));

/** The outline of a municipality, of a Natura 2000 site by its code, of the protected areas of a name, as {name, geometry}; null
 * if none is known by it. */
export async function municipalityShape(code) {
  const row = (await call(land.searchGadm({ gid: code, fields: ["name_3", "geometry"] }))).data[0];
  return row?.geometry ? { name: row.name_3, geometry: row.geometry } : null;
}
export async function siteShape(code) {
  const row = (await call(land.natura2000Site({ code, geometry: "1" }))).data[0];
  return row?.geometry ? { name: row.sitename, geometry: row.geometry } : null;
}
export async function protectedShape(name) {
  const all = (await call(land.searchProtectedArea({ q: name, fields: ["name", "geometry"] }))).data, row = all.find((r) => r.name === name) ?? all[0];
  return row?.geometry ? { name: row.name, geometry: row.geometry } : null;
}

/** The municipality at a place, by its code; null outside of all. */
export const municipalityAt = async ({ lng, lat }) => (await call(land.searchGadm({ contains_lon: lng.toFixed(7), contains_lat: lat.toFixed(7) }))).data[0]?.gid_3 ?? null;

/** The protected areas and Natura 2000 sites at a place: [{area, name}], area as the page's address has it. */
export async function protectedAt({ lng, lat }) {
  const [areas, sites] = await Promise.all([call(land.searchProtectedArea({ contains_lon: lng.toFixed(7), contains_lat: lat.toFixed(7) })), call(land.natura2000Point({ lon: lng.toFixed(7), lat: lat.toFixed(7) }))]);
  return [...areas.data.map((a) => ({ area: `protected:${a.name}`, name: a.name })), ...sites.data.map((s) => ({ area: `site:${s.sitecode}`, name: `${s.sitename} (Natura 2000)` }))];
}

// An area as the services take it: by its name where it was picked, for its true outline, else as it is drawn.
const areaBody = ({ place, geometry }) => (place ? { area: place } : geometry);

/** What lies in an area {place, geometry} as a whole, with list: its parcels, and ready: whether all KGs could be read. */
export async function areaParts(of, signal) {
  const { area, data, meta } = await call(land.spatialPolygonPost({ body: areaBody(of), include: ["all"], attrs_only: "1", fields: ["parcel_id", "lon", "lat", "overlap_sqm", "overlap_pct"], limit: 100_000 }, { signal }));
  return { ...area, list: data, ready: meta.ready };
}

/** The parcels of an area with what of them lies in it, as a file. */
export async function areaParcels(of, form) {
  const reply = await call(land.spatialPolygonPost({ body: areaBody(of), include: ["parcels"], format: form, limit: 100_000, ...(form === "csv" && { attrs_only: "1" }) }, { as: "response" }));
  return reply.blob();
}

/** The protected areas and Natura 2000 sites of a KG or a municipality ("kg:99101"); null of another place. */
export async function sitesIn(place, signal) {
  const [what, code] = (place ?? "").split(/:(.*)/s), of = { kg: { kg: code }, municipality: { gemeinde: code } }[what];
  if (!of) return null;
  const asked = { ...of, sort: "overlap", limit: 100 };
  const [areas, sites] = await Promise.all([call(land.searchProtectedArea(asked, { signal })), call(land.natura2000Search(asked, { signal }))]);
  return { protected_areas: areas.data, natura2000: sites.data, ready: areas.meta.ready };
}

/** The features of an OGC collection in [west, south, east, north]. */
export const overlayItems = (id, box) => call(items[id]({ bbox: box.map((v) => v.toFixed(5)).join(","), limit: 500, f: "json" }));
const items = { natura2000: land.ogcNatura2000Items, protected_areas: land.ogcProtectedAreasItems };

/** The answer of /query. */
export const queryParcels = (parameters) => call(land.query(Object.fromEntries(parameters)));

/** The address of the same parcels as a file. */
export const queryFile = (parameters, format) => land.url(land.query, { ...Object.fromEntries(parameters), format, limit: 100_000 });

/** The rows of all KGs. */
export async function kgList() {
  return (await call(around.kgs())).data.kgs;
}

/** The address points in [west, south, east, north], at most 100,000. */
export async function addressesIn([west, south, east, north]) {
  const fields = ["building_id", "kg_code", "parcel_id", "street", "house_number", "postal_code", "ort", "lon", "lat"];
  const at = (v) => v.toFixed(5);
  return (await call(land.spatialBbox({ west: at(west), south: at(south), east: at(east), north: at(north), layers: ["buildings"], fields, limit: 100_000 }))).data;
}

/** What surrounds a point; of a parcel there its area and KG are told too. */
export const contextAt = ({ lng, lat }, parcel, include, signal) => call(around.context({ lon: lng.toFixed(7), lat: lat.toFixed(7), include, ...(parcel && { kg: parcel.kg_code, area_sqm: parcel.area_sqm }) }, { signal }));

/** The roads, railways, waters, stops and settlements of a small box. */
export const osmShapes = async (parameters, signal) => (await call(around.osmGeometry(parameters, { signal }))).features;

/** The year whose prices are asked for: the services' default. */
export const priceYear = 2024;

/** The price estimate of a parcel, with its explanation, and whose data it rests on. */
export async function priceOf(id, signal) {
  const { data, meta } = await call(land.landPricesParcel({ parcel_id: id, year: priceYear }, { signal }));
  return { price: data[0] ?? null, meta };
}

/** The price estimates of up to 1,000 parcels. */
export const pricesOf = async (ids, signal) => (await call(land.landPricesBatchPost({ body: { year: priceYear, parcel_ids: ids }, fields: ["parcel_id", "buy_eur_per_sqm", "interval"] }, { signal }))).data;

/** What building land costs in the municipalities of a district. */
export const districtPrices = async (code, signal) => (await call(land.landPricesBezirk({ district_code: code, year: priceYear }, { signal }))).data[0]?.gemeinden ?? [];

/** The dates of a KG's snapshots, the newest first. */
export const versionsOf = async (kg, signal) => (await call(land.kgVersions({ kg }, { signal }))).dates ?? [];

/** What changed in a KG between two dates, as GeoJSON with the summary; at most 10,000 parcels. */
export const changesOf = (kg, from, to, signal) => call(land.kgDiff({ kg, from, to, format: "geojson", limit: 10_000 }, { signal }));

/** The parcels of a KG on a date, as GeoJSON; at most 20,000. */
export const parcelsOf = (kg, version, signal) => call(land.query({ kg: [kg], version, fields: ["parcel_id", "inside_lon", "inside_lat", "geometry"], format: "geojson", limit: 20_000 }, { signal }));

/** The rows of the cells of resolution 12 in [west, south, east, north], as columns. */
export const cellsIn = async (box, signal) => (await call(around.neCells({ bbox: corners(box), format: "json", fields: ["cell_id", "lu", "str_cover"] }, { signal }))).data.lu;

/** The cells of resolution 9 that hold those of a box. */
export const chunksIn = async (box, signal) => (await call(around.neCells({ bbox: corners(box), list: true }, { signal }))).data.chunks;

/** The rows below a cell of resolution 9, with what changed in each and the KGs' shares; fields chooses columns. */
export async function chunkOf(cell, fields, signal) {
  const answer = await call(around.neChunk({ h3_res9: cell, format: "json", layers: ["lu", "chg"], fields }, { signal, as: "response" }));
  return { ...(await answer.json()), kgs: answer.headers.get("x-ne-kgs") };
}

/** One cell of resolution 12. */
export const cellOf = (cell) => call(around.neCell({ h3: cell }));

/** What changed in the cells of KGs, at most 500, summed. */
export const cellChanges = async (kgs, signal) => (await call(around.neStats({ kg: kgs }, { signal }))).data;

/** The date of the snapshot that a KG's cells were made from. */
export const cellDate = async (kg) => (await call(around.neKgHead({ kg }))).data.stichtag;

// corners writes a box outwards, so that none of its cells is lost to rounding.
const corners = ([west, south, east, north]) => [Math.floor(west * 1e5), Math.floor(south * 1e5), Math.ceil(east * 1e5), Math.ceil(north * 1e5)].map((v) => (v / 1e5).toFixed(5)).join(",");
