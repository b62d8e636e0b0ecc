// The index page: in English as the server writes it, in German by its script, each service with it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible } from "../testing/author.mjs";
import { base, blank, desktop, phone, shoot } from "../testing/map.mjs";

test("the index page speaks German where it is asked to, of every service", async () => {
  for (const viewport of [desktop, phone]) {
    const page = await blank(viewport, { locale: "de-AT" }), errors = [];
    page.on("pageerror", (e) => errors.push(e.message));
    await page.goto(`${base}/`);
    await page.waitForFunction(() => document.body.dataset.ready === "true");
    assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
    const services = await page.locator("[data-prose]").count();
    assert.ok(services >= 7, `${services} services`);
    assert.equal(await page.locator("[data-prose][lang=en]").count(), 0, "each description has its German");
    for (const text of ["Karte öffnen", "Kataster herunterladen", "Zustand", "ausprobieren"]) assert.ok((await page.innerText("main")).includes(text), text);
    assert.ok(await page.locator("[data-prose] code").count() > 3);
    await shoot(page, `home-${viewport.width}`);
    await accessible(page);
    assert.deepEqual(errors, []);
    await page.close();
  }
  const english = await blank(desktop, { locale: "de-AT" });
  await english.goto(`${base}/?lang=en`);
  await english.waitForFunction(() => document.body.dataset.ready === "true");
  assert.match(await english.innerText("main"), /Open the map[\s\S]*try them/);
  assert.equal(await english.getAttribute(".go[href^='/map']", "href"), "/map");
  await english.close();
});
