// The page for tables in a browser: a table in, its columns corrected, the result looked at and taken away; a stop, a server that asks
// for a pause, a page that is closed and opened again; what is no table.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { portion } from "../src/tables/lookup.js";
import { read, write } from "../src/tables/xlsx.js";
import { accessible, fits } from "../testing/author.mjs";
import { base, browser, desktop, open, phone, shoot, someParcel } from "../testing/map.mjs";

const drop = (page, name, text) => page.setInputFiles("#file", { name, mimeType: "", buffer: Buffer.from(text) });
const state = (page, name) => page.waitForFunction((name) => document.body.dataset.state === name, name);
const taken = async (page, form) => { const [saved] = await Promise.all([page.waitForEvent("download"), page.click(`#files [name=${form}]`)]); return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) }; };
const parcel = await someParcel();

test("a table of addresses comes back with parcels, and says what was not found and why", async () => {
  const { page, errors } = await open("/tables", desktop);
  await drop(page, "Kunden.csv", "\ufeffName;Wo;PLZ;Ort\r\nEine;Am Anger 2;5790;Lorfach\r\nZwei;Am Ager 2;5790;Lorfach\r\nDrei;;5790;\r\n");
  await state(page, "ready");
  assert.ok(await page.isDisabled("#go"), "no column says where a row is");
  assert.match(await page.innerText("#hint"), /No column says/);
  assert.equal(await page.inputValue("#columns [name=plz]"), "2", "the postal code is recognised");
  await page.selectOption("#columns [name=address]", { label: "Wo" });
  await page.click("#go");
  await state(page, "done");
  assert.match(await page.innerText("#gist"), /^1 of 3 rows/);
  const rows = await page.locator("#rows tbody tr").allInnerTexts();
  assert.match(rows[0], /991\d\d-.*m²|\d/);
  assert.match(rows[1], /no such address is known; did you mean Am Anger 2/);
  assert.match(rows[2], /no parcel, no position and no street/);
  await page.selectOption("#which", "lost");
  assert.equal(await page.locator("#rows tbody tr").count(), 2);
  const link = await page.evaluate(() => document.querySelector("#rows")?.querySelector("a")?.href ?? "");
  assert.equal(link, "", "rows that were not found lead nowhere");
  await accessible(page, "tables");
  await shoot(page, "tables");

  const csv = await taken(page, "csv"), lines = new TextDecoder().decode(csv.bytes).trim().split("\r\n"), book = await taken(page, "xlsx"), sheet = await read(new Uint8Array(book.bytes), 10);
  assert.deepEqual([csv.name, book.name], ["Kunden-mappe.csv", "Kunden-mappe.xlsx"]);
  assert.equal(lines.length, 4);
  assert.equal(lines[0].split(";").slice(0, 5).join(), "Name,Wo,PLZ,Ort,parcel_id", "the separator is the table's");
  const at = (name) => sheet[0].indexOf(name);
  assert.equal(sheet[1][at("parcel_id")], lines[1].split(";")[at("parcel_id")]);
  assert.equal(typeof sheet[1][at("area_sqm")], "number");
  const asked = await (await fetch(`${base}/cadastre/api/v1/parcels/geometry/batch?ids=${encodeURIComponent(sheet[1][at("parcel_id")])}`)).json();
  assert.equal(sheet[1][at("area_sqm")], asked.data[0].area_sqm);
  const [lon, lat] = [sheet[1][at("lon")], sheet[1][at("lat")]], around = (await (await fetch(`${base}/context/api/v1/context?include=municipality,osm&lon=${lon}&lat=${lat}`)).json()).data;
  assert.equal(sheet[1][at("gemeinde_code")], around.municipality.gemeinde_code);
  assert.equal(sheet[1][at("district_name")], around.municipality.district_name);
  assert.equal(sheet[1][at("dist_road_m")], around.osm.dist_road_m);
  assert.match(await page.innerText("#credit"), /ODbL/, "the licence of the distances is on the page");
  assert.match(sheet[1][at("surroundings_licence")], /ODbL/);
  await drop(page, "Komma.csv", `lon,lat\n${lon},${lat}\n`);
  await state(page, "ready");
  await page.click("#go");
  await state(page, "done");
  const german = new TextDecoder().decode((await taken(page, "comma")).bytes).split("\r\n"), english = new TextDecoder().decode((await taken(page, "csv")).bytes).split("\r\n");
  assert.equal(german[1].split(";")[german[0].split(";").indexOf("area_sqm")], String(asked.data[0].area_sqm).replace(".", ","));
  assert.equal(english[1].split(",")[english[0].split(",").indexOf("area_sqm")], String(asked.data[0].area_sqm), "as the table that was read");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a run is stopped and goes on, in a page that is opened again too", async () => {
  const context = await (await browser()).newContext({ viewport: phone, locale: "de-AT", colorScheme: "dark" }), page = await context.newPage();
  await page.goto(`${base}/tables`);
  await page.waitForFunction(() => document.body.dataset.ready === "true");
  const all = portion * 6, points = [];
  let paused = 0, held;
  const slow = new Promise((done) => { held = done; });
  await page.route("**/spatial/points*", async (route) => {
    points.push(route.request().postDataJSON().points.length);
    if (points.length === 1) { paused = Date.now(); await route.fulfill({ status: 429, headers: { "Retry-After": "1" }, body: "{}" }); return; }
    if (points.length > 4) { held(); return; } // a slow server
    await route.continue();
  });
  await page.setInputFiles("#file", { name: "Punkte.xlsx", mimeType: "", buffer: Buffer.from(await (await write([["Rechtswert", "Hochwert"], ...Array.from({ length: all }, () => [parcel.lon, parcel.lat])])).arrayBuffer()) });
  await state(page, "ready");
  assert.equal(await page.inputValue("#columns [name=system]"), "4326", "degrees, whatever the columns are called");
  await page.click("#go");
  await page.waitForFunction(() => document.getElementById("bar").value > 0 && document.body.dataset.state === "running");
  await slow;
  assert.ok(Date.now() - paused >= 1000, "the pause was kept");
  assert.ok(points.length <= 1 + 4 + 4, `at most four at once: ${points.length}`);
  await page.click("#stop");
  await state(page, "stopped");
  const told = await page.innerText("#state"), known = Number(/bei ([\d.\u00a0 ]+) von/.exec(told)[1].replace(/\D/g, ""));
  assert.ok(known > 0 && known < all && known % portion === 0, told);
  await shoot(page, "tables-phone");
  await fits(page, "tables on a phone");
  assert.equal(await page.getAttribute("html", "lang"), "de");

  await page.unroute("**/spatial/points*");
  await page.reload();
  await state(page, "stopped");
  assert.match(await page.innerText("#state"), new RegExp(`^${known} von 1.500 Zeilen sind`));
  let again = 0;
  page.on("request", (r) => { if (r.url().includes("/spatial/points")) again += r.postDataJSON().points.length; });
  await page.click("#go");
  await state(page, "done");
  assert.equal(again, all - known, "only what was not known is asked for");
  assert.match(await page.innerText("#gist"), /1\D?500 von 1\D?500/);
  assert.equal(await page.locator("#rows tbody tr").count(), 100);
  await page.click("#more");
  assert.equal(await page.locator("#rows tbody tr").count(), 200);
  await page.click("#remove");
  await state(page, "empty");
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.ready === "true");
  assert.equal(await page.evaluate(() => document.body.dataset.state), "empty", "nothing is kept");
  await context.close();
});

