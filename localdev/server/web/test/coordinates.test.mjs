// Positions as people write them, and the plane systems beside figures of PROJ (cs2cs with the same datum shift).
import assert from "node:assert/strict";
import { test } from "node:test";
import { coordinatesIn } from "../src/coordinates.js";
import { fromLAEA, systems, toLAEA } from "../src/crs.js";

const near = (got, [lon, lat], metres, what) => {
  assert.ok(got, `${what}: nothing`);
  const off = Math.hypot((got[0] - lon) * 75_500, (got[1] - lat) * 111_200);
  assert.ok(off <= metres, `${what}: ${got} lies ${off.toFixed(2)} m from ${lon}, ${lat}`);
};

test("one place, as it is written here and elsewhere", () => {
  const at = [13.2274, 47.3205];
  for (const text of ["47.3205, 13.2274", "47.3205 13.2274", "13.2274, 47.3205", "13.2274;47.3205", "47,3205 13,2274", "47,3205; 13,2274", "47.3205° N, 13.2274° E", "N 47.3205 E 13.2274",
    "13.2274 E 47.3205 N", "13,2274° O 47,3205° N", "47.3205N 13.2274E", "lat 47.3205 lon 13.2274", "lat=47.3205, lng=13.2274", "geo:47.3205,13.2274?z=15", "https://maps.example/@47.3205,13.2274,15z",
    "https://osm.example/#map=15/47.3205/13.2274", "POINT (13.2274 47.3205)", "SRID=4326;POINT(13.2274 47.3205)", "(47.3205, 13.2274)", "WGS84: 47.3205 / 13.2274", "+47.3205, 13.2274".slice(1)]) {
    const found = coordinatesIn(text);
    assert.equal(found.length, 1, text);
    near(found[0].at, at, 0.1, text);
  }
  for (const text of ["47°19'13.8\"N 13°13'38.64\"E", "47° 19′ 13.8″ N, 13° 13′ 38.64″ O", "N47°19'13.8\" E13°13'38.64\"", "47 ° 19 ' 13,8 \" N 13 ° 13 ' 38,64 \" O", "47°19.23'N 13°13.644'E", "N 47° 19.23 E 13° 13.644", "47° 19,23' N 13° 13,644' O"])
    near(coordinatesIn(text)[0]?.at, at, 1, text);
});

test("pairs in metres, in the system that is named or in those they can be of", () => {
  const cases = [
    [31254, 42960.96, 229166.87, 10.9, 47.2],
    [31255, -7953.63, 242405.36, 13.2274, 47.3205],
    [31256, 2814.77, 340177.44, 16.37, 48.2],
    [31257, 192960.96, 229166.87, 10.9, 47.2],
    [31258, 442046.37, 242405.36, 13.2274, 47.3205],
    [31259, 752814.77, 340177.44, 16.37, 48.2],
    [3035, 4565084.87, 2694974.30, 13.2274, 47.3205],
    [3857, 1472467.43, 5994545.64, 13.2274, 47.3205],
    [3416, 391994.14, 380055.64, 13.2274, 47.3205],
    [25832, 590718.26, 5239201.12, 10.2, 47.3],
    [25833, 366046.75, 5242304.67, 13.2274, 47.3205],
    [31287, 392049.05, 380113.38, 13.2274, 47.3205],
  ];
  for (const [code, x, y, lon, lat] of cases) {
    near(systems[code].inverse(x, y), [lon, lat], 0.02, `EPSG:${code}`);
    for (const text of [`${x} ${y} EPSG:${code}`, `EPSG:${code} ${y}, ${x}`]) {
      const all = coordinatesIn(text);
      assert.ok(all.length > 0 && all.length <= 2, `${text}: ${all.length}`);
      near(all.sort((p, q) => Math.abs(p.at[0] - lon) - Math.abs(q.at[0] - lon))[0].at, [lon, lat], 0.02, text);
    }
    const bare = coordinatesIn(`${x}, ${y}`).find((f) => f.system === systems[code].name);
    near(bare?.at, [lon, lat], 0.02, `${x}, ${y} without a name`);
  }
  const [, x, y, lon, lat] = cases.find((c) => c[0] === 25833);
  for (const text of [`33T ${x} ${y}`, `33 N ${x} ${y}`, `UTM 33 ${x} ${y}`, `33U ${x} m ${y} m`]) near(coordinatesIn(text)[0]?.at, [lon, lat], 0.02, text);
  assert.equal(coordinatesIn(`33T ${x} ${y}`).length, 1);
});

test("what is no position of Austria is none", () => {
  for (const text of ["", "Ullnau", "09901 .45", "45/2", "01004-12/3", "1010 Wien", "Kirchweg 12", "Ullnau 45/2", "48.85, 2.35", "47.3205", "47°70'N 13°1'E", "99003 12", "09901-1", "5", "47 13", "EPSG:9999 1 2", "4020", "47.3, 13.2, 5"]) {
    const found = coordinatesIn(text);
    if (text === "47 13") near(found[0]?.at, [13, 47], 0.1, text);
    else assert.deepEqual(found, [], text);
  }
});

test("EPSG:3035 there and back", () => {
  for (const at of [[9.5, 46.4], [13.2274, 47.3205], [17.1, 49.0], [10, 52]]) near(fromLAEA(...toLAEA(...at)), at, 0.0001, `${at}`);
});
