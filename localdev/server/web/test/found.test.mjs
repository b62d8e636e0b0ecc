// The parcels of a filter as a table beside the map: read, sorted in the true order, opened, marked and taken away.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { findings } from "../testing/axe.mjs";
import { base, desktop, idle, open, phone, shoot, someParcel } from "../testing/map.mjs";
import { read } from "../src/tables/xlsx.js";
import { entriesOf, unpacked } from "../src/tables/zip.js";

const parcel = await someParcel(), at = (zoom) => `#map=${zoom}/${parcel.lat.toFixed(5)}/${parcel.lon.toFixed(5)}`;
const listed = (page) => page.locator("#filter .found tbody tr").evaluateAll((rows) => rows.map((r) => r.dataset.parcel));
const column = (page, n) => page.locator(`#filter .found tbody td:nth-child(${n})`).allInnerTexts();
const status = (page) => page.innerText("#filter [role=status]");
const found = (page, pattern = "parcels|Grundst") => page.waitForFunction((p) => new RegExp(p).test(document.querySelector("#filter [role=status]").textContent) && document.querySelector("#filter .found tbody tr"), pattern, { timeout: 60_000 });
const pointed = (page) => page.evaluate(() => window.mappe.map.getFilter("pointed")[2]);
const marked = (page) => page.evaluate(() => window.mappe.map.getFilter("found-fill")[2][1]);
const find = (page) => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("find"));
const heading = (page, id) => page.locator(`#filter th button[data-column=${id}]`);
const sortOf = (page, id) => heading(page, id).evaluate((b) => b.parentElement.getAttribute("aria-sort"));

/** answered is what the service says for the view of a page. */
async function answered(page, more) {
  const [min_lon, min_lat, max_lon, max_lat] = await page.evaluate(() => window.mappe.map.getBounds().toArray().flat().map((v) => v.toFixed(6)));
  return (await fetch(`${base}/cadastre/api/v1/query?${new URLSearchParams({ min_lon, min_lat, max_lon, max_lat, limit: "1000", ...more })}`)).json();
}

/** holdsParcels looks at the files that are offered below the table: the shapefile of all that were found opens. */
async function holdsParcels(page, total) {
  assert.deepEqual(await page.locator("#filter .files a").allInnerTexts(), ["GeoJSON", "GeoPackage", "Shapefile", "CSV"]);
  const reply = await fetch(new URL(await page.locator("#filter .files a", { hasText: "Shapefile" }).getAttribute("href"), base));
  assert.deepEqual([reply.headers.get("content-type"), reply.headers.get("content-disposition")], ["application/zip", 'attachment; filename="query.zip"']);
  let size = 0;
  for await (const part of unpacked(entriesOf(new Uint8Array(await reply.arrayBuffer())).get("parcel.shx"))) size += part.length;
  assert.equal((size - 100) / 8, total);
}

