// Calls to the landscape service for lists of KGs and for one KG.
import { described, json } from "../land/ask.js";
import { filtersOf, namedOf, numbersOf, recordOf, typesOf } from "./columns.js";

const api = "/landscape/api/v1", page = 1000; // the service's limit of rows

/** description is what the service says of its index: {columns, numbers, named, filters, types}. */
export async function description() {
  const doc = await described();
  return { columns: recordOf(doc), numbers: numbersOf(doc), named: namedOf(doc), filters: filtersOf(doc), types: typesOf(doc) };
}

/** kgsOf are all KGs that pass filters, with some columns, and the answer's meta: {rows, meta}. */
export async function kgsOf(filters, fields, signal) {
  const rows = [];
  for (;;) {
    const asked = new URLSearchParams({ ...filters, fields: fields.join(","), limit: page, offset: rows.length });
    const { results, total, meta } = await json(`${api}/query/compound?${asked}`, { signal });
    rows.push(...results);
    if (rows.length >= total || !results.length) return { rows, meta };
  }
}

/** profileOf is a KG in one answer: cadastre, land use, laws, landscape. */
export const profileOf = (code, signal) => json(`${api}/kg/${encodeURIComponent(code)}/profile`, { signal });

/** heightsOf is the height field of a KG, of cells so large that there are some 20,000. */
export function heightsOf(code, [west, south, east, north], signal) {
  const metres = (east - west) * 111_320 * Math.cos(((south + north) / 2) * (Math.PI / 180)), high = (north - south) * 111_320;
  const cell = Math.min(Math.max(Math.ceil(Math.sqrt((metres * high) / 20_000)), 20), 500);
  return json(`${api}/kg/${encodeURIComponent(code)}/heightfield?cell=${cell}`, { signal });
}

/** sourcesOf are the sources of the landscape with their licences. */
export const sourcesOf = async (signal) => (await json(`${api}/attribution`, { signal })).data;

/** outlineOf is the outline of a KG as a feature. */
export const outlineOf = (code, signal) => json(`/cadastre/ogc/collections/kgs/items/${encodeURIComponent(code)}?f=json`, { signal });
