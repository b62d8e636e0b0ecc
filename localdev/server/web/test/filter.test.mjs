// What the filter panel asks for, and what it makes of the answer. The page's modules import the code table as
// text, so they are bundled first.
import assert from "node:assert/strict";
import { build } from "esbuild";
import { test } from "node:test";

const contents = 'export * from "./filter.js"; export { asked as service, ordered, orderIn, orderText, sheetOf } from "./foundtable.js";';
const bundled = await build({ stdin: { contents, resolveDir: new URL("../src/", import.meta.url).pathname }, bundle: true, write: false, format: "esm", platform: "neutral", loader: { ".csv": "text" } });
const { area, asked, findIn, findText, ordered, orderIn, orderText, service, sheetOf, shares } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString("base64")}`);

test("a form asks for what it holds, in the box of the map", () => {
  const query = asked({ landuse: "56", min_area: "", max_area: "1000", has_buildings: "true", status: "", other: "x" }, [13.2, 47.1, 13.25, 47.2]);
  assert.equal(query.toString(), "min_lon=13.200000&min_lat=47.100000&max_lon=13.250000&max_lat=47.200000&landuse=56&max_area=1000&has_buildings=true");
});

test("shares are of the known area, the largest first, the small ones together", () => {
  const rows = [{ code: 41, area_sqm: 100 }, { code: 56, area_sqm: 300 }, { code: 95, area_sqm: null }, { code: 61, area_sqm: 0 }];
  const list = shares(rows);
  assert.deepEqual(list.map((s) => [s.area, s.share, s.class]), [[300, 0.75, "wald"], [100, 0.25, "geb"]]);
  const many = shares(Array.from({ length: 12 }, (_, i) => ({ code: 41 + i, area_sqm: 12 - i })));
  assert.equal(many.length, 9);
  assert.equal(many.at(-1).area, 4 + 3 + 2 + 1);
  assert.ok(Math.abs(many.reduce((sum, s) => sum + s.share, 0) - 1) < 1e-12);
  assert.deepEqual(shares([]), []);
});

test("areas are read in square metres, large ones in hectares", () => {
  assert.deepEqual([area(0), area(1234.4), area(99_999), area(1_234_567)], ["0 m²", "1,234 m²", "99,999 m²", "123.5 ha"]);
});

test("a filter in an address", () => {
  assert.equal(findText({ landuse: "48", min_area: "100", max_area: "" }), "landuse:48,min_area:100");
  assert.deepEqual(findIn("landuse:48,min_area:100,__proto__:1,zoo:2,status"), { landuse: "48", min_area: "100" });
  assert.equal(findText({}), "all");
});

test("the order of the table in an address", () => {
  for (const text of ["area_asc", "number_desc", "use_asc", "status_desc", "folio_asc", "buildings_desc"]) assert.equal(orderText(orderIn(text)), text);
  for (const bad of ["", "area", "area_up", "zoo_asc", "area_asc ", "__proto___asc"]) assert.equal(orderIn(bad), null, bad);
  assert.equal(findText({ landuse: "48" }, orderIn("number_asc")), "landuse:48,sort:number_asc");
  assert.equal(findText({}, orderIn("area_desc")), "all", "the usual order is not said");
  assert.equal(findText({}, orderIn("use_asc")), "sort:use_asc");
  assert.deepEqual(findIn("landuse:48,sort:number_asc"), { landuse: "48", sort: "number_asc" });
  assert.deepEqual(findIn("landuse:48,sort:zoo_asc"), { landuse: "48" });
  assert.deepEqual(["area_desc", "area_asc", "number_asc", "number_desc", "use_asc"].map((text) => service(orderIn(text))), ["area_desc", "area_asc", "gnr", "", ""]);
});

test("rows stand in their order; what is not known comes last, equal ones by their parcel id", () => {
  const rows = [["99101-10", 5, 48, 2, 7], ["99101-.2/1", 9, 56, 0, null], ["09902-2", 5, 48, 1, 12], ["99101-2/10", 1, null, 0, 7], ["99101-2/9", 3, 41, 10, 3], ["99101-.2", 4, 41, 0, 0]]
    .map(([parcel_id, area_sqm, dominant_landuse, footprint_count, ez], i) => ({ parcel_id, area_sqm, dominant_landuse, footprint_count, ez, status: i % 2 ? "E" : "G" }));
  const of = (text) => ordered(rows, orderIn(text)).map((p) => p.parcel_id.slice(3));
  assert.deepEqual(of("area_desc"), ["01-.2/1", "02-2", "01-10", "01-.2", "01-2/9", "01-2/10"]);
  assert.deepEqual(of("area_asc"), ["01-2/10", "01-2/9", "01-.2", "02-2", "01-10", "01-.2/1"]);
  assert.deepEqual(of("number_asc"), ["02-2", "01-.2", "01-.2/1", "01-2/9", "01-2/10", "01-10"]);
  assert.deepEqual(of("number_desc"), ["01-10", "01-2/10", "01-2/9", "01-.2/1", "01-.2", "02-2"]);
  assert.equal(of("use_asc").at(-1), "01-2/10");
  assert.equal(of("use_desc").at(-1), "01-2/10");
  assert.deepEqual(of("folio_desc").slice(-2), ["01-.2", "01-.2/1"]);
  assert.deepEqual(of("buildings_desc").slice(0, 2), ["01-2/9", "01-10"]);
  assert.deepEqual(sheetOf(rows.slice(0, 1)), [["Parcel", "Area, m²", "Land use", "Buildings", "EZ", "Boundary"], ["99101-10", 5, sheetOf(rows)[1][2], 2, 7, "G"]]);
});