test("a few parcels: every column sorts, rows are marked and opened, files hold them", async () => {
  const { page, errors } = await open(`/map${at(16)}&find=has_buildings:true`, desktop);
  await found(page);
  const answer = await answered(page, { has_buildings: "true" }), ids = answer.data.map((p) => p.parcel_id);
  assert.ok(answer.meta.total > 5 && answer.meta.total < 1000, `${answer.meta.total} parcels`);
  assert.equal(await status(page), `${answer.meta.total} parcels`);
  assert.deepEqual(await listed(page), ids.slice(0, 100));
  assert.equal(await sortOf(page, "area"), "descending");
  const width = await page.evaluate(() => document.getElementById("filter").getBoundingClientRect().width);
  assert.ok(width > 450 && width <= 520, `${width} wide`);
  const first = answer.data[0];
  assert.deepEqual((await page.locator("#filter .found tbody tr:first-child td").allInnerTexts()).filter((_, i) => i !== 2), [first.parcel_id, Math.round(first.area_sqm).toLocaleString("en-GB"), String(first.footprint_count), String(first.ez), first.status]);
  assert.match((await column(page, 3))[0], /^[A-Z][a-z]+/);
  await idle(page);
  await shoot(page, "found-desktop");
  assert.deepEqual(await findings(page), []);

  // Nothing is asked again where all are listed.
  const asked = [];
  page.on("request", (r) => { if (/\/query\?/.test(r.url())) asked.push(r.url()); });
  await heading(page, "buildings").click();
  assert.equal(await sortOf(page, "buildings"), "descending");
  assert.equal(await sortOf(page, "area"), null);
  const counts = (await column(page, 4)).map(Number);
  assert.deepEqual(counts, [...counts].sort((a, b) => b - a));
  assert.equal(await find(page), "has_buildings:true,sort:buildings_desc");
  await heading(page, "use").focus();
  await page.keyboard.press("Enter");
  assert.equal(await sortOf(page, "use"), "ascending");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.column), "use", "the focus stays on the heading");
  const uses = await column(page, 3);
  assert.deepEqual(uses, [...uses].sort((a, b) => a.localeCompare(b)));
  await page.keyboard.press("Enter");
  assert.equal(await sortOf(page, "use"), "descending");
  await heading(page, "number").click();
  assert.deepEqual(await listed(page), (await answered(page, { has_buildings: "true", sort: "gnr" })).data.map((p) => p.parcel_id).slice(0, 100), "the order of numbers is the service's");
  await heading(page, "folio").click();
  const folios = (await column(page, 5)).map((v) => (v === "–" ? -1 : Number(v)));
  assert.deepEqual(folios, [...folios].sort((a, b) => b - a));
  assert.deepEqual(asked, []);
  // Back is the order before.
  await page.goBack();
  await page.waitForFunction(() => document.querySelector("#filter th button[data-column=number]")?.parentElement.ariaSort === "ascending");

  // A row that is pointed at is marked on the map; arrow keys go from row to row; a click opens the parcel.
  await found(page);
  const rows = await listed(page);
  await page.hover("#filter .found tbody tr:nth-child(2) td:nth-child(3)");
  assert.equal(await pointed(page), rows[1]);
  await page.hover("#q");
  assert.equal(await pointed(page), "");
  await page.focus("#filter .found tbody tr:first-child button");
  await page.keyboard.press("ArrowDown");
  assert.equal(await pointed(page), rows[1]);
  await page.click("#filter .found tbody tr:nth-child(3) td:nth-child(4)");
  await page.waitForFunction((id) => document.getElementById("card").dataset.parcel === id, rows[2]);
  await page.waitForFunction(() => !window.mappe.map.isMoving());
  const [lon, lat] = ["lon", "lat"].map((k) => answer.data.find((p) => p.parcel_id === rows[2])[k]);
  assert.ok(await page.evaluate((place) => window.mappe.map.project(place).x > document.getElementById("filter").getBoundingClientRect().right, [lon, lat]), "the parcel lies beside the table");
  await shoot(page, "found-card");

  // The workbook holds all of them, as they stand.
  const loading = page.waitForEvent("download");
  await page.click("#filter [name=xlsx]");
  await holdsParcels(page, answer.meta.total);
  const file = await loading;
  assert.equal(file.suggestedFilename(), "parcels.xlsx");
  const sheet = await read(new Uint8Array(await readFile(await file.path())), 10_000);
  assert.equal(sheet.length, answer.meta.total + 1);
  assert.deepEqual(sheet[0], ["Parcel", "Area, m²", "Land use", "Buildings", "EZ", "Boundary"]);
  assert.deepEqual(sheet.slice(1, rows.length + 1).map((r) => r[0]), rows);
  assert.deepEqual(errors, []);
  await page.close();
});

