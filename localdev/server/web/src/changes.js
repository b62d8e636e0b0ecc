// What changed in a KG between two versions, read from the rows of /kg/{kg}/diff.
import { changes as kinds } from "./palette.js";

/** kindOf is the kind of a row: added, removed, reshaped, or attributes where only those changed. */
export const kindOf = (row) => (row.change !== "changed" ? row.change : row.geometry_changed ? "reshaped" : "attributes");

/** numberOf is a parcel's number without its KG. */
export const numberOf = (id) => id.slice(6);

/** byKind are the rows of each kind, in the order of the answer. */
export function byKind(rows) {
  const out = new Map(kinds.map((k) => [k.id, []]));
  for (const row of rows) out.get(kindOf(row))?.push(row);
  return out;
}

const ids = (list) => list.map((p) => p.parcel_id);

/** events are what happened to several parcels together: {kind, from, to, row}, each once. A split is told by its old
 * parcel, a merger and a new number by the new one. */
export function events(rows) {
  const out = [];
  for (const row of rows) {
    const said = (row.events ?? "").split(",").map((e) => e.trim());
    if (said.includes("split") && row.to.length > 1) out.push({ kind: "split", from: [row.parcel_id], to: ids(row.to), row });
    if (said.includes("merge") && row.from.length > 1) out.push({ kind: "merge", from: ids(row.from), to: [row.parcel_id], row });
    if (said.includes("renumbered") && row.change === "added" && row.from.length) out.push({ kind: "renumbered", from: ids(row.from), to: [row.parcel_id], row });
  }
  return out;
}

/** side are the parcels of one of the two versions, each with what became of it, and a point for its number. */
export function side(collection, rows) {
  const kind = new Map(rows.map((r) => [r.parcel_id, kindOf(r)]));
  return { type: "FeatureCollection", features: collection.features.flatMap((f) => {
    const { parcel_id: id, inside_lon: lon, inside_lat: lat } = f.properties;
    const properties = { parcel_id: id, gnr: numberOf(id), change: kind.get(id) ?? "same" };
    const drawn = [{ type: "Feature", geometry: f.geometry, properties }];
    return lon == null || lat == null ? drawn : [...drawn, { type: "Feature", geometry: { type: "Point", coordinates: [lon, lat] }, properties }];
  }) };
}

/** others are the numbers of from or to of a row, where they are not the parcel's alone. */
export function others(row, list) {
  const numbers = (list ?? []).map((p) => p.parcel_id);
  return row.events && numbers.some((id) => id !== row.parcel_id) ? numbers.map(numberOf) : [];
}

/** attributes are the changed attributes of a row in words: ez: 1020 → 20. */
export const attributes = (row) => Object.entries(row.attributes ?? {}).map(([name, v]) => `${name}: ${v.before ?? "–"} → ${v.after ?? "–"}`);
