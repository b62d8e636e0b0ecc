// The pure parts of the national page and of the profile of a KG: what is read from the description of the service, classes, the
// order and the file of the ranking, charts of heights and losses, what a parcel's card says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { classIn, classesOf, spread } from "../src/kgs/classes.js";
import { asked, filtersOf, numbersOf, recordOf, titleOf, typesOf, unitIn } from "../src/kgs/columns.js";
import { figure, withUnit } from "../src/kgs/figures.js";
import { placesOf } from "../src/kgs/filterform.js";
import { grouped, lossByYear } from "../src/kgs/profile.js";
import { fileOf, ranked } from "../src/kgs/ranking.js";
import { kgsOf } from "../src/kgs/service.js";
import { cellsOf, distribution, inside, shaded } from "../src/kgs/terrain.js";
import { step } from "../src/kgs/charts.js";
import { asked as stopParameters, boxOf, optionsOf } from "../src/land/onestop.js";
import { factsOf } from "../src/parcelterrain.js";

const parameter = (name, schema = { type: "number" }, description = "") => ({ name, in: "query", schema, description });
const doc = {
  paths: {
    "/api/v1/query/compound": { get: {
      parameters: [
        parameter("bbox", { type: "string" }), parameter("state", { type: "string" }), parameter("processed_only", { type: "boolean" }, "true leaves out."), parameter("sort", { enum: ["kg_code", "tree_mean_height_m", "n_tiles"] }), parameter("pretty", { type: "boolean" }),
        parameter("landcover_filters", { type: "array", items: { type: "string" } }, "Filters type:min_area_sqm:min_fraction, with commas between."), parameter("quality_grade", { type: "array", items: { enum: ["A", "B"] } }),
        parameter("min_n_tiles"), parameter("max_n_tiles"), parameter("min_tree_mean_height_m"), parameter("max_tree_mean_height_m"), parameter("min_lonely"),
      ],
      responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Listed" } } } } },
    } },
    "/api/v1/onestop": { get: { parameters: [parameter("format", { enum: ["json", "gpkg"] }), parameter("include_ortho", { type: "boolean", default: true }), parameter("include_segments_vector", { type: "boolean", default: false })] } },
  },
  components: { schemas: {
    Listed: { properties: { results: { items: { $ref: "#/components/schemas/Row" } } } },
    Row: { properties: {
      tree_mean_height_m: { type: ["number", "null"], description: "Mean height of trees. Unit: m." }, n_tiles: { type: ["integer", "null"], description: "Squares of 1 km." }, state_code: { type: ["string", "null"] }, state_name: { type: ["string", "null"] },
      processed: { type: "boolean" }, dominant_type: { type: ["string", "null"], enum: ["tree", "crop", null] }, lonely: { type: "number" },
    } },
  } },
};

test("the form is what the service describes", () => {
  assert.deepEqual(filtersOf(doc).map((f) => [f.kind, f.name]), [["place", "state"], ["flag", "processed_only"], ["types", "landcover_filters"], ["list", "quality_grade"], ["range", "n_tiles"], ["range", "tree_mean_height_m"]]);
  assert.deepEqual(numbersOf(doc).map((c) => [c.name, c.title, c.unit, c.doc]), [["tree_mean_height_m", "Tree mean height", "m", "Mean height of trees."], ["n_tiles", "Number of tiles", "", "Squares of 1 km."]], "in the order in which the service sorts");
  assert.deepEqual(filtersOf(doc)[2].parts.map((p) => [p.name, p.unit]), [["min_area_sqm", "m²"], ["min_fraction", ""]]);
  assert.deepEqual(typesOf(doc), ["tree", "crop"]);
  assert.equal(recordOf(doc).find((c) => c.name === "processed").type, "boolean");
  assert.deepEqual([filtersOf({}), numbersOf({}), recordOf({})], [[], [], []]);
  assert.deepEqual(asked(filtersOf(doc), { by: "n_tiles", min_n_tiles: "3", quality_grade: "A", bbox: "1,2,3,4", other: "x", state: "" }), { min_n_tiles: "3", quality_grade: "A" });
  assert.deepEqual([titleOf("sar_vv_mean_db"), titleOf("n_changed_segments"), unitIn("Mean. Unit: m³."), unitIn("Unit of sale.")], ["SAR VV mean", "Number of changed segments", "m³", ""]);
});

