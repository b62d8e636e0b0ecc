// Drives the expander's page in a real browser against a running server (MAPPE_URL), as a person would:
// try an example, read what the clock does, page on, mistype, on a desktop and on a phone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, browser } from "../testing/browser.mjs";

const shots = process.env.MAPPE_SCREENSHOTS;
const desktop = { width: 1280, height: 900 }, phone = { width: 390, height: 844 };

async function open(viewport, hash = "", timezoneId = undefined) {
  const page = await (await browser()).newPage({ viewport, timezoneId });
  const errors = [];
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("console", (m) => { if (/Content Security Policy/.test(m.text())) errors.push(m.text()); });
  page.on("request", (r) => { if (!r.url().startsWith(base)) errors.push(`asks ${r.url()}`); });
  await page.goto(`${base}/expander/${hash}`);
  await page.waitForFunction(() => document.body.dataset.ready === "true");
  return { page, errors };
}

const given = (rule, kind = "rrule", tz = "Europe/Vienna", start = "2027-03-27T02:30") => "#" + new URLSearchParams({ kind, rule, tz, start });
const rows = (page, n) => page.waitForFunction((n) => document.querySelectorAll("#rows tr").length === n, n);
const shoot = async (page, name) => { if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true }); };
const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

test("a time that does not exist is explained, on a desktop and on a phone", async () => {
  for (const [name, viewport] of [["expander", desktop], ["expander-phone", phone]]) {
    const { page, errors } = await open(viewport);
    await page.click("text=02:30 when clocks go forward");
    await rows(page, 3);
    const second = await page.innerText("#rows tr:nth-child(2)");
    assert.match(second, /Sun 2027-03-28 03:30/);
    assert.match(second, /02:30 does not exist/);
    assert.equal(await page.getAttribute(".month .day.on.gap", "aria-label"), "2027-03-28: 03:30; a time of this day does not exist");
    await page.click("#more");
    await rows(page, 6);
    assert.match(await page.innerText("#rows tr:nth-child(6)"), /2027-04-01 02:30/);
    assert.equal(await page.locator(".month").count(), 2);
    await shoot(page, name);
    assert.ok(await fits(page), `${name} scrolls sideways`);
    assert.deepEqual(errors, []);
    await page.close();
  }
});

test("a time that occurs twice is marked, and cron works", async () => {
  const { page, errors } = await open(desktop);
  await page.click("text=cron at 01:30 when clocks go back");
  await rows(page, 3);
  assert.match(await page.innerText("#rows"), /01:30 occurs twice/);
  assert.equal(await page.locator(".month .day.on.overlap").count(), 1);
  await shoot(page, "expander-overlap");
  assert.deepEqual(errors, []);
  await page.close();
});

test("paging keeps INTERVAL and COUNT, also where two occurrences are one instant", async () => {
  const { page } = await open(desktop, given("FREQ=HOURLY;COUNT=5", "rrule", "Europe/Vienna", "2027-03-28T00:00"));
  await rows(page, 3);
  await page.click("#more");
  await rows(page, 5);
  const utc = await page.locator("#rows td:nth-child(2)").allInnerTexts();
  assert.deepEqual(utc.map((t) => t.match(/\d\d:\d\d:\d\dZ/)[0]), ["23:00:00Z", "00:00:00Z", "01:00:00Z", "01:00:00Z", "02:00:00Z"]);
  assert.ok(await page.isHidden("#more"));
  await page.close();
});

test("pressed twice, the button gives the next three once, also where the first answer comes last", async () => {
  const { page, errors } = await open(desktop, given("FREQ=DAILY"));
  await rows(page, 3);
  let second;
  const answered = new Promise((done) => { second = done; });
  let asked = 0;
  await page.route("**/v1/preview", async (route) => {
    if (++asked === 1) await answered;
    await route.continue();
  });
  await page.evaluate(() => { const b = document.getElementById("more"); b.click(); b.click(); });
  await rows(page, 6);
  second();
  await page.click("#more");
  await rows(page, 9);
  const times = await page.locator("#rows td:nth-child(2)").allInnerTexts();
  assert.equal(new Set(times).size, 9, "a time stands there twice: " + times);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a list that has ended offers no more", async () => {
  const { page } = await open(desktop, given("FREQ=DAILY;COUNT=3"));
  await rows(page, 3);
  assert.ok(await page.isHidden("#more"), "a list that has ended is said to go on");
  assert.equal(await page.innerText("#end"), "That is all of them.");
  await page.close();
});

