// What the filter panel asks for, and what it makes of the answer. The page's modules import the code table as
// text, so they are bundled first.
import assert from "node:assert/strict";
import { build } from "esbuild";
import { test } from "node:test";

const bundled = await build({ entryPoints: [new URL("../src/filter.js", import.meta.url).pathname], bundle: true, write: false, format: "esm", platform: "neutral", loader: { ".csv": "text" } });
const { area, asked, findIn, findText, shares } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString("base64")}`);

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
