// The download page in a browser: what is chosen stands in the address, the size is told beforehand, and the file is that of the service; a job
// is followed to its file. Without a mouse, and on a phone.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bytes, chosen, forms, membersOf, placeIn, request, sizeRequest, statesNamed } from "../src/download/forms.js";
import { accessible, fits } from "../testing/author.mjs";
import { base, open, phone, shoot } from "../testing/map.mjs";

const desk = { width: 900, height: 900 };
const settled = (page) => page.waitForFunction(() => document.body.getAttribute("aria-busy") === "false");
const members = (page) => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));

test("a choice is read from its address, and written into it", () => {
  for (const f of forms) {
    const c = chosen({ form: f.id, place: "kg:99101" });
    assert.deepEqual(chosen(membersOf(c)), c, f.id);
    assert.deepEqual(c.layers, f.usual);
  }
  assert.deepEqual(membersOf(chosen({ form: "dxf", layers: "parcels,labels,rivers", crs: "31256", place: "kg:12" })), { place: "", form: "dxf", layers: "parcels", crs: "31256" });
  assert.deepEqual(membersOf(chosen({ form: "word", layers: "x", crs: "9" })), { place: "", form: "gpkg", layers: "", crs: "" });
  assert.deepEqual(["shapefile", "csv", "geojson"].map((form) => chosen({ form, crs: "25833" }).system), [25833, 25833, 4326]);
  assert.deepEqual(chosen({ form: "flatgeobuf", layers: "labels,parcels" }).layers, ["parcels"]);
  assert.deepEqual([placeIn("kg:99101"), placeIn("district:599"), placeIn("kg:<b>"), placeIn(undefined)], [{ kind: "kg", code: "99101" }, { kind: "district", code: "599" }, null, null]);
  const c = chosen({ form: "shapefile", layers: "parcels,labels", crs: "31287", place: "municipality:59902" });
  assert.equal(request(c), "/cadastre/api/v1/export/shapefile?gemeinde_code=59902&layers=parcels,labels&crs=31287");
  assert.equal(sizeRequest(c), "/cadastre/api/v1/export/size?gemeinde_code=59902&form=shapefile&layers=parcels%2Clabels");
  assert.deepEqual([bytes(950), bytes(1234), bytes(45_678_901), bytes(2e9)], [[950, "bytes"], [1.2, "kB"], [46, "MB"], [2, "GB"]]);
});

test("a state and a postal code are places, too", async () => {
  assert.deepEqual([placeIn("state:5"), placeIn("plz:5792"), placeIn("state:10"), placeIn("plz:579"), placeIn("municipality:59902")],
    [{ kind: "state", code: "5" }, { kind: "plz", code: "5792" }, null, null, { kind: "municipality", code: "59902" }]);
  assert.deepEqual([statesNamed("Kaernt"), statesNamed("wien"), statesNamed("ober"), statesNamed("5"), statesNamed(" ")], [["2"], ["9"], ["4"], ["5"], []]);
  assert.equal(request(chosen({ place: "plz:5792", form: "csv" })), "/cadastre/api/v1/export/csv?plz=5792&layers=parcels");
  const plz = (await (await fetch(`${base}/cadastre/api/v1/search/address?q=a&limit=1&fields=postal_code`)).json()).data[0].postal_code;
  const kg = (await (await fetch(`${base}/cadastre/api/v1/search/kg?limit=1&fields=gemeinde_code`)).json()).data[0], state = kg.gemeinde_code[0];
  const { page, errors } = await open("/download", desk);
  for (const [typed, place, request] of [[plz, `plz:${plz}`, `plz=${plz}`], [{ 5: "salzb" }[state] ?? state, `state:${state}`, `state=${state}`]]) {
    await page.fill("#q", typed);
    await page.waitForSelector("#suggestions li");
    await page.focus("#q");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForFunction((p) => new URLSearchParams(location.hash.slice(1)).get("place") === p, place);
    await page.waitForSelector("#get:visible");
    await settled(page);
    assert.match(await page.innerText("#size"), /^\d+ KGs? · /);
    assert.ok((await page.getAttribute("#get", "href")).includes(request));
  }
  assert.deepEqual(errors, []);
  await page.close();
});

