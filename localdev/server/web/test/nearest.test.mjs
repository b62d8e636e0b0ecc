// Where the nearest feature lies: the plane, the closest point, the boxes that are asked for, the check against the
// distance that the service says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { closest, lines, requests, toLocal } from "../src/nearest.js";

const at = [13.22, 47.32];
const plane = toLocal(at);
const to = ([x, y]) => [at[0] + x / plane.east, at[1] + y / plane.north]; // metres east and north
const feature = (cat, coordinates, more = {}) => ({ type: "Feature", properties: { cat, ...more }, geometry: typeof coordinates[0] === "number" ? { type: "Point", coordinates } : { type: "LineString", coordinates } });

test("a degree has the ellipsoid's length", () => {
  // A degree of latitude and longitude on WGS84, from the series of the meridian and the parallel.
  const north = 111132.92 - 559.82 * Math.cos(2 * 47.32 * Math.PI / 180) + 1.175 * Math.cos(4 * 47.32 * Math.PI / 180);
  const east = 111412.84 * Math.cos(47.32 * Math.PI / 180) - 93.5 * Math.cos(3 * 47.32 * Math.PI / 180) + 0.118 * Math.cos(5 * 47.32 * Math.PI / 180);
  assert.ok(Math.abs(plane.north - north) < 1, `${plane.north} ${north}`);
  assert.ok(Math.abs(plane.east - east) < 1, `${plane.east} ${east}`);
});

test("the closest point lies on a segment, at its end, or is the point", () => {
  const cases = [
    [{ type: "LineString", coordinates: [to([-50, 30]), to([50, 30])] }, 30, [0, 30]],
    [{ type: "LineString", coordinates: [to([40, 30]), to([90, 30])] }, 50, [40, 30]],
    [{ type: "LineString", coordinates: [to([3, 4])] }, 5, [3, 4]],
    [{ type: "LineString", coordinates: [to([3, 4]), to([3, 4])] }, 5, [3, 4]],
    [{ type: "Point", coordinates: to([-6, 8]) }, 10, [-6, 8]],
    [{ type: "MultiLineString", coordinates: [[to([100, 0]), to([100, 9])], [to([0, -20]), to([9, -20])]] }, 20, [0, -20]],
    [{ type: "MultiPolygon", coordinates: [[[to([10, -5]), to([20, -5]), to([20, 5]), to([10, 5]), to([10, -5])]]] }, 10, [10, 0]],
  ];
  for (const [geometry, distance, [x, y]] of cases) {
    const c = closest(geometry, plane);
    assert.ok(Math.abs(c.distance - distance) < 1e-6, `${geometry.type}: ${c.distance}`);
    const got = plane.of(c.at);
    assert.ok(Math.hypot(got[0] - x, got[1] - y) < 1e-6, `${geometry.type}: ${got}`);
  }
  assert.equal(closest(null, plane).distance, Infinity);
  assert.equal(closest({ type: "LineString", coordinates: [] }, plane).distance, Infinity);
});

test("what is near is asked for in one box, what is far in another, what no box reaches not at all", () => {
  const asked = requests(at, { dist_road_m: 17, dist_water_m: 412, dist_major_road_m: 2000, dist_settlement_m: 90_000, dist_rail_m: null, dist_transit_m: 0 });
  assert.deepEqual(asked.map((r) => [r.cat, r.major]), [[["road", "water"], undefined], [["road"], "1"]]);
  for (const [i, reach] of [412, 2000].entries()) {
    const [west, south, east, north] = asked[i].bbox.split(",").map(Number);
    for (const [x, y] of [[west, at[1]], [east, at[1]], [at[0], south], [at[0], north]]) assert.ok(Math.hypot(...plane.of([x, y])) >= reach, "the box reaches as far");
    assert.ok(east - west <= 0.1 && north - south <= 0.1, "the service takes it");
  }
  assert.deepEqual(requests(at, {}), []);
});

test("a line is drawn where the shape and the service agree, once for each end", () => {
  const block = { dist_road_m: 30, dist_major_road_m: 30, dist_rail_m: 100, dist_transit_m: 500, dist_train_station_m: 500, dist_water_m: 0 };
  const features = [
    feature("road", [to([-50, 30]), to([50, 30])], { major: true }), feature("road", [to([-50, 60]), to([50, 60])], { major: false }),
    feature("rail", [to([-50, 140]), to([50, 140])]), // 140 m, the service says 100
    feature("transit", to([300, 400]), { train_station: true }), feature("transit", to([300, 401]), { train_station: false }), feature("water", to([0, 0])),
  ];
  const got = lines(at, block, features);
  assert.deepEqual(got.map((l) => l.id), ["road", "transit"]);
  assert.equal(got[0].distance, 30);
  assert.deepEqual(got[0].from, at);
  assert.deepEqual(lines(at, block, []), []);
});
