// The landscape panel in a browser, as who surveys or plans would use it: an area drawn, dropped, picked; rasters, a profile, an
// analysis with its table; what goes wrong; a link that shows the same on a phone. A page takes seconds to be drawn without a
// graphics card: all that is tried at a desk is tried on one.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fromLAEA, toLAEA } from "../src/crs.js";
import { Mosaic } from "../src/land/mosaic.js";
import { areaOf, boundsOf } from "../src/land/shapes.js";
import { tileOf } from "../src/land/tilepainter.js";
import { entriesOf, unpacked } from "../src/tables/zip.js";
import { findings } from "../testing/axe.mjs";
import { base, covered, idle, open, phone, shoot } from "../testing/map.mjs";

const api = `${base}/landscape/api/v1`;
const desk = { width: 1000, height: 640 };
let layers, mosaic, event, box; // of the country: its rasters, a change in them, a box around it
let page, errors, link; // the page at the desk, and what a reader would send to another

/** covers are the corners of a raster's files in degrees. */
async function covers(layer) {
  const corners = [];
  for (const t of layer.tiles) {
    const r = await mosaic.open(t.key);
    corners.push(fromLAEA(r.west + 1, r.north - 1), fromLAEA(r.west + r.width - 1, r.north - r.height + 1));
  }
  return boundsOf(corners);
}

test("the country has rasters and a change in them", async () => {
  mosaic = new Mosaic({ root: base });
  layers = (await (await fetch(`${api}/layers`)).json()).data;
  const [west, south, east, north] = await covers(layers.find((l) => l.layer === "dtm")), ring = [[west, south], [east, south], [east, north], [west, north], [west, south]];
  const found = await (await fetch(`${api}/changes?format=geojson`, { method: "POST", body: JSON.stringify({ type: "Polygon", coordinates: [ring] }) })).json();
  event = found.features.sort((a, b) => b.properties.area_sqm - a.properties.area_sqm)[0];
  box = boundsOf(event.geometry.coordinates);
});

const middle = () => [event.properties.centroid_lon, event.properties.centroid_lat];
const at = (zoom, more = "") => `#map=${zoom}/${middle()[1].toFixed(5)}/${middle()[0].toFixed(5)}${more}`;
const point = (place) => page.evaluate((p) => { const { x, y } = window.mappe.map.project(p); return [x, y]; }, place);
const members = () => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
const addressHas = (name, value) => page.waitForFunction(([name, value]) => { const v = new URLSearchParams(location.hash.slice(1)).get(name); return value === undefined ? Boolean(v) : v === value; }, [name, value], { timeout: 30_000 });
const says = (pattern) => page.waitForFunction((p) => new RegExp(p).test(document.querySelector("#land [role=status]")?.textContent ?? ""), pattern, { timeout: 30_000 });
const found = () => page.waitForSelector("#land .found tbody tr", { timeout: 60_000 });
const toolbar = () => page.waitForSelector("#land .rasters", { state: "attached", timeout: 30_000 });

/** go writes another fragment, as a link on the page would. */
const go = (hash) => page.evaluate((hash) => { location.hash = hash; }, hash);

/** drawBox clicks two corners of [west, south, east, north]. */
async function drawBox([west, south, east, north]) {
  await page.click("#land [name=box]");
  await page.mouse.click(...(await point([west, south])));
  await page.mouse.click(...(await point([east, north])));
  await addressHas("area");
}

