// The landscape's pure parts: the table of analyses, rows and bins, files for other programs, colours of cells, the profile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { analyses, analysisOf, bins, classesOf, csv, mostOf, plain, rowsOf, sorted, warningsOf } from "../src/land/analyses.js";
import { ticks, facts, path } from "../src/land/profile.js";
import { classOf, kinds, light, painted, ranges, slope } from "../src/land/shade.js";

const feature = (properties, coordinates = [13, 47]) => ({ type: "Feature", properties, geometry: { type: "Point", coordinates } });

test("an analysis is a row of a table", () => {
  for (const a of analyses) {
    assert.ok(a.path.startsWith("/api/v"), a.id);
    assert.ok(a.columns[a.sorted.column], a.id);
    assert.equal(analysisOf(a.id), a);
    for (const kind of a.kinds) assert.equal(analysisOf(kind), a);
    assert.equal(new Set(a.classes.flatMap((c) => c.types)).size, a.classes.flatMap((c) => c.types).length, `${a.id}: a type in two classes`);
  }
  assert.equal(analysisOf("terrain"), undefined);
  // A type of change that no class names is a class of its own, and counts.
  const changes = analysisOf("changes"), features = [feature({ type: "road_new", area_sqm: 5, confidence: 0.5 }), feature({ type: "road_widened", area_sqm: null }), feature({ type: "meteorite", area_sqm: 9 })], classes = classesOf(changes, features);
  assert.deepEqual(classes.map((c) => [c.id, c.n]), [["roads", 2], ["meteorite", 1]]);
  const rows = rowsOf(changes, features, classes);
  assert.deepEqual(rows.map((r) => [r.class, r.cells[1], r.confidence]), [[0, 5, 0.5], [0, null, null], [1, 9, null]]);
  assert.deepEqual(sorted(rows, 1, true).map((r) => r.i), [2, 0, 1]);
  assert.deepEqual(sorted(rows, 1, false).map((r) => r.i), [0, 2, 1], "what is not known stands last both ways");
  assert.deepEqual(sorted(rows, 0, false).map((r) => r.cells[0]), ["meteorite", "road_new", "road_widened"]);
  const objects = ["roof", "tree", "roof"].map((type) => feature({ type, area_sqm: 1, classifier_source: "rf" }));
  assert.deepEqual(classesOf(analysisOf("segment"), objects).map((c) => [c.id, c.n]), [["tree", 1], ["roof", 2]], "in the order of the table");
  assert.equal(plain("conifer_unspecified"), "conifer");
});

test("of objects no more are asked for than a result keeps", () => {
  const objects = analysisOf("segment"), km2 = 1e6;
  assert.equal(mostOf(objects, {}, 25 * km2), 3 * km2);
  assert.equal(mostOf(objects, { min_object_size: 500 }, 25 * km2), 15 * km2, "larger objects are fewer");
  assert.equal(mostOf(objects, { min_object_size: 10000 }, 25 * km2), 25 * km2, "the services' limit stays");
  assert.equal(mostOf(analysisOf("changes"), {}, 25 * km2), 25 * km2);
  assert.deepEqual([objects.fixed(0.9 * km2), objects.fixed(1.1 * km2)], [{ explain: true }, {}], "reasons of a small area alone");
});

test("what a result warns of is shown once", () => {
  const texts = ["the height model of 2024-09-15 covers 94.9 % of the area", "footprints of buildings are not known everywhere", "the trained model is not used: its file is damaged", "layers that are not at hand make types less sure: sar", "no height model covers the area: /layers says where there is one"];
  assert.deepEqual(warningsOf({ warnings: texts }), texts.slice(2, 4));
  assert.deepEqual([warningsOf({}), warningsOf(undefined)], [[], []]);
});

test("a histogram counts every known value once", () => {
  assert.deepEqual(bins([0.5, 1.9, 2, 7.9, NaN, null, undefined], 2), [{ from: 0, to: 2, n: 2 }, { from: 2, to: 4, n: 1 }, { from: 4, to: 6, n: 0 }, { from: 6, to: 8, n: 1 }]);
  assert.deepEqual(bins([-3], 2), [{ from: -4, to: -2, n: 1 }]);
  assert.deepEqual(bins([], 2), []);
  const many = bins(Array.from({ length: 5000 }, (_, i) => i - 700), 2);
  assert.ok(many.length <= 61);
  assert.equal(many.reduce((s, b) => s + b.n, 0), 5000);
});

