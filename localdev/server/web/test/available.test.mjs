// What there is, at zooms without parcels: municipalities and districts by how many of their KGs are built, and their cards.
import assert from "node:assert/strict";
import { test } from "node:test";
import { classOf, tally } from "../src/builtshare.js";
import { available } from "../src/palette.js";
import { blank, base, desktop, idle, open, phone, shoot } from "../testing/map.mjs";

test("an area's class is the share of its KGs that are built", () => {
  const names = (built, all) => available[classOf(built, all)].name;
  assert.deepEqual([[0, 7], [1, 7], [3, 7], [4, 8], [6, 7], [7, 7], [1, 1]].map(([a, b]) => names(a, b)), ["none", "less than half", "less than half", "half or more", "half or more", "all", "all"]);
});

test("KGs are counted by what is known of them", () => {
  assert.deepEqual(tally([{ stichtag: "2025-04-01" }, { stichtag: "2024-10-01", evicted: true }, { stichtag: null }]), { all: 3, built: 2, evicted: 1, oldest: "2024-10-01", newest: "2025-04-01" });
  assert.deepEqual(tally([]), { all: 0, built: 0, evicted: 0, oldest: null, newest: null });
});

// The KGs of the country by municipality, as the service lists them.
const kgs = async () => (await (await fetch(`${base}/context/api/v1/kgs`)).json()).data.kgs;
const away = (page, zoom) => page.evaluate((z) => new Promise((done) => { const { map } = window.mappe; map.once("idle", done); map.jumpTo({ zoom: z }); }), zoom);

test("zoomed out, municipalities have the colour of what is built; a press opens a card with their KGs", async () => {
  const list = await kgs();
  for (const viewport of [desktop, phone]) {
    const { page, errors } = await open("/map", viewport, { drawn: true });
    assert.equal(await page.evaluate(() => Boolean(window.mappe.map.getSource("areas"))), false); // nothing is asked for before
    await away(page, 11);
    await page.waitForFunction(() => window.mappe.map.getLayer("areas") && window.mappe.map.queryRenderedFeatures({ layers: ["areas"] }).length > 0, null, { timeout: 60_000 });
    const states = await page.evaluate(() => Object.fromEntries(window.mappe.map.queryRenderedFeatures({ layers: ["areas"] }).map((f) => [f.properties.gemeinde_code, f.state.municipality])));
    assert.deepEqual(new Set(Object.keys(states)), new Set(list.map((k) => k.gemeinde_code).filter((g) => g in states)));
    assert.ok(Object.values(states).every((c) => c >= 0 && c < available.length), JSON.stringify(states));
    await page.locator("#legend").evaluate((e) => { e.open = true; });
    assert.match(await page.locator("#available").innerText(), /by municipality/);
    await idle(page);
    await shoot(page, `available-${viewport.width}`);
    const at = await page.evaluate(() => { const { map } = window.mappe, p = map.project(map.getCenter()), box = map.getCanvas().getBoundingClientRect(); return { x: box.left + p.x, y: box.top + p.y }; });
    if (viewport === phone) await page.locator("#legend").evaluate((e) => { e.open = false; });
    await page.mouse.click(at.x, at.y);
    await page.locator("#card .parts").waitFor();
    const title = await page.locator("#card h1").innerText(), of = list.filter((k) => k.gemeinde_name === title);
    assert.ok(of.length > 0, title);
    assert.equal(await page.locator("#card .parts li").count(), of.length);
    await idle(page);
    await shoot(page, `available-card-${viewport.width}`);
    // A link to it shows the same.
    const again = await blank(viewport, { drawn: true });
    await again.goto(page.url());
    await again.locator("#card .parts").waitFor({ timeout: 60_000 });
    assert.equal(await again.locator("#card h1").innerText(), title);
    await again.close();
    // A KG of it goes there, where parcels are drawn and the legend is that of land uses.
    await page.locator("#card .parts button").first().click();
    await page.waitForFunction(() => window.mappe.map.getZoom() > 12.5 && !window.mappe.map.isMoving(), null, { timeout: 30_000 });
    await page.waitForFunction(() => document.getElementById("available").hidden);
    assert.deepEqual(errors, []);
    await page.close();
  }
});

test("further out districts have one colour and a card with their municipalities, in German too, light and dark", async () => {
  const { page, errors } = await open("/map?lang=de", desktop, { drawn: true, colorScheme: "dark" });
  await away(page, 7);
  await page.waitForFunction(() => window.mappe.map.getLayer("areas") && window.mappe.map.queryRenderedFeatures({ layers: ["areas"] }).length > 0, null, { timeout: 60_000 });
  await page.locator("#legend").evaluate((e) => { e.open = true; });
  assert.match(await page.locator("#available").innerText(), /je Bezirk/);
  const box = await page.evaluate(() => { const { map } = window.mappe, p = map.project(map.getCenter()), r = map.getCanvas().getBoundingClientRect(); return { x: r.left + p.x, y: r.top + p.y }; });
  await page.mouse.click(box.x, box.y);
  await page.locator("#card .parts").waitFor();
  assert.match(await page.locator("#card .where").innerText(), /^Bezirk \d{3}$/);
  await idle(page);
  await shoot(page, "available-district");
  const dark = await page.evaluate(() => JSON.stringify(window.mappe.map.getPaintProperty("areas", "fill-color")));
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForFunction((was) => JSON.stringify(window.mappe.map.getPaintProperty("areas", "fill-color")) !== was, dark);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a KG that left the store is told, one that was built again since is not", async () => {
  const { page, errors } = await open("/map", desktop, { drawn: true });
  const doc = await page.evaluate(async () => { const p = await (await fetch("/artefacts/current.json")).json(); return (await fetch(`/artefacts/${p.places}`)).json(); });
  const at = (name) => doc.kgs.columns.indexOf(name), built = doc.kgs.rows.filter((r) => r[at("stichtag")]).slice(0, 2);
  const [gone, again] = built.map((r) => r[at("kg_code")]);
  await page.route("**/artefacts/availability.json", (r) => r.fulfill({ json: { format: 1, evicted: [
    { kg_code: gone, sha256: "a".repeat(64), bytes: 1, stichtag: built[0][at("stichtag")] }, { kg_code: again, sha256: "b".repeat(64), bytes: 1, stichtag: "2020-01-01" }] } }));
  await away(page, 7);
  await page.waitForFunction(() => window.mappe.map.getLayer("areas") && window.mappe.map.queryRenderedFeatures({ layers: ["areas"] }).length > 0, null, { timeout: 60_000 });
  const box = await page.evaluate(() => { const { map } = window.mappe, p = map.project(map.getCenter()), r = map.getCanvas().getBoundingClientRect(); return { x: r.left + p.x, y: r.top + p.y }; });
  await page.mouse.click(box.x, box.y);
  await page.locator("#card .parts").waitFor();
  assert.match(await page.locator("#card").innerText(), /In the archive alone\s+1 KGs/);
  assert.deepEqual(errors, []);
  await page.close();
});
