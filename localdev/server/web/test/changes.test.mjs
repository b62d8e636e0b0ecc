// What is read from the rows of a comparison.
import assert from "node:assert/strict";
import { test } from "node:test";
import { attributes, byKind, events, kindOf, others, side } from "../src/changes.js";

const row = (gnr, change, more = {}) => ({ parcel_id: `09901-${gnr}`, change, events: null, geometry_changed: false, attributes: {}, from: [], to: [], ...more });
const of = (...numbers) => numbers.map((gnr) => ({ parcel_id: `09901-${gnr}` }));
const rows = [
  row(".25", "changed", { events: "split", geometry_changed: true, from: of(".25"), to: of("91", ".25") }),
  row("91", "added", { events: "split", from: of(".25") }),
  row("12", "removed", { events: "split", to: of("12/1", "12/2") }),
  row(".34", "changed", { events: "merge", geometry_changed: true, from: of(".34", "37"), to: of(".34") }),
  row("37", "removed", { events: "merge", to: of(".34") }),
  row(".6", "added", { events: "renumbered", from: of("7") }),
  row("7", "removed", { events: "renumbered", to: of(".6") }),
  row("5", "changed", { events: "split, merge", geometry_changed: true, from: of("5", "6"), to: of("5", "8") }),
  row(".15", "changed", { attributes: { ez: { before: "1020", after: "20" }, status: { before: null, after: "G" } } }),
];

test("a row is of one kind", () => {
  assert.deepEqual(rows.map(kindOf), ["reshaped", "added", "removed", "reshaped", "removed", "added", "removed", "reshaped", "attributes"]);
  assert.deepEqual([...byKind(rows)].map(([k, list]) => [k, list.length]), [["added", 2], ["removed", 3], ["reshaped", 3], ["attributes", 1]]);
});

test("splits, mergers and new numbers are told once each", () => {
  const short = (id) => id.slice(6);
  assert.deepEqual(events(rows).map((e) => `${e.kind} ${e.from.map(short)} > ${e.to.map(short)}`), [
    "split .25 > 91,.25", "split 12 > 12/1,12/2", "merge .34,37 > .34", "renumbered 7 > .6", "split 5 > 5,8", "merge 5,6 > 5",
  ]);
});

test("a row tells the other parcels on its ground, and its attributes", () => {
  assert.deepEqual(others(rows[0], rows[0].from), [], "only itself");
  assert.deepEqual(others(rows[0], rows[0].to), ["91", ".25"]);
  assert.deepEqual(others({ ...rows[0], events: null }, rows[0].to), []);
  assert.deepEqual(attributes(rows.at(-1)), ["ez: 1020 → 20", "status: – → G"]);
});

test("a side has every parcel with what became of it, and a point for its number", () => {
  const shape = { type: "Polygon", coordinates: [] };
  const got = side({ features: [{ geometry: shape, properties: { parcel_id: "09901-91", inside_lon: 13, inside_lat: 47 } }, { geometry: shape, properties: { parcel_id: "09901-92" } }] }, rows);
  assert.deepEqual(got.features.map((f) => [f.geometry.type, f.properties.gnr, f.properties.change]), [["Polygon", "91", "added"], ["Point", "91", "added"], ["Polygon", "92", "same"]]);
});
