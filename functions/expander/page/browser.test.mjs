// Drives the page (MAPPE_URL) in a real browser; any failed assertion ends it with a status.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const base = process.env.MAPPE_URL;
const browser = await chromium.launch({ executablePath: process.env.MAPPE_CHROMIUM, args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
const open = async (rule) => {
  const page = await browser.newPage();
  await page.goto(`${base}/expander/#` + new URLSearchParams({ kind: "rrule", rule, tz: "Europe/Vienna", start: "2027-03-27T02:30" }));
  return page;
};
const rows = (page, n) => page.waitForFunction((n) => document.querySelectorAll("#rows tr").length === n, n);

try {
  // Pressed twice, the button gives the next three once, also where the first answer comes last.
  const page = await open("FREQ=DAILY");
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

  // Where the list ends, no button offers more.
  const three = await open("FREQ=DAILY;COUNT=3");
  await rows(three, 3);
  assert.ok(await three.isHidden("#more"), "a list that has ended is said to go on");
  assert.equal(await three.innerText("#end"), "That is all of them.");
} finally {
  await browser.close();
}
