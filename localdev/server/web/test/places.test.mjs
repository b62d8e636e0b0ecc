// Names, suggestions and labels without a map: a country of three municipalities, its services made up here.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Addresses, houses, streets } from "../src/addresses.js";
import { Finder } from "../src/finder.js";
import { loadPlaces, Places } from "../src/places.js";

const municipalities = [{ gemeinde_code: "50001", gemeinde_name: "Markt", district_name: "Land", lon: 13.05, lat: 47.05 }, { gemeinde_code: "50002", gemeinde_name: "St. Veit", district_name: "Land", lon: 13.25, lat: 47.05 }];
const kg = (kg_code, kg_name, gemeinde_code, west) => ({ kg_code, kg_name, gemeinde_code, west, south: 47, east: west + 0.1, north: 47.1, lon: west + 0.05, lat: 47.05 });
const kgs = [kg("01001", "Markt", "50001", 13), kg("01002", "Berg", "50001", 13.1), kg("02001", "Sankt Veit", "50002", 13.2)];
const localities = [{ name: "Berg", gemeinde_code: "50001", kg_code: "01002", plz: ["5001"], lon: 13.15, lat: 47.05 }, { name: "Weiler", gemeinde_code: "50002", kg_code: "02001", plz: ["5002", "5003"], lon: 13.25, lat: 47.05 }];
const places = new Places(municipalities, kgs, localities);

const house = (n, street, house_number, at, more = {}) => ({ building_id: `b${n}`, kg_code: "01002", parcel_id: `01002-${n}`, street, house_number, postal_code: "5001", ort: "Berg", lon: at[0], lat: at[1], ...more });
const rows = [house(1, "Kirchweg", "1", [13.15, 47.05]), house(2, "Kirchweg", "2a", [13.151, 47.0502]), house(3, "Kirchweg", "3", [13.152, 47.05]), house(4, "Berg", "7", [13.16, 47.06]), house(5, "Bergstraße", "12/3", [13.17, 47.06])];

function finder({ box = [13, 47, 13.3, 47.1], kg = "" } = {}) {
  const asked = [];
  const addresses = { ofKG: async (k) => { asked.push(k.kg_code); return rows.filter((r) => r.kg_code === k.kg_code); } };
  return { asked, suggest: (text) => new Finder({ places, addresses, view: () => ({ box, kg }) }).suggest(text) };
}
const titles = async (text, view) => (await finder(view).suggest(text)).list.map((s) => `${s.kind} ${s.title}`);

test("what is typed gives what it can mean, the likeliest first", async () => {
  for (const [text, want, view] of [
    ["1002 .45", ["parcel 01002-.45"]], ["Berg .45", ["parcel 01002-.45"]], [".45", ["parcel 02001-.45"], { kg: "02001" }], [".45", []],
    ["Berg 45", ["parcel 01002-45", "street Bergstraße"]], ["markt", ["municipality Markt", "kg Markt"]], ["sankt veit", ["municipality St. Veit", "kg Sankt Veit"]], ["St Veit", ["municipality St. Veit", "kg Sankt Veit"]],
    ["01002", ["kg Berg"]], ["1002", ["kg Berg"]], ["5003", ["place Weiler"]], ["weil", ["place Weiler"]],
    ["kirchw", ["street Kirchweg"]], ["Kirchweg 2A", ["address Kirchweg 2a"]], ["Kirchweg 9", ["street Kirchweg"]], ["Kirchweg 3, 5001 Berg", ["address Kirchweg 3"]], ["Berg Kirchweg 3", ["address Kirchweg 3"]],
    ["bergstr 12/3", ["address Bergstraße 12/3"]], ["Nirgendwo", []],
  ]) assert.deepEqual(await titles(text, view), want, text);
  assert.deepEqual((await titles("Berg 7")).sort(), ["address Berg 7", "parcel 01002-7", "street Bergstraße"], "a house of a place without streets, or a parcel");
  assert.deepEqual((await titles("Berg")).slice(0, 2), ["kg Berg", "place Berg"]);
});

test("a place that is named is searched wherever the map is, others are not asked", async () => {
  const far = finder({ box: [15, 48, 15.1, 48.1] });
  assert.deepEqual((await far.suggest("Kirchweg 1, Berg")).list.map((s) => s.parcel), ["01002-1"]);
  assert.deepEqual([...new Set(far.asked)], ["01002"]);
  assert.match((await far.suggest("Kirchweg")).hint, /add the place/);
  assert.match((await finder().suggest("Kirchwegg")).hint, /nothing is named “Kirchwegg”$/);
  assert.match((await finder().suggest(".45")).hint, /add its KG, for example 01001 \.45/);
});

test("a suggestion says where to go", async () => {
  const [municipality, own] = (await finder().suggest("Markt")).list;
  assert.deepEqual(municipality.box.map((v) => Number(v.toFixed(6))), [13, 47, 13.2, 47.1], "all KGs of the municipality");
  assert.deepEqual(own.box, [13, 47, 13.1, 47.1]);
  assert.deepEqual((await finder().suggest("Weiler")).list[0].at, [13.25, 47.05]);
});