/** dropped lets a file fall onto the map. */
const dropped = (name, text) => page.evaluate(([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  for (const type of ["dragenter", "dragover", "drop"]) document.getElementById("map").dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
}, [name, text]);

test("the pictures of rasters are made of the cells that the service answers", async () => {
  const dtm = layers.findLast((l) => l.layer === "dtm"), dsm = layers.find((l) => l.layer === "dsm" && l.dataset === dtm.dataset), [west, south, east, north] = box, places = [];
  for (let i = 0; i < 40; i++) places.push([west + (east - west) * ((i * 7) % 40) / 40, south + (north - south) * (i / 40)]);
  const each = await (await fetch(`${api}/elevation?dataset=${dtm.dataset}`, { method: "POST", body: JSON.stringify({ type: "FeatureCollection", features: places.map((p) => ({ type: "Feature", properties: null, geometry: { type: "Point", coordinates: p } })) }) })).json();
  const plane = places.map((p) => toLAEA(...p)), grid = [plane.map((p) => p[0]), plane.map((p) => p[1])];
  // A place is sent to a centimetre, on which a crown's flank rises by some.
  for (const [layer, name] of [[dtm, "dtm_m"], [dsm, "dsm_m"]]) {
    const got = await mosaic.square(layer, grid, 1, 1), far = [...got].map((v, i) => Math.abs(v - each.features[i].properties[name]));
    assert.ok(far.every((d) => d < (name === "dtm_m" ? 0.02 : 0.1)), `${name}: ${Math.max(...far)}`);
  }
  // Each kind has a picture where the event is, and none far away.
  const tile = (z, [lon, lat]) => ({ z, x: Math.floor(((lon + 180) / 360) * 2 ** z), y: Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z) });
  const dates = [...new Set(layers.filter((l) => l.layer === "dsm").map((l) => l.dataset))].sort(), drawn = {};
  for (const [kind, of] of [["hillshade", [dtm.dataset]], ["slope", [dtm.dataset]], ["canopy", [dates[0]]], ["change", [dates[0], dates.at(-1)]], ["ortho", [layers.findLast((l) => l.layer === "ortho").dataset]]]) {
    const pixels = await tileOf(mosaic, { kind, dates: of, ...tile(17, middle()) });
    drawn[kind] = pixels.filter((_, i) => i % 4 === 3).reduce((n, a) => n + (a > 0), 0);
    assert.equal(await tileOf(mosaic, { kind, dates: of, ...tile(17, [9.6, 47.2]) }), null);
  }
  for (const [kind, n] of Object.entries(drawn)) assert.ok(n > 1000, `${kind}: ${n} pixels`);
});

test("position, layers, filter and selection are in the address; back and forward work", async () => {
  ({ page, errors } = await open(`/map${at(15)}`, desk));
  await page.evaluate(() => { document.getElementById("legend").open = true; });
  await page.click("#legend [name=natura2000]");
  await addressHas("on", "natura2000");
  await page.evaluate(() => { document.getElementById("legend").open = false; });
  await page.click("#filter-toggle");
  await page.selectOption("#filter [name=has_buildings]", "true");
  await page.click("#filter [type=submit]");
  await addressHas("find", "has_buildings:true");
  await page.waitForSelector("#filter .found button");
  // A position is found as people write it, and what lies there is opened.
  const [lon, lat] = middle();
  await page.fill("#q", `${lat.toFixed(5).replace(".", ",")}° N ${lon.toFixed(5).replace(".", ",")}° O`);
  await page.waitForFunction(() => /WGS84/.test(document.querySelector("#suggestions li")?.textContent ?? ""));
  await page.press("#q", "Enter");
  await page.waitForFunction(() => !document.getElementById("card").hidden && location.pathname.startsWith("/p/"));
  await page.waitForFunction(() => !window.mappe.map.isMoving());
  await page.goBack();
  await page.waitForFunction(() => document.getElementById("card").hidden && location.pathname === "/map");
  await page.goBack();
  await page.waitForFunction(() => document.getElementById("filter").hidden);
  await page.goBack();
  await page.waitForFunction(() => !document.querySelector("#legend [name=natura2000]").checked);
  await page.goForward();
  await page.waitForFunction(() => document.querySelector("#legend [name=natura2000]").checked);
});

