// A map of another service under the parcels: drawn when the reader wants it, credited, kept in the address; none where none is named.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blank, base, desktop, open, shoot } from "../testing/map.mjs";

// A tile of one colour, 1 × 1.
const tile = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

/** named opens a page of a server with a background, whose tiles are answered here. */
async function named(path, options, answer = (route) => route.fulfill({ contentType: "image/png", body: tile })) {
  const page = await blank(desktop, { drawn: true, ...options }), asked = [], errors = [];
  page.on("console", (m) => { if (/Content Security Policy/.test(m.text())) errors.push(m.text()); });
  page.on("pageerror", (e) => errors.push(e.message));
  await page.route("**/map/background.json", (r) => r.fulfill({ json: { background: { tiles: `${base}/under/{z}/{y}/{x}.png`, credit: "<b>Landkarte</b>", max_zoom: 17 } } }));
  await page.route("**/under/**", (r) => { asked.push(new URL(r.request().url()).pathname); return answer(r); });
  await page.goto(base + path);
  await page.waitForFunction(() => document.body.dataset.ready === "true", null, { timeout: 60_000 });
  return { page, asked, errors };
}

const visible = (page, layer) => page.evaluate((l) => (window.mappe.map.getLayer(l) ? window.mappe.map.getLayoutProperty(l, "visibility") ?? "visible" : "none"), layer);
const idle = (page) => page.evaluate(() => new Promise((done) => { const { map } = window.mappe; if (map.loaded() && map.areTilesLoaded()) done(); else map.once("idle", done); }));
const legend = (page) => page.locator("#legend").evaluate((e) => { e.open = true; });

test("a background is drawn when it is wanted, and takes the place of land use and relief", async () => {
  const { page, asked, errors } = await named("/map");
  await legend(page);
  assert.deepEqual(asked, []); // nobody is asked before
  const box = page.locator("#background input");
  await box.check();
  await idle(page);
  assert.ok(asked.length > 0 && asked.every((p) => /^\/under\/\d+\/\d+\/\d+\.png$/.test(p)), asked.join());
  assert.equal(await visible(page, "relief"), "none");
  assert.equal(await visible(page, "footprints"), "none");
  assert.equal(await page.evaluate(() => window.mappe.map.getPaintProperty("landuse", "fill-opacity")), 0);
  assert.match(await page.locator(".maplibregl-ctrl-attrib").innerText(), /<b>Landkarte<\/b>/); // as text
  await page.locator("#background select").selectOption("0.3");
  assert.equal(await page.evaluate(() => window.mappe.map.getPaintProperty("landuse", "fill-opacity")), 0.3);
  assert.equal(await visible(page, "footprints"), "visible");
  await shoot(page, "background");
  assert.match(page.url(), /on=background,over_background:0.3/);
  // A link shows the same, going back shows what was before.
  const again = await named(new URL(page.url()).pathname + new URL(page.url()).hash);
  await again.page.waitForFunction(() => window.mappe.map.getLayer("background"));
  assert.equal(await again.page.evaluate(() => window.mappe.map.getPaintProperty("landuse", "fill-opacity")), 0.3);
  await again.page.close();
  await page.goBack();
  await page.goBack();
  await page.waitForFunction(() => !window.mappe.map.getLayer("background"));
  assert.equal(await visible(page, "relief"), "visible");
  assert.doesNotMatch(await page.locator(".maplibregl-ctrl-attrib").innerText(), /Landkarte/);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a background that cannot be loaded is said in words, in German too, and the map stays", async () => {
  const { page } = await named("/map?lang=de#on=background", {}, (route) => route.fulfill({ status: 503 }));
  await page.waitForFunction(() => /Hintergrund kann nicht geladen werden/.test(document.getElementById("message").textContent), null, { timeout: 30_000 });
  await legend(page);
  assert.match(await page.locator("#background").innerText(), /Hintergrund[\s\S]*Nutzung darüber/);
  await page.close();
});

test("without one there is no switch", async () => {
  const { page, errors } = await open("/map#on=background", desktop);
  assert.equal(await page.locator("#background").isHidden(), true);
  assert.deepEqual(errors, []);
  await page.close();
});