test("a place is found, the file chosen, its size told, and it is fetched", async () => {
  const kg = (await (await fetch(`${base}/cadastre/api/v1/search/kg?limit=1&fields=kg_code,kg_name`)).json()).data[0];
  const { page, errors } = await open("/download", desk);
  assert.match(await page.innerText("#size"), /Choose a place first/);

  // By the keyboard alone: the field, a suggestion, a form, a layer.
  await page.focus("#q");
  await page.keyboard.type(kg.kg_code);
  await page.waitForSelector("#suggestions li");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction((code) => document.getElementById("place").textContent.includes(code), kg.kg_code);
  await page.focus("#forms [value=gpkg]");
  await page.keyboard.press("ArrowDown");
  await settled(page);
  assert.deepEqual(members(page), { place: `kg:${kg.kg_code}`, form: "shapefile" });
  await page.focus("#layers [value=labels]");
  await page.keyboard.press("Space");
  await settled(page);
  assert.equal(members(page).layers, "parcels,buildings,building_footprints,landuse_polygons,landuse_points");
  await page.selectOption("#system", "31258");
  await page.waitForSelector("#get:visible");
  await settled(page);
  assert.match(await page.innerText("#size"), /1 KG · about [\d.]+ (kB|MB) \(estimated\)/);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#get")]), body = await readFile(await saved.path());
  assert.equal(body.subarray(0, 2).toString(), "PK");
  const direct = await (await fetch(`${base}/cadastre/api/v1/export/shapefile?kg=${kg.kg_code}&layers=parcels,buildings,building_footprints,landuse_polygons,landuse_points&crs=31258`)).arrayBuffer();
  assert.equal(Buffer.compare(body, Buffer.from(direct)), 0, "the file is that of the service");

  // Back and forward go through the choices; a form has its own layers.
  await page.goBack();
  await settled(page);
  assert.equal(await page.inputValue("#system"), "4326");
  await page.check("#forms [value=dxf]");
  await settled(page);
  assert.equal(await page.locator("#layers input").count(), 5);
  assert.equal(await page.inputValue("#system"), "31287");
  await page.check("#forms [value=gpkg]");
  await settled(page);
  assert.equal(await page.locator("#layers input:enabled").count(), 0, "a GeoPackage has all layers");
  assert.ok(await page.isHidden("#system-part"));
  await accessible(page, "download");
  await shoot(page, "download");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a job is followed to its file", async () => {
  const kg = (await (await fetch(`${base}/cadastre/api/v1/search/kg?limit=1&fields=kg_code`)).json()).data[0].kg_code;
  const { page, errors } = await open(`/download#place=kg:${kg}&form=kml`, desk);
  // The size says that a job writes it, as of an area too large for one answer.
  await page.route("**/export/size?*", async (route) => { const reply = await route.fetch(); await route.fulfill({ response: reply, json: { ...(await reply.json()), from: "job" } }); });
  await page.check("#forms [value=geojson]");
  await page.check("#forms [value=kml]");
  await page.waitForSelector("#order:visible");
  await page.click("#order");
  await page.waitForSelector("#get:visible", { timeout: 60_000 });
  const text = await (await fetch(base + (await page.getAttribute("#get", "href")))).text();
  assert.match(text, /<kml [^]*<Placemark>/);
  assert.ok(await page.isHidden("#work"));
  assert.deepEqual(errors, []);
  await page.close();
});

test("on a phone, in German, and with a link of nonsense", async () => {
  const { page, errors } = await open("/download#place=kg:00000&form=word&layers=%3Cb%3E&crs=NaN", phone, { locale: "de-AT", colorScheme: "dark" });
  await settled(page);
  assert.match(await page.innerText("#message"), /Kein Ort hat die Nummer 00000/);
  assert.equal(await page.innerText("h1"), "Kataster herunterladen");
  await page.check("#forms [value=dxf]");
  assert.match(await page.innerText("#layers"), /Grundstücke/);
  await fits(page, "download");
  await accessible(page, "download");
  await shoot(page, "download-phone");
  assert.deepEqual(errors, []);
  await page.close();
});