test("an area is drawn, what changed in it is listed", async () => {
  await go(at(16, "&on=natura2000"));
  await page.waitForFunction(() => window.mappe.map.getZoom() === 16);
  await page.click("#land-toggle");
  await toolbar();
  await drawBox(box);
  assert.match(await page.innerText("#land .facts"), /^[\d.]+ ha/);
  await page.click("#land form [type=submit]");
  await found(); // a question that was asked before has its answer already: no step may be seen
  const id = members().task, rows = await page.locator("#land tbody tr").count(), shown = await page.innerText("#land h3");
  assert.match(shown, /^\d+ events?$/);
  assert.equal(Number.parseInt(shown, 10), rows);
  assert.match(await page.locator("#land .files a").getAttribute("href"), new RegExp(`/share/auto-${id}/download.gpkg$`));

  // The table sorts both ways, and takes the reader to what was found.
  const areas = async () => (await page.locator("#land tbody td:nth-child(2)").allInnerTexts()).map((v) => Number(v.replace(/\D/g, "")));
  assert.deepEqual(await areas(), [...(await areas())].sort((a, b) => b - a));
  await page.click("#land th:nth-child(2) button");
  assert.equal(await page.getAttribute("#land th:nth-child(2)", "aria-sort"), "ascending");
  assert.deepEqual(await areas(), [...(await areas())].sort((a, b) => a - b));
  await page.locator("#land tbody tr").last().click();
  await page.waitForSelector(".maplibregl-popup .details");
  assert.match(await page.innerText(".details"), /Area\s+[\d,]+(\.\d+)? m²[^]*Evidence/);
  await page.waitForFunction(() => !window.mappe.map.isMoving());
  await shoot(page, "land-events");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#land .files button")]);
  assert.match(saved.suggestedFilename(), /^changes-\d{4}-\d\d-\d\d\.csv$/);

  // A class that is left out is gone from the table, and the address says so.
  const named = await page.getAttribute("#land .classes input", "data-class");
  await page.click("#land .classes input");
  await addressHas("hide", named);
  assert.ok((await page.locator("#land tbody tr").count()) < rows);
  link = page.url();
  await page.goBack();
  await page.waitForFunction((n) => document.querySelectorAll("#land tbody tr").length === n, rows);
  await page.goForward();
  await page.waitForFunction((n) => document.querySelectorAll("#land tbody tr").length < n, rows);
});

test("rasters have legends, two dates a slider; back takes them away", async () => {
  const loaded = (kind) => page.waitForFunction((id) => { const m = window.mappe.map; return m.getSource(id) && m.isSourceLoaded(id); }, `land-${kind}`, { timeout: 30_000 });
  await go(at(16, "&rasters=canopy:80:20240915"));
  await loaded("canopy");
  assert.equal(await page.locator("#land tbody tr").count(), 0, "another address has no result");
  assert.equal(await page.locator("#land .rasters .swatches:visible").count(), 1);
  assert.equal(await page.evaluate(() => window.mappe.map.getPaintProperty("land-canopy", "raster-opacity")), 0.8);
  await page.click("#land .rasters [name=hillshade]");
  await addressHas("rasters", "canopy:80:20240915,hillshade:60:20240915");
  await loaded("hillshade");
  await shoot(page, "land-rasters");
  await page.click("#land [name=hillshade-swipe]");
  await page.waitForSelector("#swipe:not([hidden])");
  await page.waitForFunction(() => window.mappe.compared().length === 2 && window.mappe.compared().every((m) => m.getSource("land-hillshade")));
  assert.deepEqual(await page.evaluate(() => window.mappe.compared().map((m) => m.getSource("land-hillshade").serialize().tiles[0].split("/")[3])), ["20240915", "20220915"]);
  assert.equal(members().swipe, "hillshade:20220915-20240915");
  await shoot(page, "land-swipe");
  await page.goBack();
  await page.waitForSelector("#swipe", { state: "hidden" });
  await page.goBack();
  await page.waitForFunction(() => !window.mappe.map.getSource("land-hillshade"));
  assert.equal(await page.isChecked("#land .rasters [name=hillshade]"), false);
});