test("more parcels than are listed stand in the true order, all of those listed can be reached", async () => {
  const { page, errors } = await open(`/map${at(13)}&find=all`, desktop);
  await found(page, "the largest 1,000 are marked");
  const largest = await answered(page, {});
  assert.ok(largest.meta.total > 1000, `${largest.meta.total} parcels`);
  assert.deepEqual(await listed(page), largest.data.map((p) => p.parcel_id).slice(0, 100));
  assert.ok(await page.evaluate(() => { const f = document.getElementById("filter"); return f.scrollWidth <= f.clientWidth; }), "the table is wider than the panel");
  await heading(page, "area").click();
  await found(page, "the smallest 1,000 are marked");
  const smallest = (await answered(page, { sort: "area_asc" })).data.map((p) => p.parcel_id);
  assert.deepEqual(await listed(page), smallest.slice(0, 100));
  assert.deepEqual((await marked(page)).sort(), [...smallest].sort());
  assert.equal(await page.evaluate(() => document.activeElement.dataset.column), "area");
  assert.equal(await find(page), "sort:area_asc");
  assert.match(await page.getAttribute("#filter .files a", "href"), /sort=area_asc/);
  for (let n = 200; n <= 1000; n += 100) {
    await page.click("#filter .more-rows");
    assert.equal(await page.locator("#filter .found tbody tr").count(), n);
  }
  assert.deepEqual(await listed(page), smallest);
  assert.equal(await page.isVisible("#filter .more-rows"), false);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.parcel), smallest[900], "the reader goes on at the first row that was added");
  await heading(page, "number").click();
  await found(page, "the first 1,000 by their numbers are marked");
  assert.deepEqual(await listed(page), (await answered(page, { sort: "gnr" })).data.map((p) => p.parcel_id).slice(0, 100));
  // An order that the service does not have is that of the largest among themselves, and the page says so.
  await heading(page, "status").click();
  await found(page, "the largest 1,000 are marked. They are sorted among themselves.");
  assert.deepEqual((await marked(page)).sort(), largest.data.map((p) => p.parcel_id).sort());
  assert.deepEqual([...new Set(await column(page, 6))][0], "E");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a link shows filter and order; on a phone, dark and in German the table is a sheet", async () => {
  const { page, errors } = await open(`/map?lang=de${at(16)}&find=has_buildings:true,sort:number_asc`, phone, { colorScheme: "dark", locale: "de-AT" });
  await found(page);
  assert.equal(await sortOf(page, "number"), "ascending");
  assert.deepEqual(await listed(page), (await answered(page, { has_buildings: "true", sort: "gnr" })).data.map((p) => p.parcel_id).slice(0, 100));
  assert.deepEqual(await page.locator("#filter .found th").allInnerTexts(), ["Grundstück", "Fläche, m²", "Nutzung", "Gebäude", "EZ", "Grenze"]);
  assert.match(await status(page), /^\d+ Grundstücke$/);
  assert.match(await page.innerText("#filter .files"), /^[A-ZÄÖÜ][a-zäöüß ]+ GeoJSON GeoPackage Shapefile CSV/);
  await page.locator("#filter .found tbody tr").nth(2).scrollIntoViewIfNeeded();
  const sheet = await page.evaluate(() => { const f = document.getElementById("filter"), b = f.getBoundingClientRect(); return { left: b.left, right: b.right, wide: f.scrollWidth <= f.clientWidth, page: document.documentElement.scrollWidth <= innerWidth }; });
  assert.deepEqual(sheet, { left: 0, right: 390, wide: true, page: true });
  await idle(page);
  await shoot(page, "found-phone");
  await page.click("#filter .grip");
  await shoot(page, "found-phone-high");
  assert.deepEqual(await findings(page), []);
  // Long names of land uses are broken, on the phone and at a desk.
  for (const [viewport, sort] of [[phone, "use_desc"], [desktop, "use_asc"]]) {
    await page.setViewportSize(viewport);
    await page.evaluate(([hash, sort]) => { location.hash = `${hash}&find=sort:${sort}`; }, [at(15), sort]);
    await page.waitForFunction((down) => document.querySelector("#filter th button[data-column=use]")?.parentElement.ariaSort === down, sort === "use_desc" ? "descending" : "ascending", { timeout: 60_000 });
    assert.ok(await page.evaluate(() => { const f = document.getElementById("filter"); return f.scrollWidth <= f.clientWidth; }), `${sort}: the table is wider than the panel`);
    await idle(page);
    await shoot(page, `found-german-${viewport.width}`);
  }
  await page.setViewportSize(phone);
  const row = (await listed(page))[1];
  await page.click("#filter .found tbody tr:nth-child(2) button");
  await page.waitForFunction((id) => document.getElementById("card").dataset.parcel === id, row);
  assert.deepEqual(errors, []);
  await page.close();
});