test("classes hold every known value, and none that is not known", () => {
  const values = [null, undefined, NaN, 0, 0, 1, 5, 9, 100], quantiles = classesOf(values, 3), equal = classesOf(values, 4, "equal");
  assert.deepEqual(quantiles, { from: [0, 1, 9], least: 0, most: 100 });
  assert.deepEqual(equal.from, [0, 25, 50, 75]);
  assert.deepEqual(values.map((v) => classIn(quantiles, v)), [-1, -1, -1, 0, 0, 1, 1, 2, 2], "nothing known is no class, zero is one");
  assert.deepEqual(classesOf([7, 7, 7], 5), { from: [7], least: 7, most: 7 });
  assert.deepEqual(classesOf([null], 5), { from: [], least: null, most: null });
  assert.equal(classIn(equal, 100), 3);
  assert.deepEqual([spread("abcdefg".split(""), 2), spread("abcdefg".split(""), 1), spread("abcdefg".split(""), 7)], [["a", "g"], ["d"], "abcdefg".split("")]);
});

test("the ranking sorts both ways, and what is not known stands last", () => {
  const rows = [{ kg_code: "3", v: null }, { kg_code: "2", v: 5, processed: true }, { kg_code: "1", v: 0, processed: true }, { kg_code: "0", v: 5 }];
  assert.deepEqual(ranked(rows, "v", true).map((r) => r.kg_code), ["0", "2", "1", "3"]);
  assert.deepEqual(ranked(rows, "v", false).map((r) => r.kg_code), ["1", "0", "2", "3"]);
  assert.equal(fileOf([{ kg_code: "01004", kg_name: "=1+1", v: null, centroid: [16.37, 48.2], processed: false }], [{ name: "kg_name" }, { name: "v" }]), "kg_code,processed,kg_name,v,lon,lat\r\n01004,false,'=1+1,,16.3700000,48.2000000\r\n", "a formula is a text, and what is not known is no zero");
  const places = [{ s_code: "5", s_name: "S", d_code: "501", d_name: "B" }, { s_code: "5", s_name: "S", d_code: "502", d_name: "A" }, { s_code: "6", s_name: "T", d_code: "601", d_name: "C" }], [state, district] = [{ code: "s_code", label: "s_name" }, { code: "d_code", label: "d_name" }];
  assert.deepEqual(placesOf(district, places, [[state, "5"]]), [["502", "A"], ["501", "B"]]);
});

test("figures have units", () => {
  const of = (unit, name = "x", type = "number") => ({ name, unit, type });
  assert.deepEqual([withUnit(of("m²"), 5_032_542), withUnit(of("m²"), 27_558), withUnit(of("m²"), 0), withUnit(of("°"), 14.62), withUnit(of("", "vegetated_fraction"), 0.8988), withUnit(of("m"), null), withUnit(of("", "primary_year", "integer"), 2024)], ["5.03 km²", "2.76 ha", "0 m²", "14.6°", "89.9 %", "not known", "2024"]);
  assert.equal(figure(of("m"), null), "–");
});

test("the profile: every column once, losses year by year, heights inside the outline", () => {
  const columns = ["kg_code", "total_area_sqm", "elevation_min_m", "tree_count", "new_kind_of_figure", "zenodo_json_url"].map((name) => ({ name }));
  assert.deepEqual(grouped(columns).map((g) => [g.title, g.columns.map((c) => c.name)]), [["Cadastre", ["total_area_sqm"]], ["Terrain", ["elevation_min_m"]], ["Vegetation", ["tree_count"]], ["Analysis and quality", ["new_kind_of_figure"]]]);
  assert.deepEqual(lossByYear([{ loss_year: 2023, loss_pixels: 10 }, { loss_year: 2021, loss_pixels: 1 }, { loss_year: 2019, loss_pixels: 0 }]), [{ label: "2021", value: 0.09 }, { label: "2022", value: 0 }, { label: "2023", value: 0.9 }]);
  assert.deepEqual(lossByYear([]), []);
  const ring = [[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]], hole = [[0.5, 0.5], [1.5, 0.5], [1.5, 1.5], [0.5, 1.5], [0.5, 0.5]], shape = { type: "Polygon", coordinates: [ring, hole] };
  assert.deepEqual([[0.2, 1], [1, 1], [3, 1]].map((p) => inside(shape, p)), [true, false, false]);
  const field = { bbox: [0, 0, 4, 2], cols: 4, rows: 2, cell_m: 100, elev_min: 0, elev_max: 40, z: [[10, 20, 30, 40], [0, null, 30, 40]] };
  assert.deepEqual(cellsOf(field, { type: "MultiPolygon", coordinates: [[ring]] }), [10, 20, 0], "north first; what is not known is no height");
  assert.deepEqual(distribution([0, 10, 10, 39]).reduce((sum, b) => sum + b.share, 0), 1);
  assert.deepEqual(distribution([]), []);
  const pixels = shaded(field);
  assert.deepEqual([pixels[3], pixels[4 * 5 + 3]], [255, 0], "what is not known is not drawn");
  assert.deepEqual([step(347, 18), step(5, 4), step(0.9, 3)].map((v) => +v.toFixed(6)), [20, 2, 0.5]);
});