test("a spreadsheet reads what is taken away", () => {
  const rows = [feature({ type: 'a, "b"', n: -1.5, list: ["x"] }), feature({ type: "=HYPERLINK(1)", n: null, more: true })].map((f) => ({ properties: f.properties, geometry: f.geometry }));
  assert.equal(csv(rows, (r) => r.geometry.coordinates), 'type,n,list,more,lon,lat\r\n"a, ""b""",-1.5,"[""x""]",,13.0000000,47.0000000\r\n\'=HYPERLINK(1),,,true,13.0000000,47.0000000\r\n');
  for (const [text, cell] of [["-1+2", "'-1+2"], ["-1.5", "-1.5"], ["+43", "+43"], ["+A1", "'+A1"], ["-.5|x", "'-.5|x"], ["@SUM(1)", "'@SUM(1)"], ["\t=1", "'\t=1"], ["-", "'-"], ["1-2", "1-2"], [-2, "-2"], [-1e-7, "-1e-7"]]) {
    assert.equal(csv([{ properties: { v: text } }], () => []), `v,lon,lat\r\n${cell}\r\n`);
  }
});

test("cells have the colours of their legend", () => {
  for (const { classes } of Object.values(kinds)) for (const [i, c] of (classes ?? []).entries()) {
    assert.equal(classOf(classes, Math.max(c.from, -1e9)), i);
    if (i) assert.equal(classOf(classes, c.from - 0.01), i - 1);
  }
  assert.deepEqual(ranges(kinds.change.classes).map((r) => [r.from, r.to]), [[-Infinity, -10], [-10, -3], [-3, -1], [1, 3], [3, 10], [10, Infinity]]);
  assert.ok(Math.abs(slope(1, 0) - 45) < 1e-9);
  assert.ok(Math.abs(light(0, 0) - Math.SQRT1_2) < 1e-9, "level ground");
  assert.ok(light(0.3, -0.3) > light(-0.3, 0.3), "ground that falls to the north-west is bright"); // rises to the south-east
  const n = 5, plane = Float32Array.from({ length: n * n }, (_, i) => (i % n) * 2), pixel = (p, i) => [...p.slice(i * 4, i * 4 + 4)];
  const steep = painted("slope", [plane], n, 2); // 45 degrees
  assert.deepEqual(pixel(steep, 4), [0x6a, 0x1f, 0x4d, 255]);
  plane[12] = NaN;
  assert.equal(pixel(painted("hillshade", [plane], n, 2), 3)[3], 0, "beside what is not known nothing is drawn");
  const high = new Float32Array(n * n).fill(10), low = new Float32Array(n * n).fill(8.5);
  assert.deepEqual(pixel(painted("canopy", [high, low], n, 1), 0), [0xf1, 0xf0, 0xb8, 255]);
  assert.deepEqual(pixel(painted("change", [high, low], n, 1), 0), [0xf2, 0xb3, 0x6a, 255], "lower by 1.5 m");
  assert.equal(pixel(painted("change", [high, high], n, 1), 0)[3], 0, "what has not changed is not drawn");
});

test("a profile", () => {
  assert.deepEqual(ticks(0, 100, 4), [0, 50, 100]);
  assert.deepEqual(ticks(701, 709, 4), [702, 704, 706, 708]);
  const points = [[0, 10, 12], [1, 10.2, 10.2], [2, 12, null], [3, null, null], [4, 11, 31]].map(([m, dtm, dsm]) => ({ m, dtm, dsm }));
  assert.deepEqual(facts(points), { length: 4, up: 2, down: 1, low: 10, high: 12, canopy: 20 });
  assert.equal(path(points, (m) => m, (v) => v, (p) => p.dtm), "M0.0 10.0L1.0 10.2L2.0 12.0M4.0 11.0");
});
