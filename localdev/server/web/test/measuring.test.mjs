// Measuring on the map as a reader does it: with a pointer, a finger, keys; from a link; in German; and what it leaves alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { findings } from "../testing/axe.mjs";
import { base, covered, desktop, idle, open, phone, shoot, someParcel } from "../testing/map.mjs";
import { lengthText, measured, measureIn } from "../src/measure/figures.js";

const parcel = await someParcel(), at = `#map=17/${parcel.lat.toFixed(5)}/${parcel.lon.toFixed(5)}`;
const member = (page) => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("measure") ?? "");
const saved = (page, corners, closed) => page.waitForFunction(([n, closed]) => {
  const rows = document.querySelectorAll("#measure tbody tr").length;
  return rows === (closed ? n : n - 1) && new URLSearchParams(location.hash.slice(1)).get("measure")?.startsWith("area:") === closed;
}, [corners, closed]);
const pressed = (page) => page.getAttribute("button.measure", "aria-pressed");
const facts = (page) => page.innerText("#measure");
const kinds = (page) => page.evaluate(() => window.mappe.map.getSource("measure").serialize().data.features.map((f) => f.properties.kind));
const cardOpen = (page) => page.isVisible("#card");

async function begin(page) {
  await page.click("button.measure");
  await page.waitForSelector("#measure:not([hidden])");
}

test("a line is measured, closed to an area, taken back, cleared, and nothing else is opened", async () => {
  const { page, errors } = await open(`/map${at}`, desktop);
  await idle(page);
  assert.equal(await page.getAttribute("button.measure", "title"), "Measure");
  assert.equal(await page.getAttribute("button.measure", "aria-label"), "Measure");
  assert.equal(await covered(page, "button.measure"), "");
  await begin(page);
  assert.equal(await pressed(page), "true");
  assert.ok(await page.isDisabled("#measure [name=back]"));
  await page.mouse.click(700, 300);
  await page.mouse.click(900, 320);
  await saved(page, 2, false);
  // The line follows the pointer, with the length of the segment and the whole.
  await page.mouse.move(860, 500);
  await page.waitForFunction(() => window.mappe.map.getSource("measure").serialize().data.features.filter((f) => f.properties.kind === "segment").length === 2);
  assert.deepEqual((await kinds(page)).slice(-1), ["whole"]);
  await page.waitForTimeout(400);
  await shoot(page, "measure-line");
  await page.mouse.click(860, 500);
  await saved(page, 3, false);
  const three = measured(measureIn(await member(page)).corners);
  assert.match(await facts(page), new RegExp(`Length: ${lengthText(three.metres).replace(".", "\\.")}`));
  assert.deepEqual(await page.locator("#measure tbody td:nth-child(2)").allInnerTexts(), three.segments.map((s) => lengthText(s.metres)));
  assert.match(await page.innerText("#measure tbody tr:first-child td:last-child"), /^9\d\.\d\d°$/);
  await page.mouse.click(720, 520);
  await saved(page, 4, false);
  await page.keyboard.press("Backspace");
  await saved(page, 3, false);
  // Near the first corner closes it.
  await page.waitForTimeout(400);
  await page.mouse.click(704, 304);
  await saved(page, 3, true);
  assert.match(await facts(page), /Area: [\d,.]+ m² \([\d.]+ ha\)\s+Perimeter: [\d,]+ m/);
  assert.ok((await kinds(page)).includes("area"));
  await page.mouse.move(1000, 650);
  await page.waitForTimeout(600);
  await shoot(page, "measure-area");
  assert.deepEqual(await findings(page), []);
  assert.equal(await cardOpen(page), false);
  assert.equal(new URL(page.url()).pathname, "/map");

  // Taken back, the ring is open again; ended by a double click it is a line; the next click begins anew.
  await page.click("#measure [name=back]");
  await saved(page, 3, false);
  await page.mouse.dblclick(980, 560);
  await saved(page, 4, false);
  assert.match(await facts(page), /A click begins a new measurement/);
  const zoom = await page.evaluate(() => window.mappe.map.getZoom());
  await page.waitForTimeout(700);
  assert.equal(zoom, 17, "the double click is no zoom");
  const first = await member(page);
  await page.mouse.click(700, 400);
  await page.waitForTimeout(400);
  await page.mouse.click(800, 400);
  await saved(page, 2, false);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /new measurement/.test(document.getElementById("measure").innerText));
  const second = await member(page);
  assert.notEqual(second, first);

  // Each measurement is an entry of the history.
  await page.goBack();
  await saved(page, 4, false);
  assert.equal(await member(page), first);
  await page.goForward();
  await saved(page, 2, false);
  await page.click("#measure [name=empty]");
  assert.equal(await page.locator("#measure tbody tr").count(), 0);
  assert.deepEqual(await kinds(page), []);
  assert.equal(await member(page), "");
  await page.goBack();
  await saved(page, 2, false);

  // Escape ends; the map opens parcels again.
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.getElementById("measure").hidden);
  assert.equal(await pressed(page), "false");
  assert.equal(await member(page), "");
  assert.deepEqual(await kinds(page), []);
  await page.waitForTimeout(600);
  const [x, y] = await page.evaluate(([lng, lat]) => { const p = window.mappe.map.project([lng, lat]); return [p.x, p.y]; }, [parcel.lon, parcel.lat]);
  await page.mouse.click(x, y);
  await page.waitForSelector("#card:not([hidden])");
  // Beside a card Escape ends measuring first; keys of the card are the card's.
  await begin(page);
  await page.focus("#card .close");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.getElementById("card").hidden);
  assert.equal(await pressed(page), "true");
  await page.click("#measure [name=close]");
  assert.equal(await pressed(page), "false");
  assert.equal(await page.evaluate(() => document.activeElement.className), "measure", "the focus is back on the button");
  assert.deepEqual(errors, []);
  await page.close();
});

