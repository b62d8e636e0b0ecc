// What lies in an area, in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { largest, lines } from "../src/land/areaparts.js";

const area = {
  area_sqm: 20000, ready: true, parcels: { count: 3, within: 1, overlap_sqm: 19000, overlap_of_area_pct: 95 },
  landuse: { classes: [{ class: "wald", overlap_sqm: 15000, overlap_of_area_pct: 75 }, { class: "gruen", overlap_sqm: 1, overlap_of_area_pct: 0.005 }], uses: [{ class: "wald", code: 56, overlap_sqm: 15000, overlap_of_area_pct: 75 }, { class: "gruen", code: 52, overlap_sqm: 1, overlap_of_area_pct: 0.005 }] },
  protected_areas: Array.from({ length: 14 }, (_, i) => ({ name: `Park ${i}`, desig: "Naturpark", overlap_sqm: 100, overlap_of_area_pct: 0.5, overlap_of_site_pct: 12 })), natura2000: [],
  prices: { year: 2024, classes: [{ class: "wald", parcel_count: 2, median_eur_per_sqm: 1.5, low_eur_per_sqm: 1, high_eur_per_sqm: 2 }, { class: "other", parcel_count: 1, median_eur_per_sqm: null }] },
  buildings: { address_point_count: 0, footprint_count: 1, footprint_overlap_sqm: 50, footprint_overlap_of_area_pct: 0.25 },
};

test("every part says its square metres and shares", () => {
  const of = Object.fromEntries(lines(area).map((p) => [p.title, p]));
  assert.deepEqual(of["Parcels"].rows, [["3 parcels, 1 of them whole", "19,000 m² (95.0 %)"]]);
  assert.deepEqual(of["Land use"].rows, [["Forest", "15,000 m² (75.0 %)"], ["Grassland", "1 m² (< 0.01 %)"]]);
  assert.equal(of["Protected areas"].rows.length, 12);
  assert.equal(of["Protected areas"].more, 2);
  assert.deepEqual(of["Protected areas"].rows[0], ["Park 0, Naturpark", "100 m² (0.50 %) of the area, 12.0 % of the site"]);
  assert.deepEqual([of["Natura 2000"].rows, of["Natura 2000"].empty], [[], "none"]);
  assert.deepEqual(of["Estimated prices 2024, € for 1 m²"].rows, [["Forest (2)", "1.50 (1.00 to 2.00)"], ["Other (no price) (1)", "no price"]]);
  assert.deepEqual(of["Buildings"].rows, [["1 footprints", "50 m² (0.25 %)"], ["Addresses", "0"]]);
});

test("parcels stand by what of them lies in the area; what is not known stands last", () => {
  const list = [["1-10", 5], ["1-2", 5], ["1-1", null], ["1-3", 700]].map(([parcel_id, overlap_sqm]) => ({ parcel_id, overlap_sqm }));
  assert.deepEqual(largest(list).map((p) => p.parcel_id), ["1-3", "1-2", "1-10", "1-1"]);
});

test("a part that the service has no data of is not shown; of a place that is too large its sites are", () => {
  assert.deepEqual(lines({ area_sqm: 1, parcels: { count: 0, within: 0, overlap_sqm: 0, overlap_of_area_pct: 0 } }).map((p) => [p.title, p.rows.length]), [["Parcels", 0]]);
  const [site] = lines({ natura2000: [{ sitename: "Au", sitecode: "AT1", overlap_sqm: 10, overlap_of_place_pct: 20, overlap_of_site_pct: 100 }] });
  assert.deepEqual(site.rows, [["Au AT1", "10 m² (20.0 %) of the area, 100.0 % of the site"]]);
});
