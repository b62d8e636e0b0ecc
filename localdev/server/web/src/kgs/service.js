// Calls to the landscape service for lists of KGs and for one KG.
import { described, json } from "../land/ask.js";
import { filtersOf, namedOf, numbersOf, recordOf, typesOf } from "./columns.js";

const api = "/landscape/api/v1", page = 1000; // the service's limit of rows

/** description is what the service says of its index: {columns, numbers, named, filters, types}. */
export async function description() {
  const doc = await described();
  return { columns: recordOf(doc), numbers: numbersOf(doc), named: namedOf(doc), filters: filtersOf(doc), types: typesOf(doc) };
}

/** kgsOf are all KGs that pass filters, with some columns, and the answer's meta: {rows, meta}. The pages behind the first are asked for
 * together; where a publication came between them, all once more. */
export async function kgsOf(filters, fields, signal) {
  const from = (offset) => json(`${api}/query/compound?${new URLSearchParams({ ...filters, fields: fields.join(","), limit: page, offset })}`, { signal });
  for (let tries = 3; ; tries--) {
    const first = await from(0);
    const rest = await Promise.all(Array.from({ length: Math.max(Math.ceil(first.total / page) - 1, 0) }, (_, i) => from((i + 1) * page)));
    const rows = [first, ...rest].flatMap((p) => p.results);
    if (tries === 1 || (rows.length === first.total && rest.every((p) => p.total === first.total))) return { rows, meta: first.meta };
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
