// The pages in Firefox, as a person would use them, against a running server (MAPPE_URL): the map with a search, a card and the way
// back, a filter, both languages, and every other page; none asks elsewhere, breaks its policy or scrolls sideways. The tests of
// localdev/server/web look closer, in Chromium.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import puppeteer from "puppeteer-core";

const base = process.env.MAPPE_URL;
assert.ok(base, "MAPPE_URL names the server to test");

// Firefox without a window has no WebGL, so it has a window, on the display that the test has started.
const browser = await puppeteer.launch({
  browser: "firefox", executablePath: process.env.MAPPE_FIREFOX, headless: false,
  extraPrefsFirefox: { "webgl.force-enabled": true, "ui.prefersReducedMotion": 1, "intl.accept_languages": "en-GB" },
});
after(() => browser.close());

async function open(path, { ready = true, width = 1200 } = {}) {
  const page = await browser.newPage(), errors = [];
  await page.setViewport({ width, height: 800 });
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("console", (m) => { if (/Content-Security-Policy/.test(m.text())) errors.push(m.text()); });
  page.on("request", (r) => { if (!/^(blob|data):/.test(r.url()) && !r.url().startsWith(base)) errors.push(`asks ${r.url()}`); });
  const reply = await page.goto(base + path, { waitUntil: "load", timeout: 60_000 });
  if (ready) await page.waitForFunction(() => document.body.dataset.ready === "true", { timeout: 60_000 });
  return { page, errors, reply };
}

const parcel = await (async () => {
  const { data } = await (await fetch(`${base}/context/api/v1/kgs`)).json();
  const [west, south, east, north] = data.kgs[0].bbox;
  const query = new URLSearchParams({ west, south, east, north, has_buildings: "true", limit: "1" });
  return (await (await fetch(`${base}/cadastre/api/v1/spatial/bbox?${query}`)).json()).data[0];
})();
const id = encodeURIComponent(parcel.parcel_id);
const text = (page, selector) => page.$eval(selector, (e) => e.innerText);
const idle = (page) => page.evaluate(() => new Promise((done) => { const m = window.mappe.map; if (m.areTilesLoaded()) done(); else m.once("idle", done); }));

test("the map is drawn, a click opens a card, and back closes it", async () => {
  const { page, errors } = await open("/map");
  assert.ok(await page.evaluate(() => Boolean(document.createElement("canvas").getContext("webgl2"))), "no WebGL: nothing would be drawn");
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 17 }), [parcel.lon, parcel.lat]);
  await idle(page);
  const at = await page.evaluate(([lng, lat]) => { const p = window.mappe.map.project([lng, lat]); return [p.x, p.y]; }, [parcel.lon, parcel.lat]);
  await page.mouse.click(at[0], at[1]);
  await page.waitForSelector("#card:not([hidden])");
  await page.waitForFunction(() => /m²/.test(document.getElementById("card").innerText));
  const shown = await page.$eval("#card", (e) => e.dataset.parcel);
  assert.ok(decodeURIComponent(new URL(page.url()).pathname).endsWith(shown), `address bar ${page.url()}`);
  await page.goBack({ waitUntil: null });
  await page.waitForSelector("#card[hidden]", { hidden: false });
  assert.deepEqual(errors, []);
  await page.close();
});

test("what is typed is suggested and found", async () => {
  const { page, errors } = await open("/map");
  await page.type("#q", parcel.kg_code);
  await page.waitForFunction((name) => document.body.innerText.includes(name), {}, parcel.kg_name);
  await page.click("#q", { count: 3 });
  await page.type("#q", parcel.parcel_id);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#card:not([hidden])");
  assert.equal(await page.$eval("#card", (e) => e.dataset.parcel), parcel.parcel_id);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a link to a parcel opens it in both languages, on a narrow window too", async () => {
  for (const [query, word] of [["", /Area/], ["?lang=de", /Fläche/]]) {
    const { page, errors } = await open(`/p/${id}${query}`, { width: 500 });
    await page.waitForSelector("#card:not([hidden])");
    await page.waitForFunction(() => /m²/.test(document.getElementById("card").innerText));
    assert.match(await text(page, "#card"), word);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
    assert.deepEqual(errors, [], query);
    await page.close();
  }
});

const others = ["/", "/download", "/tables", "/national", `/cadastre/api/v1/parcels/${id}/sheet`, "/workfeed/hq/work", "/expander/", "/books/",
  ...["cadastre", "context", "landscape", "expander", "workfeed", "books"].map((s) => `/${s}/docs`)];
test("every other page keeps to its policy and to its width", async () => {
  const { page, errors, reply } = await open(others[0], { ready: false });
  assert.equal(reply.status(), 200);
  for (const path of others.slice(1)) {
    assert.equal((await page.goto(base + path, { waitUntil: "load" })).status(), 200, path);
    if (path.endsWith("/docs")) await page.waitForSelector("details.op");
    if (path === "/national") await page.waitForSelector("#ranking tbody tr");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} scrolls sideways`);
    assert.deepEqual(errors, [], path);
  }
  await page.close();
});

test("a request is tried from the reference", async () => {
  const { page, errors } = await open("/cadastre/docs", { ready: false });
  await page.waitForSelector("details.op");
  await page.evaluate(() => { const op = document.querySelector("details.op"); op.open = true; });
  await page.waitForSelector("details.op[open] form");
  await page.evaluate(() => document.querySelector("details.op[open] form").requestSubmit());
  await page.waitForFunction(() => /\b200\b/.test(document.querySelector("details.op").innerText), { timeout: 20_000 });
  assert.deepEqual(errors, []);
  await page.close();
});
