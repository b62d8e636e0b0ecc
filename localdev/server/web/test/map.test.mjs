// Drives the map page in a real browser against a running server (MAPPE_URL), as a person would:
// click a parcel, read its card, open a deep link, search, on a desktop and on a phone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const base = process.env.MAPPE_URL;
const shots = process.env.MAPPE_SCREENSHOTS;
const executablePath = process.env.MAPPE_CHROMIUM ?? "/usr/bin/chromium";
let browser;

before(async () => {
  assert.ok(base, "MAPPE_URL names the server to test");
  browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
});
after(() => browser?.close());

async function open(path, viewport) {
  const page = await browser.newPage({ viewport });
  const errors = [];
  page.on("pageerror", (e) => errors.push(e.message));
  // A map that moves on gives up tiles it no longer needs: an abort is its own doing.
  page.on("requestfailed", (r) => { if (r.failure()?.errorText !== "net::ERR_ABORTED") errors.push(`${r.url()}: ${r.failure()?.errorText}`); });
  await page.goto(base + path);
  await page.waitForFunction(() => document.body.dataset.ready === "true", null, { timeout: 60_000 });
  return { page, errors };
}

const shoot = async (page, name) => { if (shots) await page.screenshot({ path: `${shots}/${name}.png` }); };
const idle = (page) => page.evaluate(() => new Promise((done) => { const m = window.mappe.map; if (m.areTilesLoaded()) done(); else m.once("idle", done); }));

/** A parcel of the country, from the API: where the test clicks. */
async function someParcel() {
  const kgs = await (await fetch(`${base}/context/api/v1/kgs`)).json();
  const [west, south, east, north] = kgs.data.kgs[0].bbox;
  const query = new URLSearchParams({ west, south, east, north, has_buildings: "true", limit: "1" });
  const answer = await (await fetch(`${base}/cadastre/api/v1/spatial/bbox?${query}`)).json();
  return answer.data[0];
}

test("a click on a parcel opens its card, filled from the API", async () => {
  const { page, errors } = await open("/map", { width: 1280, height: 800 });
  const parcel = await someParcel();
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 17 }), [parcel.lon, parcel.lat]);
  await idle(page);
  const at = await page.evaluate(([lng, lat]) => { const p = window.mappe.map.project([lng, lat]); return [p.x, p.y]; }, [parcel.lon, parcel.lat]);
  await page.mouse.click(at[0], at[1]);
  await page.waitForSelector("#card:not([hidden])");
  const shown = await page.evaluate(() => document.getElementById("card").dataset.parcel);
  const points = await (await fetch(`${base}/cadastre/api/v1/spatial/points`, { method: "POST", body: JSON.stringify({ points: [{ lon: parcel.lon, lat: parcel.lat }] }) })).json();
  assert.equal(shown, points.results[0].parcel.parcel_id);
  const text = await page.innerText("#card");
  assert.match(text, /Area/);
  assert.match(text, /m²/);
  assert.ok(decodeURIComponent(new URL(page.url()).pathname).endsWith(shown), `address bar ${page.url()}`);
  await idle(page);
  await shoot(page, "card");
  assert.deepEqual(errors, []);
  await page.close();
});

test("an answer that comes after the reader has gone on opens no card", async () => {
  const { page, errors } = await open("/map", { width: 1280, height: 800 });
  const parcel = await someParcel();
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 17 }), [parcel.lon, parcel.lat]);
  await idle(page);
  const at = await page.evaluate(([lng, lat]) => { const p = window.mappe.map.project([lng, lat]); return [p.x, p.y]; }, [parcel.lon, parcel.lat]);

  // The answers to what was clicked are held back until they are let go; a card begins with its shape.
  const shapes = [];
  page.on("request", (r) => { if (r.url().endsWith("/geometry/batch")) shapes.push(...r.postDataJSON().ids); });
  const held = [];
  let reached;
  await page.route("**/spatial/points", (route) => { held.push(route); reached(); });
  const click = async () => {
    const asked = new Promise((done) => { reached = done; });
    await page.mouse.click(at[0], at[1]);
    await asked;
  };
  const letGo = async () => {
    const answered = page.waitForEvent("requestfinished", (r) => r.url().endsWith("/spatial/points"));
    await held.shift().continue();
    await answered;
  };

  await click();
  await page.keyboard.press("Escape");
  await letGo();
  await click();
  await page.fill("#q", "99999-1");
  await page.press("#q", "Enter");
  await page.waitForFunction(() => document.getElementById("message").textContent.includes("99999-1"));
  await letGo();
  await click();
  await letGo();
  await page.waitForSelector("#card:not([hidden])");
  const shown = await page.evaluate(() => document.getElementById("card").dataset.parcel);
  assert.deepEqual(shapes, ["99999-1", shown], "the search and the last click, not those that were closed or overtaken");
  await page.keyboard.press("Escape");
  assert.equal(await page.title(), "Mappe: parcels on the map", "the title is the page's again");
  assert.deepEqual(errors, []);
  await page.close();
});

test("the attribution is on the map", async () => {
  const { page } = await open("/map", { width: 1280, height: 800 });
  await idle(page);
  assert.match(await page.innerText(".maplibregl-ctrl-attrib"), /BEV/);
  await shoot(page, "country");
  await page.close();
});

test("a deep link opens the card on a phone without a sideways scroll", async () => {
  const parcel = await someParcel();
  const { page, errors } = await open(`/p/${encodeURIComponent(parcel.parcel_id)}`, { width: 390, height: 844 });
  await page.waitForSelector("#card:not([hidden])");
  assert.equal(await page.innerText("#card h1"), `Parcel ${parcel.gnr}`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
  assert.ok(await page.evaluate(() => { const box = document.querySelector(".maplibregl-ctrl-attrib").getBoundingClientRect(); return document.elementFromPoint(box.left + box.width / 2, box.bottom - 8)?.closest(".maplibregl-ctrl-attrib"); }), "the card covers the credits");
  await page.waitForTimeout(900);
  await idle(page);
  await shoot(page, "phone");
  assert.equal(await page.evaluate(() => document.getElementById("message").textContent), "");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a search for an unknown parcel says so, a known one is shown", async () => {
  const parcel = await someParcel();
  const { page } = await open("/map", { width: 1280, height: 800 });
  await page.fill("#q", "99999-1");
  await page.press("#q", "Enter");
  await page.waitForFunction(() => document.getElementById("message").textContent.includes("99999-1"));
  await page.fill("#q", parcel.parcel_id);
  await page.press("#q", "Enter");
  await page.waitForSelector("#card:not([hidden])");
  assert.equal(await page.evaluate(() => document.getElementById("message").textContent), "");
  await page.close();
});
