// Calls to the cadastre service. Every failure becomes an Error with the service's own message.
const cadastre = "/cadastre/api/v1";
const context = "/context/api/v1";

async function call(path, body) {
  const reply = await fetch(path, body && {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await reply.json().catch(() => ({ error: `the service answered ${reply.status}` }));
  if (!reply.ok) throw new Error(answer.error ?? `the service answered ${reply.status}`);
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
