// Calls to the landscape service. Every failure is an Error with the service's own message, in English, or with ours.
import { t } from "../words.js";

const root = "/landscape", api = `${root}/api/v1`;

/** Refused is what the service says: status 0 where it cannot be reached; body is the whole answer, where it was JSON. */
export class Refused extends Error {
  constructor(message, status = 0, body = null) {
    super(message);
    this.status = status;
    this.body = body;
    this.english = status > 0;
  }
}

async function sent(path, options = {}) {
  let reply;
  try {
    reply = await fetch(path, options);
  } catch (e) {
    if (e.name === "AbortError") throw e;
    throw new Refused(t("the service cannot be reached"));
  }
  if (reply.ok) return reply;
  const said = await reply.json().catch(() => null);
  throw new Refused(said?.error ?? t("the service answered {status}", { status: reply.status }), reply.status, said);
}

/** json is the answer of a path. */
export const json = async (path, options) => (await sent(path, options)).json();

/** layersIn are the rasters of [west, south, east, north], with their dates, licences and what is missing. */
export const layersIn = (box, signal) => json(`${api}/layers?bbox=${box.map((v) => v.toFixed(6)).join(",")}`, { signal });

/** readFile are the features of a file as the services read it: GeoJSON, each with its heights. */
export const readFile = (bytes, signal) => json(`${api}/elevation`, { method: "POST", body: bytes, signal });

/** heightsAt are the heights of places on a date, "" for the newest: {features, meta}. */
export const heightsAt = (places, dataset, signal) => json(`${api}/elevation${dataset ? `?dataset=${dataset}` : ""}`, {
  method: "POST", signal, body: JSON.stringify({ type: "FeatureCollection", features: places.map((at) => ({ type: "Feature", properties: null, geometry: { type: "Point", coordinates: at.map((v) => +v.toFixed(7)) } })) }),
});

/** described is the description of the service (openapi.json), asked for once; served are the paths that it answers. */
let known;
export function described() {
  known ??= json(`${root}/openapi.json`).catch((e) => { known = undefined; throw e; });
  return known;
}
export const served = async () => new Set(Object.keys((await described()).paths));

/** landOf is what analysis found on a parcel; null where it was not analysed. */
export async function landOf(id, signal) {
  try {
    return await json(`${api}/parcel/${encodeURIComponent(id)}`, { signal });
  } catch (e) {
    if (e.status === 404 && e.body?.processed === false) return null;
    throw e;
  }
}

/** begin asks a question in the background: the id of its task. The same question is the same task. */
export async function begin(path, geometry, params, signal) {
  const { task_id } = await json(`${root}${path}?async=true&format=geojson`, { method: "POST", signal, body: JSON.stringify({ geometry, params }) });
  return task_id;
}

/** stopped asks for the objects of a box as a file, in the background: {task_id, poll_url, estimated_seconds}. */
export const stopped = (box, params, signal) => json(`${api}/onestop?${new URLSearchParams({ bbox: box.map((v) => v.toFixed(6)).join(","), ...params })}`, { signal });

/** stopFile is the address of the file that a task made. */
export const stopFile = (id) => `${api}/onestop?task_id=${encodeURIComponent(id)}`;

/** progress is the state of a task: {status, step, fraction, detail, error, ...}. */
export const progress = (id, signal) => json(`${api}/segment/progress?task_id=${encodeURIComponent(id)}`, { signal });

/** abort ends a task. */
export const abort = (id) => json(`${api}/segment/abort?task_id=${encodeURIComponent(id)}`, { method: "POST" });

/** share is a result with its question and area: {kind, question, geometry, result}. */
export const share = (name, signal) => json(`${api}/share/${encodeURIComponent(name)}`, { signal });

/** shareFile is the address of a share as GeoPackage, of some types alone. */
export const shareFile = (name, types) => `${api}/share/${encodeURIComponent(name)}/download.gpkg${types?.length ? `?types=${types.join(",")}` : ""}`;

const pause = (ms, signal) => new Promise((done, fail) => {
  const timer = setTimeout(done, ms);
  signal?.addEventListener("abort", () => { clearTimeout(timer); fail(new DOMException("", "AbortError")); }, { once: true });
});

const first = 250, longest = 1000; // ms between two looks at a task

/** followed is the state of a task at its end; tell hears of each before. A look that fails for a while is repeated. */
export async function followed(id, tell, signal) {
  for (let wait = first, failures = 0; ; wait = Math.min(wait * 1.5, longest)) {
    try {
      const state = await progress(id, signal);
      failures = 0;
      if (!state.active) return state;
      tell(state);
    } catch (e) {
      if (e.name === "AbortError" || (e.status > 0 && e.status < 500 && e.status !== 429) || ++failures > 5) throw e;
      wait = longest * failures;
    }
    await pause(wait, signal);
  }
}
