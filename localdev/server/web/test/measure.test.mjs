// Lengths, bearings and areas beside those of other programs, and a measurement in an address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { areaText, bearingText, exact, features, lengthText, measured, measureIn, measureText, sides } from "../src/measure/figures.js";
import { direct, inverse, way } from "../src/measure/geodesic.js";

const dms = (d, m, s) => Math.sign(d) * (Math.abs(d) + m / 60 + s / 3600);
const within = (got, want, most, what) => assert.ok(Math.abs(got - want) <= most, `${what}: ${got}, want ${want}`);

test("a published geodesic: Flinders Peak to Buninyon", () => {
  // Geocentric Datum of Australia Technical Manual, chapter 4: 54972.271 m on GRS80, 306°52'05.37" and back 127°10'25.07".
  const flinders = [dms(144, 25, 29.5244), dms(-37, 57, 3.7203)], buninyon = [dms(143, 55, 35.3839), dms(-37, 39, 10.1561)];
  const there = inverse(flinders, buninyon), back = inverse(buninyon, flinders);
  within(there.metres, 54972.271, 0.0006, "distance");
  within(there.bearing, dms(306, 52, 5.37), 2e-6, "bearing");
  within(back.bearing, dms(127, 10, 25.07), 2e-6, "bearing back");
  const [lon, lat] = direct(flinders, dms(306, 52, 5.37), 54972.271);
  within(lon, buninyon[0], 5e-8, "longitude");
  within(lat, buninyon[1], 5e-8, "latitude");
});

test("lengths and bearings in Austria are those of PROJ and of GeographicLib", () => {
  // geod -I of PROJ 9.1.1 and geographiclib-geodesic 2.2.0 (C. Karney, Algorithms for geodesics, 2013) agree in all digits.
  for (const [from, to, metres, bearing] of [
    [[13.2, 47.3], [13.21, 47.3], 756.2924, 89.996325],
    [[13.2, 47.3], [13.2, 47.31], 1111.7679, 0],
    [[16.3738, 48.2082], [13.055, 47.8095], 251540.1220, 261.086296],
    [[9.7, 47.2], [9.7005, 47.2003], 50.4749, 48.640996],
    [[13.2741, 47.3209], [14.2741, 47.3209], 75598.9090, 89.632415],
    [[13.2741, 47.3209], [13.2741, 48.3209], 111186.8351, 0],
  ]) {
    const got = inverse(from, to);
    within(got.metres, metres, 1e-4, `${from} to ${to}`);
    within(got.bearing, bearing, 1e-6, `${from} to ${to}`);
    const [lon, lat] = direct(from, got.bearing, got.metres);
    within(lon, to[0], 1e-11, "longitude of the end");
    within(lat, to[1], 1e-11, "latitude of the end");
  }
  assert.deepEqual(inverse([13, 47], [13, 47]), { metres: 0, bearing: NaN });
  assert.ok(Number.isNaN(inverse([0, 0], [179.9, 0.1]).metres), "no way is no number");
});

test("areas and perimeters are those of geodesic polygons", () => {
  // PolygonArea of geographiclib-geodesic 2.2.0 on WGS84.
  for (const [corners, perimeter, area] of [
    [[[13.2, 47.3], [13.2004, 47.3001], [13.2003, 47.3004]], 116.3537, 546.5330],
    [[[13.2, 47.3], [13.2132, 47.3], [13.2132, 47.309], [13.2, 47.309]], 3997.6244, 998811.1707],
    [[[13, 47], [14.3, 47], [14.3, 47.9], [13, 47.9]], 396194.1119, 9809636006.2144],
    [[[9.6, 46.9], [10.9, 46.9], [10.9, 47.8], [9.6, 47.8]], 396561.9663, 9828045226.9241],
    [[[15.5, 47.8], [16.9, 48], [16.2, 48.7]], 313326.4518, 4642374258.4081],
  ]) {
    const got = measured(corners, true);
    within(got.metres, perimeter, 1e-3, "perimeter");
    within(got.area / area, 1, 2e-7, "area");
    assert.equal(got.segments.length, corners.length);
    assert.equal(got.crossed, false);
    within(measured([...corners].reverse(), true).area / area, 1, 2e-7, "the other way round");
  }
  assert.equal(measured([[13, 47], [13.1, 47.1], [13.1, 47], [13, 47.1]], true).crossed, true);
  assert.deepEqual(measured([[13, 47]]), { segments: [], metres: 0 });
});