test("what is wrong stands beside its field", async () => {
  const { page } = await open(phone, given("FREQ=DAILYY", "rrule", "Europe/Wien"));
  await page.waitForSelector("#rule-error:not([hidden])");
  assert.match(await page.innerText("#rule-error"), /FREQ/);
  assert.match(await page.innerText("#tz-error"), /Europe\/Wien/);
  assert.ok(await page.isHidden("#start-error"));
  assert.equal(await page.getAttribute("#rule", "aria-invalid"), "true");
  await shoot(page, "expander-errors");
  assert.ok(await fits(page), "the page scrolls sideways");
  await page.fill("#rule", "FREQ=DAILY");
  await page.fill("#tz", "Europe/Vienna");
  await page.press("#rule", "Enter");
  await rows(page, 3);
  assert.ok(await page.isHidden("#rule-error"));
  assert.equal(await page.getAttribute("#rule", "aria-invalid"), null);
  await page.fill("#rule", "");
  await page.press("#rule", "Enter");
  assert.equal(await page.innerText("#rule-error"), "Type a rule.");
  await page.close();
});

test("a rule without occurrences says so", async () => {
  const { page } = await open(desktop, given("0 0 30 2 *", "cron"));
  await page.waitForSelector("#result:not([hidden])");
  assert.match(await page.innerText("#result"), /This rule never happens/);
  await page.close();
});

test("the visitor's own zone is taken under the name the browser has for it", async () => {
  for (const [zone, present] of [["Asia/Calcutta", "Asia/Kolkata"], ["Europe/Kiev", "Europe/Kyiv"], ["Europe/Vienna", ""]]) {
    const { page, errors } = await open(desktop, "", zone);
    const own = await page.inputValue("#tz");
    assert.equal(own, await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone));
    assert.notEqual(own, "UTC");
    await page.fill("#rule", "FREQ=DAILY");
    await page.press("#rule", "Enter");
    await rows(page, 3);
    assert.ok((await page.innerText("#summary")).endsWith(own === zone && present ? `in ${zone} (${present})` : `in ${own}`));
    assert.deepEqual(errors, []);
    await page.close();
  }
});

test("an hourly rule follows the clock over both changes, page by page", async () => {
  for (const [start, want] of [["2026-10-25T02:00", ["00:00", "00:30", "01:00", "01:30", "02:00", "02:30"]], ["2026-03-29T01:00", ["00:00", "00:30", "01:00", "01:30", "02:00", "02:30"]]]) {
    const { page, errors } = await open(desktop, given("*/30 * * * *", "cron", "Europe/Vienna", start));
    await rows(page, 3);
    await page.click("#more");
    await rows(page, 6);
    const utc = await page.locator("#rows td:nth-child(2)").allInnerTexts();
    assert.deepEqual(utc.map((t) => t.match(/(\d\d:\d\d):\d\dZ/)[1]), want);
    assert.deepEqual(errors, []);
    await page.close();
  }
});

test("a start that does not exist and an UNTIL without Z are explained", async () => {
  const { page } = await open(desktop, given("FREQ=DAILY; UNTIL=20270329", "rrule", "Europe/Vienna", "2027-03-28T02:30"));
  await rows(page, 2);
  const remarks = await page.innerText("#remarks");
  assert.match(remarks, /The start 02:30 does not exist/);
  assert.match(remarks, /UNTIL has no Z/);
  assert.match(remarks, /Blanks/);
  await page.close();
});