test("with the keyboard corners are set in the middle of the map", async () => {
  const { page, errors } = await open(`/map${at}`, desktop);
  await idle(page);
  await page.focus("button.measure");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#measure:not([hidden])");
  await page.waitForFunction(() => document.activeElement === window.mappe.map.getCanvas());
  assert.match(await page.innerText("#keys"), /Enter sets a corner/);
  const move = async (key) => { await page.keyboard.press(key); await page.waitForFunction(() => !window.mappe.map.isMoving()); };
  await page.keyboard.press("Enter");
  await move("ArrowRight");
  await page.keyboard.press("Enter");
  await saved(page, 2, false);
  await move("ArrowDown");
  await page.keyboard.press("Enter");
  await saved(page, 3, false);
  await page.keyboard.press("Backspace");
  await saved(page, 2, false);
  await page.keyboard.press("Enter");
  await saved(page, 3, false);
  await shoot(page, "measure-keyboard");
  // Enter at the same place ends.
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /new measurement/.test(document.getElementById("measure").innerText));
  const { corners } = measureIn(await member(page)), [right, down] = measured(corners).segments;
  assert.ok(Math.abs(right.bearing - 90) < 0.1 && Math.abs(down.bearing - 180) < 0.1, `${right.bearing}, ${down.bearing}`);
  assert.equal(await cardOpen(page), false);
  await page.keyboard.press("Escape");
  assert.equal(await pressed(page), "false");
  assert.match(await page.innerText("#keys"), /Enter opens the parcel/);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#card:not([hidden])");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a link shows what was measured, on a phone in the dark and in German; nonsense is passed over", async () => {
  const { page: first, errors: none } = await open(`/map${at}`, desktop);
  await idle(first);
  await begin(first);
  for (const [x, y] of [[560, 300], [700, 320], [690, 420], [580, 430]]) { await first.mouse.click(x, y); await first.waitForTimeout(380); }
  await first.mouse.click(560, 300);
  await saved(first, 4, true);
  const hash = new URL(first.url()).hash, wanted = measureIn(await member(first)), figures = measured(wanted.corners, true);
  assert.deepEqual(none, []);
  await first.close();

  const { page, errors } = await open(`/map?lang=de${hash}`, phone, { colorScheme: "dark", locale: "de-AT", hasTouch: true });
  await page.waitForSelector("#measure:not([hidden])");
  await saved(page, 4, true);
  const text = await facts(page);
  for (const word of ["Messen", "Fläche: ", "Umfang: ", "Strecke", "Länge", "Azimut", "Zurücknehmen", "Leeren", "Schließen"]) assert.ok(text.includes(word), `${word} in ${text}`);
  assert.ok(text.includes(Math.round(figures.area).toLocaleString("de-AT")), text);
  assert.doesNotMatch(text, /Take|Area|corner/);
  assert.equal(await page.getAttribute("button.measure", "title"), "Messen");
  assert.equal(await covered(page, "#measure h2"), "");
  assert.equal(await covered(page, "button.measure"), "");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
  await idle(page);
  await page.waitForTimeout(500);
  await shoot(page, "measure-phone");
  assert.deepEqual(await findings(page), []);
  // Fingers measure too.
  await page.click("#measure [name=empty]");
  for (const [x, y] of [[80, 260], [250, 280], [240, 380]]) { await page.touchscreen.tap(x, y); await page.waitForTimeout(450); }
  await saved(page, 3, false);
  await page.touchscreen.tap(82, 262);
  await saved(page, 3, true);
  await shoot(page, "measure-phone-tapped");
  assert.equal(await cardOpen(page), false);
  assert.deepEqual(errors, []);
  await page.close();

  for (const bad of ["hello%20world", "area:AAAA", "%00", "area:", "____"]) {
    const { page, errors } = await open(`/map${at}&measure=${bad}`, desktop);
    await idle(page);
    assert.equal(await page.isVisible("#measure"), false, bad);
    assert.equal(await pressed(page), "false");
    assert.deepEqual(errors, []);
    await page.close();
  }
});