test("a track that is dropped has an area around it; a line a profile that shows the place", async () => {
  const [west, south, east, north] = box;
  await go(at(16));
  await page.waitForFunction(() => !window.mappe.map.getSource("land-canopy"));
  const gpx = `<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg><trkpt lat="${south}" lon="${west}"/><trkpt lat="${north}" lon="${east}"/></trkseg></trk></gpx>`;
  await dropped("walk.gpx", gpx);
  await page.waitForSelector("#land [name=buffer]");
  assert.match(await page.innerText("#land .facts"), /walk\.gpx/);
  const hectares = async () => Number.parseFloat(await page.innerText("#land .facts b")), wide = await hectares();
  const first = members().area;
  await page.fill("#land [name=buffer]", "50");
  await page.press("#land [name=buffer]", "Tab");
  await page.waitForFunction((was) => new URLSearchParams(location.hash.slice(1)).get("area") !== was, first);
  const narrow = await hectares();
  assert.ok(narrow < wide && narrow > wide * 0.3, `${narrow} of ${wide} ha`);
  // A track around a place is the area in it, closed over a small gap.
  const loop = [[west, south], [east, south], [east, north], [west, north], [west, south + 0.00005]].map(([lon, lat]) => `<trkpt lat="${lat}" lon="${lon}"/>`).join("");
  await dropped("round.gpx", `<gpx><trk><trkseg>${loop}</trkseg></trk></gpx>`);
  await page.waitForFunction(() => /round\.gpx[^]*gap of 5\.6 m/.test(document.querySelector("#land .facts").textContent));
  assert.equal(await page.locator("#land [name=buffer]").count(), 0);
  await page.goBack();
  await page.waitForFunction((n) => Number.parseFloat(document.querySelector("#land .facts b").textContent) === n, narrow);
  // A table leads to the page of tables.
  await dropped("Kunden.csv", "Adresse;Ort\nAm Anger 2;Lorfach\n");
  await says("a table, not a map");
  assert.equal(await page.getAttribute("#land [role=status] a", "href"), "/tables");
  // An outline that crosses itself has the area that the services take, and says so.
  const tie = { type: "Polygon", coordinates: [[[west, south], [east, north], [east, south], [west, north], [west, south]]] };
  await dropped("tie.geojson", JSON.stringify(tie));
  await page.waitForFunction(() => /tie\.geojson[^]*crosses itself/.test(document.querySelector("#land .facts").textContent));
  const used = (await (await fetch(`${base}/cadastre/api/v1/spatial/polygon?include=parcels&limit=1`, { method: "POST", body: JSON.stringify(tie) })).json()).area.area_sqm;
  assert.ok(Math.abs(areaOf([tie.coordinates]) / used - 1) < 0.001, `${areaOf([tie.coordinates])}, the service ${used}`);
  await page.goBack();
  await page.waitForFunction((n) => Number.parseFloat(document.querySelector("#land .facts b").textContent) === n, narrow);
  // What is no map is said, and what was there stays.
  await dropped("notes.txt", "hello there");
  await says("GeoJSON");
  await dropped("area.wkt", `POLYGON ((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${south}))`); // read by the service
  await page.waitForFunction(() => /area\.wkt/.test(document.querySelector("#land .facts b")?.parentElement.textContent ?? ""));
  await page.goBack();
  await page.waitForFunction((n) => Number.parseFloat(document.querySelector("#land .facts b").textContent) === n, narrow);
  await dropped("far.geojson", JSON.stringify({ type: "Point", coordinates: [2.35, 48.85] }));
  await says("outside Austria");
  assert.equal(await hectares(), narrow);

  // A parcel that is clicked is the area; the address names it.
  await page.click("#land [name=parcel]");
  await page.mouse.click(...(await point(middle())));
  await page.waitForFunction(() => /^parcel:\d{5}-/.test(new URLSearchParams(location.hash.slice(1)).get("area")));
  const id = members().area.slice("parcel:".length), row = (await (await fetch(`${base}/cadastre/api/v1/parcels/geometry/batch?ids=${encodeURIComponent(id)}`)).json()).data[0];
  assert.ok(Math.abs((await hectares()) / (row.area_sqm / 1e4) - 1) < 0.02, `${await hectares()} ha and ${row.area_sqm} m²`);

  await page.click("#land [data-part=profile] summary");
  await page.click("#land [name=line]");
  for (const corner of [[west, south], [east, north]]) await page.mouse.click(...(await point(corner)));
  await page.keyboard.press("Enter");
  await page.waitForSelector("#land .figure");
  await page.hover("#land .figure");
  await page.waitForFunction(() => /ground [\d,.]+ m/.test(document.querySelector("#land .told").textContent));
  const marked = await page.evaluate(() => window.mappe.map.getSource("land-place").serialize().data.geometry?.coordinates);
  assert.ok(marked[0] > west && marked[0] < east && marked[1] > south && marked[1] < north, `${marked}`);
  await shoot(page, "land-profile");
  assert.ok(members().line);
});