test("what is no table is said in a sentence, and the page stays usable", async () => {
  const { page, errors } = await open("/tables?lang=de", desktop);
  assert.equal(await page.innerText("h1"), "Tabelle ergänzen", "the address chooses the language");
  for (const [name, text, holds] of [["a.csv", "%PDF-1.7", /PDF/], ["a.csv", `q\n${"x\n".repeat(100_000)}`, /100.000 Zeilen; gelesen werden höchstens 10.000/], ["a.xlsx", "PK\u0003\u0004", /keine Excel/], ["a.json", "{}", /JSON/]]) {
    await drop(page, name, text);
    await page.waitForFunction((pattern) => new RegExp(pattern).test(document.getElementById("message").textContent), holds.source);
    assert.equal(await page.evaluate(() => document.body.dataset.state), "empty");
  }
  await page.click("#example");
  await state(page, "ready");
  assert.equal(await page.innerText("#message"), "");
  const there = await page.getAttribute("[data-language]", "href");
  assert.match(there, /[?&]lang=en/);
  await page.click("nav a[href^='/map']");
  await page.waitForURL(/\/map\?lang=de/);
  assert.deepEqual(errors, []);
  await page.close();
});

test("two tabs of a browser do not mix what they keep, and the file that was dropped last is the one that counts", async () => {
  const context = await (await browser()).newContext({ viewport: desktop, locale: "en-GB" }), one = await context.newPage(), two = await context.newPage();
  const ready = (page) => page.waitForFunction(() => document.body.dataset.ready === "true");
  for (const page of [one, two]) { await page.goto(`${base}/tables`); await ready(page); }
  let answer;
  const asked = new Promise((done) => one.route("**/spatial/points*", async (route) => { done(); await new Promise((go) => { answer = go; }); await route.continue(); }));
  await drop(one, "one.csv", `lon,lat\n${parcel.lon},${parcel.lat}\n`);
  await state(one, "ready");
  await one.click("#go");
  await asked;
  await drop(two, "two.csv", `lon,lat\n${"9.9,49.4\n".repeat(2)}`);
  await state(two, "ready");
  await two.click("#go");
  await state(two, "done");
  answer();
  await state(one, "done");
  await one.click("#remove");
  await state(one, "empty");
  await two.reload();
  await ready(two);
  assert.match(await two.innerText("#name"), /^two\.csv/, "removing a table in one tab leaves the other's");
  assert.match(await two.innerText("#gist"), /^0 of 2 rows/, "no row has the other table's parcel");

  // A large file is read for longer than the small one that is dropped after it.
  await one.evaluate(() => {
    const slow = File.prototype.arrayBuffer;
    File.prototype.arrayBuffer = async function () { const bytes = await slow.call(this); if (this.name === "slow.csv") await new Promise((done) => { window.release = done; }); return bytes; };
  });
  await drop(one, "slow.csv", "lon,lat\n1,2\n");
  await one.waitForFunction(() => window.release);
  await drop(one, "quick.csv", `lon,lat\n${parcel.lon},${parcel.lat}\n`);
  await state(one, "ready");
  await one.evaluate(async () => { window.release(); await new Promise((done) => setTimeout(done, 50)); });
  assert.match(await one.innerText("#name"), /^quick\.csv/);

  // A server of another version, and a second click.
  await one.unrouteAll();
  await one.route("**/spatial/points*", (route) => route.fulfill({ json: { results: [] } }));
  await one.click("#go");
  await state(one, "stopped");
  assert.match(await one.innerText("#message"), /in a form that this page does not know/);
  let questions = 0;
  await one.unrouteAll();
  one.on("request", (r) => { questions += r.url().includes("/spatial/points") ? 1 : 0; });
  await one.evaluate(() => { for (let n = 0; n < 3; n++) document.getElementById("columns").requestSubmit(); });
  await state(one, "done");
  assert.equal(questions, 1, "a run is begun once");
  await context.close();
});