test("a parcel's card says what is known", () => {
  const all = { elevation_min_m: 751, elevation_max_m: 1019.2, slope_mean_deg: 36.01, aspect_dominant: "S", forested_fraction: 0.485, tree_count: 1229, tree_canopy_sqm: 20010, ndsm_max_m: 25.99, top_trees: [[26.6]] };
  assert.deepEqual(factsOf(all), [["Terrain", "751 to 1,019 m"], ["Slope", "36.0°, facing south"], ["Forest", "49 % of the parcel"], ["Trees", "1,229, the highest 27 m, crowns 20,010 m²"], ["Crowns and roofs", "up to 26 m high"]]);
  assert.deepEqual(factsOf({ slope_mean_deg: 0.5, aspect_dominant: "flat", tree_count: 0, forested_fraction: 0, ndsm_max_m: null, elevation_min_m: null }), [["Slope", "0.5°, level ground"], ["Forest", "0 % of the parcel"], ["Trees", "none"]], "none is said, what is not known is left out");
});

test("the form of a file asks for what is not usual", () => {
  assert.deepEqual(optionsOf(doc), { forms: ["json", "gpkg"], least: {}, looks: [{ name: "include_ortho", title: "ortho", doc: "", on: true }] });
  assert.deepEqual(stopParameters({ format: "gpkg", size: "", low: "5", high: "", type: "tree", looks: [{ name: "include_ortho", on: true, checked: false }] }), { format: "gpkg", height_min: "5", types: "tree", include_ortho: "false" });
  assert.deepEqual(stopParameters({ format: "json", looks: [] }), { format: "json", include_segments_vector: "true" });
  const { box, m2 } = boxOf([[[[13, 47], [13.001, 47], [13.001, 47.001], [13, 47]]]]);
  assert.deepEqual(box, [13, 47, 13.001, 47.001]);
  assert.ok(Math.abs(m2 - 76 * 111) < 200, `${m2}`);
});

test("the pages of a list are asked for together, and all again where the country changed between them", async () => {
  const before = globalThis.fetch, asked = [];
  let totals = [], open = 0, most = 0;
  globalThis.fetch = async (path) => {
    const q = new URL(path, "http://127.0.0.1").searchParams, offset = Number(q.get("offset")), limit = Number(q.get("limit")), total = totals[Math.min(asked.length, totals.length - 1)];
    asked.push(offset);
    most = Math.max(most, ++open);
    await new Promise((done) => setTimeout(done, 5));
    open--;
    return Response.json({ total, meta: { of: total }, results: Array.from({ length: Math.max(Math.min(limit, total - offset), 0) }, (_, i) => ({ kg_code: String(offset + i), filter: q.get("min_n_tiles"), fields: q.get("fields") })) });
  };
  const all = async (...list) => { [totals, most, asked.length] = [list, 0, 0]; return kgsOf({ min_n_tiles: "2" }, ["kg_code", "n_tiles"]); };
  try {
    const { rows, meta } = await all(2500);
    assert.deepEqual([rows.length, new Set(rows.map((r) => r.kg_code)).size, meta.of, asked, most], [2500, 2500, 2500, [0, 1000, 2000], 2]);
    assert.deepEqual(rows[1700], { kg_code: "1700", filter: "2", fields: "kg_code,n_tiles" });
    assert.deepEqual([(await all(0)).rows, asked], [[], [0]]);
    assert.deepEqual([(await all(1000)).rows.length, asked], [1000, [0]]);
    assert.deepEqual([(await all(2500, 2500, 2501)).rows.length, asked.length], [2501, 6], "once more");
    assert.deepEqual([(await all(2500, 2501, 2502, 2503, 2504, 2505, 2506, 2507, 2508, 2509)).rows.length > 2490, asked.length], [true, 9], "not for ever");
  } finally {
    globalThis.fetch = before;
  }
});