test("parcels, KGs, municipalities and protected areas are areas; what lies in them is told and taken away", async () => {
  const within = () => page.waitForSelector("#land .within dl", { timeout: 60_000 }), told = () => page.innerText("#land .within");
  await go(at(15));
  await page.waitForFunction(() => window.mappe.map.getZoom() === 15 && !window.mappe.map.isMoving() && !/parcel/.test(location.hash));
  if (await page.isHidden("#land")) await page.click("#land-toggle");
  await toolbar();
  await page.click("#land [name=municipality]");
  await page.mouse.click(...(await point(middle())));
  await page.waitForFunction(() => /^municipality:\d{5}$/.test(new URLSearchParams(location.hash.slice(1)).get("area")));
  await page.click("#land [data-part=within] summary");
  await within();
  await addressHas("in", "1");
  const code = members().area.slice("municipality:".length), area = (await (await fetch(`${base}/cadastre/api/v1/search/gadm?gid=${code}`)).json()).data[0];
  assert.match(await page.innerText("#land .facts"), new RegExp(area.name_3));

  // A parcel of the card: its figures are those of the service, and the parcels come as a file.
  await page.mouse.click(...(await point(middle())));
  await page.waitForSelector("#card [data-area^='parcel:']");
  const parcel = await page.getAttribute("#card [data-area^='parcel:']", "data-area");
  await page.click("#card [data-area^='parcel:']");
  await addressHas("area", parcel);
  await page.waitForFunction(() => document.getElementById("card").hidden);
  await within();
  const row = (await (await fetch(`${base}/cadastre/api/v1/parcels/geometry/batch?ids=${encodeURIComponent(parcel.slice("parcel:".length))}`)).json()).data[0];
  await page.waitForFunction((m2) => document.querySelector("#land .within")?.innerText.includes(m2), `${Math.round(row.area_sqm).toLocaleString("en-GB")} m² (100.0 %)`);
  assert.match(await told(), /1 parcels, 1 of them whole[^]*Land use[^]*Protected areas[^]*Natura 2000[^]*Buildings/);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#land [name=parts-csv]")]);
  assert.match(saved.suggestedFilename(), /^parcels-\d{4}-\d\d-\d\d\.csv$/);
  await shoot(page, "land-within");

  // A protected area by its name, and a KG that the search found; back goes to what was before.
  const site = (await (await fetch(`${base}/cadastre/api/v1/search/protected_area`)).json()).data[0].name;
  await go(at(15, `&area=${encodeURIComponent(`protected:${site}`)}&in=1`));
  await page.waitForFunction((name) => document.querySelector("#land .facts")?.textContent.includes(name), site);
  await within();
  const kg = (await (await fetch(`${base}/context/api/v1/kgs`)).json()).data.kgs[0];
  await page.fill("#q", kg.kg_code);
  await page.waitForSelector("#suggestions li");
  await page.press("#q", "Enter");
  await page.click("#message [data-area]");
  await addressHas("area", `kg:${kg.kg_code}`);
  await within();
  await page.waitForFunction((name) => document.querySelector("#land .facts")?.textContent.includes(name), kg.kg_name);
  // The figures are those of the KG's own outline, and its parcels stand one by one.
  const all = (await (await fetch(`${base}/cadastre/api/v1/spatial/polygon?area=kg:${kg.kg_code}&include=parcels&attrs_only=1&fields=parcel_id,overlap_sqm&limit=100000`)).json());
  await page.waitForFunction((text) => document.querySelector("#land .within")?.innerText.includes(text), `${all.area.parcels.count.toLocaleString("en-GB")} parcels, ${all.area.parcels.within.toLocaleString("en-GB")} of them whole`);
  const [set] = await Promise.all([page.waitForEvent("download"), page.click("#land [name=parts-shapefile]")]);
  assert.match(set.suggestedFilename(), /^parcels-\d{4}-\d\d-\d\d\.zip$/);
  let size = 0;
  for await (const part of unpacked(entriesOf(new Uint8Array(await readFile(await set.path()))).get("parcel.shx"))) size += part.length;
  assert.equal((size - 100) / 8, all.data.length, "the shapes of the file");
  const listed = page.locator("#land .within .rows tbody tr"), [first] = all.data.sort((a, b) => b.overlap_sqm - a.overlap_sqm);
  assert.equal(await listed.count(), Math.min(50, all.data.length));
  assert.equal(await listed.first().locator("button").innerText(), first.parcel_id);
  await page.click("#land .within .more-rows");
  assert.equal(await listed.count(), Math.min(100, all.data.length));
  await listed.first().hover();
  await page.waitForFunction((id) => JSON.stringify(window.mappe.map.getFilter("pointed")).includes(id), first.parcel_id);
  await page.evaluate(() => document.querySelector("#land .within .rows").scrollIntoView());
  await shoot(page, "land-within-parcels");
  await listed.first().locator("button").click();
  await page.waitForSelector(`#card[data-parcel="${first.parcel_id}"]`, { timeout: 60_000 });
  await shoot(page, "land-within-card");
  await page.goBack();
  await page.waitForFunction(() => document.getElementById("card").hidden);
  assert.deepEqual(await findings(page), []);
  await page.goBack();
  await page.waitForFunction((name) => document.querySelector("#land .facts")?.textContent.includes(name), site);
  await page.click("#land [data-part=within] summary");
  await page.waitForFunction(() => !new URLSearchParams(location.hash.slice(1)).has("in"));
});

