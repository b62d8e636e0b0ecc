// What surrounds a place, in the card and on the map, in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, desktop, idle, open, phone, shoot, someParcel } from "../testing/map.mjs";

const drawn = (page) => page.evaluate(() => window.mappe.map.getSource("near").serialize().data.features);
const settled = (page) => page.waitForFunction(() => window.mappe.map.getSource("near").serialize().data.features?.length > 0, null, { timeout: 60_000 });

test("a parcel's card tells what surrounds it, with source and licence, and lines lead to the nearest", async () => {
  const parcel = await someParcel();
  const { page, errors } = await open("/map", desktop);
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 17 }), [parcel.lon, parcel.lat]);
  await idle(page);
  let asked;
  page.on("request", (r) => { if (r.url().includes("/api/v1/context?")) asked = r.url(); });
  await page.mouse.click(640, 400);
  await page.waitForSelector("#around details");
  const { data, meta } = await (await fetch(asked)).json();
  assert.equal(new URL(asked).searchParams.get("kg"), parcel.kg_code, "the KG of the parcel, for the legal references");
  for (const s of data.sources) {
    const block = `#around details[data-block=${s.block}]`;
    assert.equal(await page.locator(block).count(), 1, s.block);
    assert.equal(await page.locator(`${block} .source`).isVisible(), false, "folded first");
    await page.click(`${block} summary`);
    const told = await page.innerText(`${block} .source`);
    for (const part of [s.dataset, s.attribution, s.license]) assert.ok(told.includes(part), `${told}: ${part}`);
    assert.equal(await page.getAttribute(`${block} .source a`, "href"), meta.licenses[s.block].license_url);
  }
  assert.match(await page.innerText("#around details[data-block=municipality]"), new RegExp(data.municipality.name));
  const missing = Object.values(data.missing);
  assert.equal(await page.locator("#around details[data-block=missing]").count(), missing.length ? 1 : 0);
  if (missing.length) {
    await page.click("#around details[data-block=missing] summary");
    const told = await page.innerText("#around details[data-block=missing]");
    for (const why of missing) assert.ok(told.includes(why), why);
  }

  // A line ends where the service says the feature lies.
  await settled(page);
  const lines = (await drawn(page)).filter((f) => f.geometry.type === "LineString");
  assert.ok(lines.some((f) => f.properties.id === "road"), "the road");
  for (const f of lines) assert.ok(f.properties.text.includes(" · "), f.properties.text);
  await idle(page);
  await shoot(page, "around");
  await page.keyboard.press("Escape");
  assert.deepEqual(await drawn(page), [], "closing the card takes the lines away");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a place in no parcel has a card too, and what is missing says why", async () => {
  const kgs = (await (await fetch(`${base}/context/api/v1/kgs`)).json()).data.kgs;
  const west = Math.min(...kgs.map((k) => k.bbox[0])), south = Math.min(...kgs.map((k) => k.bbox[1]));
  const { page, errors } = await open("/map", phone, { colorScheme: "dark", locale: "de-AT" });
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 15 }), [west - 0.02, south - 0.02]);
  await idle(page);
  await page.focus(".maplibregl-canvas");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#around details[data-block=missing]");
  assert.equal(await page.innerText("#card h1"), "Stelle");
  assert.equal(await page.evaluate(() => document.activeElement.id), "card-title", "who uses keys is taken to the card");
  assert.match(await page.innerText("#card"), /Hier liegt kein Grundstück/);
  await page.click("#around details[data-block=missing] summary");
  assert.match(await page.innerText("#around details[data-block=missing]"), /the point lies outside Austria/);
  assert.equal(await page.getAttribute("#around details[data-block=missing] td span", "lang"), "en");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
  await shoot(page, "place-phone");
  assert.deepEqual(errors, []);
  await page.close();
});

test("where the context cannot be read, the parcel's card stays and says so", async () => {
  const parcel = await someParcel();
  const { page } = await open("/map", desktop);
  await page.route("**/context/api/v1/context?*", (route) => route.fulfill({ status: 400, json: { error: "parameter lon is made up", status: 400, code: "bad", errors: [] } }));
  await page.evaluate((id) => { history.pushState(null, "", `/p/${id}`); dispatchEvent(new PopStateEvent("popstate")); }, parcel.parcel_id);
  await page.waitForFunction(() => document.getElementById("around")?.innerText.includes("parameter lon is made up"));
  assert.equal(await page.innerText("#card h1"), `Parcel ${parcel.gnr}`);
  await page.close();
});