test("measuring and what else takes the map's clicks end one another", async () => {
  const { page, errors } = await open(`/map${at}`, desktop);
  await idle(page);
  await page.click("#land-toggle");
  await page.waitForSelector("#land [name=polygon]");
  await page.click("#land [name=polygon]");
  await page.mouse.click(700, 300);
  await begin(page);
  assert.equal(await page.isVisible("#land .hint"), false, "the landscape's drawing is given up");
  await page.mouse.click(720, 300);
  await page.waitForTimeout(400);
  await page.mouse.click(820, 300);
  await saved(page, 2, false);
  assert.equal(await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("area")), null);
  for (const tool of ["box", "parcel"]) {
    if (await pressed(page) === "false") await begin(page);
    await page.click(`#land [name=${tool}]`);
    await page.waitForFunction(() => document.getElementById("measure").hidden);
    assert.equal(await page.getAttribute(`#land [name=${tool}]`, "aria-pressed"), "true");
  }
  await page.click("#land-toggle");
  // Compared versions end measuring and the other way round.
  await begin(page);
  await page.click("#compare-toggle");
  await page.waitForFunction(() => document.getElementById("measure").hidden && !document.getElementById("compare").hidden);
  await page.waitForFunction(() => new URLSearchParams(location.search).get("compare"), null, { timeout: 30_000 }).catch(() => {});
  await begin(page);
  assert.equal(await page.isVisible("#compare"), false);
  assert.equal(new URL(page.url()).search, "");
  assert.equal(await page.isVisible("#measure"), true);
  assert.deepEqual(errors, []);
  await page.close();
});

test("the first view is not larger for it", async () => {
  const { page } = await open("/map", desktop);
  const asked = [];
  page.on("request", (r) => asked.push(r.url().slice(base.length)));
  await begin(page);
  assert.ok(asked.some((path) => path.includes("measuring-")), "the script comes when the reader measures");
  await page.close();
});