test("a long segment is drawn as the geodesic it is", () => {
  const from = [9.6, 47.2], to = [16.9, 48.1], all = way(from, to), whole = inverse(from, to).metres;
  assert.deepEqual([all[0], all.at(-1)], [from, to]);
  within(all.slice(1).reduce((sum, p, i) => sum + inverse(all[i], p).metres, 0), whole, 1e-3, "the parts");
  assert.deepEqual(way([13.2, 47.3], [13.21, 47.3]).length, 2);
});

test("figures are read as surveyors write them", () => {
  assert.deepEqual([0, 9.876, 99.994, 99.996, 1234.4, 9999.4, 9999.6, 251540.122, NaN].map(lengthText), ["0.00 m", "9.88 m", "99.99 m", "100 m", "1,234 m", "9,999 m", "10.00 km", "251.54 km", "–"]);
  assert.deepEqual([546.533, 998_811.17, 9_809_636_006.2].map(areaText), ["546.5 m² (0.0547 ha)", "998,811 m² (99.88 ha)", "9,809,636,006 m² (980,963.60 ha)"]);
  assert.deepEqual([0, 48.640996, 359.999, NaN].map(bearingText), ["0.00°", "48.64°", "0.00°", "–"]);
});

test("a measurement in an address is the same to a centimetre, and nonsense is none", () => {
  const corners = [[13.28412345, 47.3212345], [13.2851, 47.3219], [13.2839, 47.32201]].map(exact);
  for (const closed of [false, true]) {
    const text = measureText({ corners, closed });
    assert.match(text, /^(area:)?[\w-]+$/);
    assert.deepEqual(measureIn(text), { corners, closed });
    assert.deepEqual(measured(measureIn(text).corners, closed), measured(corners, closed));
  }
  assert.equal(measureText({ corners: corners.slice(0, 1), closed: false }), "");
  const two = measureText({ corners: corners.slice(0, 2), closed: false });
  for (const bad of ["", undefined, "A", "area:", "hello world", "area:hello", `area:${two}`, "line:AAAA", "A!A", "_".repeat(40), "area", measureText({ corners: [[13, 89], [14, 89]], closed: false }), measureText({ corners: Array.from({ length: 1001 }, (_, i) => [13 + i / 1e4, 47]), closed: false })]) assert.equal(measureIn(bad), null, bad);
});

test("what is drawn: corners, segments with their lengths, the whole", () => {
  const corners = [[13.2, 47.3], [13.21, 47.3], [13.21, 47.31]], of = (closed) => features(corners, closed).features, kinds = (closed) => of(closed).map((f) => f.properties.kind);
  assert.deepEqual(kinds(false), ["first", "corner", "corner", "line", "segment", "line", "segment", "whole"]);
  assert.deepEqual(kinds(true).slice(-3), ["segment", "area", "whole"]);
  const along = of(false).filter((f) => f.properties.kind === "segment");
  assert.deepEqual(along.map((f) => f.properties.text), ["756 m", "1,112 m"]);
  assert.deepEqual(along.map((f) => f.properties.angle), [-0, 90]);
  assert.equal(of(false).at(-1).properties.text, "1,868 m");
  // Lengths stand above a line, and outside a ring, whichever way it runs.
  assert.deepEqual(along.map((f) => f.properties.below), [false, false]);
  const below = (ring) => features(ring, true).features.filter((f) => f.properties.kind === "segment").map((f) => f.properties.below);
  const square = [[13, 47], [13.1, 47], [13.1, 47.1], [13, 47.1]];
  assert.deepEqual(below(square), [true, false, false, true], "south, east, north, west; upright letters run south");
  assert.deepEqual(below([...square].reverse()), [false, false, true, true], "north, east, south, west");
  assert.deepEqual(features([], false).features, []);
  assert.deepEqual(features([[13, 47]], false).features.length, 1);
  assert.equal(features([[13, 47], [13, 47]], false).features.filter((f) => f.properties.kind === "line").length, 0);
  assert.equal(sides(corners, true).length, 3);
});