test("a country of 7,850 KGs is searched in time to type", () => {
  const many = Array.from({ length: 7850 }, (_, i) => kg(String(i).padStart(5, "0"), `Oberprobe ${i}`, "50001", 9.5 + (i % 750) / 100));
  const country = new Places(municipalities, many, Array.from({ length: 17300 }, (_, i) => ({ name: `Weiler ${i}`, gemeinde_code: "50002", kg_code: many[i % 7850].kg_code, plz: ["5002"], lon: 13, lat: 47 })));
  assert.equal(country.find("oberprobe 7849")[0].code, "07849");
  assert.equal(country.find("weiler").length, 8);
  assert.equal(country.features().features.length, 2 + 7850 + 17300);
});

test("a generation without the document of places is searched by the list of KGs", async (t) => {
  const asked = [];
  t.mock.method(globalThis, "fetch", async (url) => {
    asked.push(url);
    return Response.json({ data: { kgs: [{ kg_code: "01001", kg_name: "Markt", gemeinde_code: "50001", gemeinde_name: "Markt", district_name: "Land", bbox: [13, 47, 13.1, 47.1], centroid: [13.05, 47.05] }] } });
  });
  const old = await loadPlaces({});
  assert.deepEqual(asked, ["/context/api/v1/kgs"]);
  assert.deepEqual(old.find("Markt").map((e) => e.kind), ["municipality", "kg"]);
  assert.deepEqual(old.box(old.find("Markt")[1]), [13, 47, 13.1, 47.1]);
});

test("addresses are asked for once a cell, and again after a failure", async (t) => {
  let calls = 0, broken = true;
  t.mock.method(globalThis, "fetch", async () => {
    calls++;
    if (broken) throw new TypeError("no network");
    return Response.json({ data: [rows[0]] });
  });
  const a = new Addresses(), box = [13.001, 47.001, 13.002, 47.002];
  await assert.rejects(a.inView(box), /cannot be reached/);
  broken = false;
  assert.equal((await a.inView(box)).length, 1);
  assert.equal((await a.inView(box)).length, 1);
  assert.equal(calls, 2);
  assert.deepEqual(await a.inView([9, 46, 17, 49]), [], "a whole country is not asked for");
  assert.equal(calls, 2);
});

test("cells beside each other are asked for together, and each address is in one", async (t) => {
  const boxes = [], spots = [[13.2705, 47.3105], [13.28, 47.315], [13.2999, 47.3101], [13.305, 47.325], [13.31, 47.311]].map(([lon, lat], i) => ({ ...rows[0], building_id: String(i), lon, lat }));
  t.mock.method(globalThis, "fetch", async (path) => {
    const q = new URL(path, "http://127.0.0.1").searchParams, [west, south, east, north] = ["west", "south", "east", "north"].map((n) => Number(q.get(n)));
    boxes.push([west, south, east, north]);
    return Response.json({ data: spots.filter((a) => a.lon >= west && a.lon <= east && a.lat >= south && a.lat <= north) });
  });
  const a = new Addresses(), ids = async (box) => (await a.inView(box)).map((r) => r.building_id).sort().join("");
  assert.equal(await ids([13.271, 47.311, 13.309, 47.329]), "01234");
  assert.deepEqual(boxes, [[13.27, 47.31, 13.3, 47.32], [13.3, 47.31, 13.31, 47.32], [13.27, 47.32, 13.3, 47.33], [13.3, 47.32, 13.31, 47.33]]);
  assert.equal(await ids([13.271, 47.311, 13.279, 47.319]), "0");
  assert.equal(await ids([13.281, 47.311, 13.289, 47.319]), "1", "what stands on the edge of two cells is in one");
  assert.equal(boxes.length, 4, "what is known is not asked for");
  assert.equal(await ids([13.261, 47.311, 13.321, 47.319]), "01234".replace("3", ""));
  assert.deepEqual(boxes.slice(4), [[13.26, 47.31, 13.27, 47.32], [13.31, 47.31, 13.33, 47.32]], "beside it");
});

test("street names follow their houses", () => {
  // Houses on both sides of a street that runs to the north-east, 60 of them over 900 m.
  const ky = 110_574, kx = 111_320 * Math.cos((47 * Math.PI) / 180);
  const along = Array.from({ length: 60 }, (_, i) => { const d = i * 15 - 450, side = i % 2 ? 15 : -15; return house(i, "Langgasse", String(i), [13 + (d * Math.SQRT1_2 - side * Math.SQRT1_2) / kx, 47 + (d * Math.SQRT1_2 + side * Math.SQRT1_2) / ky]); });
  const labels = streets(along).features;
  assert.ok(labels.length >= 3 && labels.length <= 5, `${labels.length} labels`);
  for (const l of labels) {
    assert.ok(Math.abs(l.properties.angle + 45) < 8, `angle ${l.properties.angle}`);
    const [x, y] = [(l.geometry.coordinates[0] - 13) * kx, (l.geometry.coordinates[1] - 47) * ky];
    assert.ok(Math.abs(y - x) / Math.SQRT2 < 6, "the label stands on the street");
  }
  assert.deepEqual(streets([rows[3]]).features, [], "a place whose streets have no names has no street label");
  assert.equal(houses([rows[0], { ...rows[0], building_id: "b9" }]).features.length, 1, "one number at a point");
});
