// Calls to the services. Every failure becomes an Error with the service's own message.
import { t } from "./words.js";

const cadastre = "/cadastre/api/v1";
const context = "/context/api/v1";

async function call(path, body) {
  let reply;
  try {
    reply = await fetch(path, body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new Error(t("the service cannot be reached"));
  }
  const answer = await reply.json().catch(() => ({ error: t("the service answered {status}", { status: reply.status }) }));
  if (!reply.ok) throw new Error(answer.error ?? t("the service answered {status}", { status: reply.status }));
  return answer;
}

/** The id of the parcel that contains a point, or null. */
export async function parcelAt({ lng, lat }) {
  const answer = await call(cadastre + "/spatial/points", { points: [{ lon: lng, lat }] });
  return answer.results[0].matched ? answer.results[0].parcel.parcel_id : null;
}

/** The geometry row of one parcel, or null when no parcel has the id. */
export async function parcelGeometry(id) {
  const answer = await call(cadastre + "/parcels/geometry/batch", { ids: [id] });
  return answer.data[0] ?? null;
}

/** The full parcel row, its KG, and the address points inside its outline. */
export async function parcelDetails(row) {
  const [answer, kgs] = await Promise.all([
    call(cadastre + "/spatial/polygon", { polygons: [row.geometry], layers: ["parcels", "buildings"] }),
    call(`${context}/kgs?codes=${row.kg_code}`),
  ]);
  const { parcels, buildings } = answer.results[0];
  return { parcel: parcels.find((p) => p.parcel_id === row.parcel_id) ?? row, kg: kgs.data.kgs[0], buildings };
}

/** The features of an OGC collection in [west, south, east, north]. */
export const overlayItems = (id, box) => call(`/cadastre/ogc/collections/${id}/items?${new URLSearchParams({ bbox: box.map((v) => v.toFixed(5)).join(","), limit: "500", f: "json" })}`);

/** The answer of /query. */
export const queryParcels = (parameters) => call(`${cadastre}/query?${parameters}`);

/** The address of the same parcels as a file. */
export const queryFile = (parameters, form) => `${cadastre}/query?${new URLSearchParams([...parameters, ["format", form], ["limit", "100000"]])}`;

/** The rows of all KGs. */
export async function kgList() {
  return (await call(`${context}/kgs`)).data.kgs;
}

/** The address points in [west, south, east, north], at most 100,000. */
export async function addressesIn([west, south, east, north]) {
  const fields = "building_id,kg_code,parcel_id,street,house_number,postal_code,ort,lon,lat";
  const at = (v) => v.toFixed(5);
  const query = new URLSearchParams({ west: at(west), south: at(south), east: at(east), north: at(north), layers: "buildings", fields, limit: "100000" });
  return (await call(`${cadastre}/spatial/bbox?${query}`)).data;
}
