// Every page is looked at by axe-core, in light and dark, on a desktop and on a phone: no finding.
import assert from "node:assert/strict";
import { test } from "node:test";
import { findings } from "../testing/axe.mjs";
import { base, blank, desktop, phone, someParcel } from "../testing/map.mjs";

const parcel = await someParcel(), id = encodeURIComponent(parcel.parcel_id);
const ready = (page) => page.waitForFunction(() => document.body.dataset.ready === "true" && document.body.dataset.named !== "false");
const shown = (selector) => async (page) => { await ready(page); await page.waitForSelector(selector); };
const docs = (operation) => async (page) => { await page.waitForSelector(`#${operation}[open] form`); };

// The map with its panels open one after the other, beside a parcel's card.
async function panels(page) {
  await page.waitForSelector("#card:not([hidden])");
  for (const part of ["filter", "inview", "land"]) {
    await page.evaluate((id) => document.getElementById(id).click(), `${part}-toggle`);
    await page.waitForSelector(`#${part}:not([hidden])`, { state: "attached" });
  }
}

const pages = [
  ["/"], ["/nothing"], [`/p/${id}`, panels], ["/national", shown("#ranking tbody tr")], ["/kg/09902", ready], ["/download", ready],
  ["/tables", async (page) => { await ready(page); await page.click("#example"); await page.waitForFunction(() => document.body.dataset.state === "ready"); await page.click("#go"); await page.waitForFunction(() => document.body.dataset.state === "done"); }],
  ["/context/docs#context", docs("context")], [`/cadastre/api/v1/parcels/${id}/sheet`], ["/workfeed/hq/work"], ["/expander/"], ["/books/"],
];
// Light and dark, desktop and phone: each page in one of the four ways, in all of them where a search is to take its time.
const all = [[desktop, "light"], [phone, "dark"], [desktop, "dark"], [phone, "light"]];
const ways = (i) => (process.env.MAPPE_SOAK ? all : [all[i % all.length]]);

for (const [i, [path, wait]] of pages.entries()) {
  test(`axe-core has no finding on ${path}`, async () => {
    for (const [viewport, colorScheme] of ways(i)) {
      const page = await blank(viewport, { colorScheme });
      await page.goto(base + path);
      await wait?.(page);
      assert.deepEqual(await findings(page), [], `${colorScheme}, ${viewport.width} wide`);
      await page.close();
    }
  });
}