test("what goes wrong is said; a task is aborted", async () => {
  await go(at(14, "&task=task-gone&rasters=nonsense:1,slope:999:x&area=AA!!&line=!&swipe=a:b&on=zoo&hide=,,&find=&ask=tea&with=length:1,item:2"));
  await says("not kept any more");
  await page.waitForFunction(() => window.mappe.map.getZoom() === 14 && !window.mappe.map.isMoving());
  await page.click("#land [name=box]");
  await page.mouse.click(500, 150);
  await page.mouse.click(800, 480);
  await page.waitForFunction(() => /^[\w-]{20,}$/.test(new URLSearchParams(location.hash.slice(1)).get("area")));
  assert.equal(members().task, undefined, "another area has no result");
  // The service says why it refuses; the task that runs is held until it is aborted.
  await page.route("**/api/v1/changes?**", (route) => route.fulfill({ status: 413, contentType: "application/json", body: '{"error":"the area is too large for a Thursday","status":413,"code":"too_large"}' }));
  await page.click("#land form [type=submit]");
  await says("too large for a Thursday");
  await page.unroute("**/api/v1/changes?**");
  const state = { task_id: "task-held", status: "running", active: true, step: "comparing heights", fraction: 0.5, detail: "", error: null };
  await page.route("**/api/v1/changes?**", (route) => route.fulfill({ status: 202, contentType: "application/json", body: '{"task_id":"task-held"}' }));
  await page.route("**/segment/progress?**", (route) => route.fulfill({ status: state.active ? 202 : 200, contentType: "application/json", body: JSON.stringify(state) }));
  await page.route("**/segment/abort?**", (route) => { Object.assign(state, { status: "cancelled", active: false }); route.fulfill({ contentType: "application/json", body: JSON.stringify(state) }); });
  await page.click("#land form [type=submit]");
  await page.waitForFunction(() => [...document.querySelectorAll("#land .running li")].some((li) => /comparing heights\s+50 %/.test(li.textContent)));
  await shoot(page, "land-progress");
  await page.click("#land [name=abort]");
  await says("aborted");
  assert.equal(await page.isVisible("#land .running"), false);
  assert.ok(await page.isEnabled("#land form [type=submit]"));
});

test("a link shows the same on a phone, whose panel is a sheet that leaves the map visible; in German", async () => {
  assert.deepEqual(errors, []);
  await page.close();
  ({ page, errors } = await open(link.slice(base.length), phone, { colorScheme: "dark", locale: "de-AT" }));
  await page.waitForSelector("#land .classes input:not(:checked)", { timeout: 60_000 });
  const said = new URLSearchParams(new URL(link).hash.slice(1));
  assert.equal(await page.getAttribute("#land .classes input:not(:checked)", "data-class"), said.get("hide"));
  assert.match(await page.innerText("#land .facts"), /^[\d,]+ ha/);
  assert.match(await page.innerText("#land .classes"), /verloren|Bäume|Gebaut/);
  assert.ok(await page.isChecked("#legend [name=natura2000]"));
  const [zoom, lat, lon] = said.get("map").split("/").map(Number), there = await page.evaluate(() => [window.mappe.map.getZoom(), window.mappe.map.getCenter().lat, window.mappe.map.getCenter().lng]);
  assert.ok(Math.abs(there[0] - zoom) < 0.01 && Math.hypot(there[1] - lat, there[2] - lon) < 1e-4, `${there} and not ${[zoom, lat, lon]}`);
  assert.equal(page.url(), link);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
  const height = () => page.evaluate(() => document.getElementById("land").getBoundingClientRect().height);
  assert.ok((await height()) < 844 * 0.45);
  assert.equal(await covered(page, "#land .grip"), "");
  await page.click("#land .classes input");
  await found();
  assert.match(await page.innerText("#land h3"), /^\d+ Ereignis/);
  await shoot(page, "land-phone");
  await page.click("#land .grip");
  await page.waitForFunction(() => document.getElementById("land").getBoundingClientRect().height > 844 * 0.43 || document.querySelector("#land").dataset.height === "high");
  await page.click("#land .grip");
  await page.waitForFunction(() => document.getElementById("land").getBoundingClientRect().height < 100);
  assert.deepEqual(errors, []);
});
