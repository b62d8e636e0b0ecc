// The pictures of docs/pages.md: `MAPPE_URL=http://… MAPPE_SCREENSHOTS=../../../docs/img node testing/shots.mjs` takes them of the demo
// country, with its landscape processed. Desktop and phone, light and dark, German and English take turns.
import { base, browser } from "./browser.mjs";
import { blank, desktop, idle, phone, someParcel } from "./map.mjs";

const folder = process.env.MAPPE_SCREENSHOTS;
const parcel = await someParcel(), id = encodeURIComponent(parcel.parcel_id);
const shown = (page, selector) => page.waitForSelector(selector);
const ready = (page) => page.waitForFunction(() => document.body.dataset.ready === "true" && document.body.dataset.named !== "false");

const shots = [
  ["map", `/p/${id}?lang=en`, desktop, "light", async (page) => { await ready(page); await shown(page, "#card:not([hidden])"); await page.waitForTimeout(2000); await idle(page); }],
  ["map-phone", `/p/${id}?lang=de`, phone, "dark", async (page) => { await ready(page); await shown(page, "#card:not([hidden])"); await page.waitForTimeout(2000); await idle(page); }],
  ["area", `/map?lang=de`, desktop, "light", async (page) => {
    await ready(page);
    await page.fill("#q", parcel.kg_code);
    await page.press("#q", "Enter");
    await page.waitForTimeout(1500);
    await page.click("#filter-toggle");
    await page.waitForTimeout(2500);
    await idle(page);
  }],
  ["sheet", `/cadastre/api/v1/parcels/${id}/sheet?lang=de`, { width: 860, height: 1180 }, "light"],
  ["download", "/download?lang=en", desktop, "dark", ready],
  ["tables", "/tables?lang=de", desktop, "light", async (page) => { await ready(page); await page.click("#example"); await page.waitForFunction(() => document.body.dataset.state === "ready"); await page.click("#go"); await page.waitForFunction(() => document.body.dataset.state === "done"); }],
  ["national", "/national?lang=en", desktop, "light", async (page) => { await ready(page); await shown(page, "#ranking tbody tr"); await page.waitForTimeout(2000); }],
  ["kg-phone", "/kg/09902?lang=de", phone, "light", async (page) => { await ready(page); await page.waitForTimeout(1500); }],
  ["reference", "/cadastre/docs#spatial_point", desktop, "light", (page) => shown(page, "details.op[open] form")],
];

for (const [name, path, viewport, colorScheme, wait] of shots) {
  const page = await blank(viewport, { drawn: true, colorScheme, locale: /lang=de/.test(path) ? "de-AT" : "en-GB" });
  await page.goto(base + path);
  await wait?.(page);
  await page.screenshot({ path: `${folder}/page-${name}.jpg`, type: "jpeg", quality: 78 });
  await page.close();
  console.log(name);
}
await (await browser()).close();
