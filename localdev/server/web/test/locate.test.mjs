// Where the reader is: shown when the browser may tell it, said when it may not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, blank, desktop, phone, shoot } from "../testing/map.mjs";

const place = async (page) => {
  await page.goto(`${base}/map`);
  await page.waitForFunction(() => document.body.dataset.ready === "true", null, { timeout: 60_000 });
};

test("the map goes to where the reader is", async () => {
  for (const viewport of [desktop, phone]) {
    const page = await blank(viewport, { permissions: ["geolocation"], geolocation: { longitude: 13.2741, latitude: 47.3209, accuracy: 20 } });
    const asked = [];
    page.on("request", (r) => { if (!r.url().startsWith(base) && !/^(blob|data):/.test(r.url())) asked.push(r.url()); });
    await place(page);
    await page.getByRole("button", { name: "Where I am" }).click();
    await page.waitForFunction(() => {
      const c = window.mappe.map.getCenter();
      return !window.mappe.map.isMoving() && Math.hypot((c.lng - 13.2741) * 75_500, (c.lat - 47.3209) * 111_200) < 50;
    }, null, { timeout: 30_000 });
    assert.equal(await page.locator(".maplibregl-user-location-dot").count(), 1);
    await shoot(page, `locate-${viewport.width}`);
    assert.deepEqual(asked, []);
    await page.context().close();
  }
});

test("a browser that does not tell it is said in words, and the map stays", async () => {
  const page = await blank(desktop, { locale: "de-AT" });
  await place(page);
  const was = await page.evaluate(() => window.mappe.map.getCenter().toArray());
  const button = page.getByRole("button", { name: "Mein Standort" });
  if (await button.isEnabled().catch(() => false)) {
    await button.click();
    await page.waitForFunction(() => /Standort/.test(document.body.innerText), null, { timeout: 20_000 });
  } else {
    await page.getByRole("button", { name: "Der Standort ist nicht bekannt" }).waitFor();
  }
  assert.deepEqual(await page.evaluate(() => window.mappe.map.getCenter().toArray()), was);
  await page.context().close();
});
