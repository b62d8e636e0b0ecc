// What the analysis of KGs found, on the map: objects and trees of the served tiles, their legend and what is known of one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, desktop, open, shoot } from "../testing/map.mjs";

const pointer = async () => (await fetch(`${base}/artefacts/current.json`)).json();
const rendered = (page, layer) => page.waitForFunction((l) => window.mappe.map.getLayer(l) && window.mappe.map.queryRenderedFeatures({ layers: [l] }).length > 0, layer, { timeout: 60_000 });

test("objects and trees are drawn of what is served, with a legend, details and a link", async (t) => {
  const deadline = Date.now() + 120_000; // a demo that was just started is still analysing
  while (!(await pointer()).artefacts?.["landscape-tiles"] && Date.now() < deadline) await new Promise((done) => setTimeout(done, 2000));
  const { key } = (await pointer()).artefacts?.["landscape-tiles"] ?? {};
  assert.ok(key, "what was found is drawn into tiles");
  const header = new DataView(await (await fetch(`${base}/artefacts/${key}`, { headers: { range: "bytes=0-126" } })).arrayBuffer());
  const middle = (low, high) => (header.getInt32(low, true) + header.getInt32(high, true)) / 2e7, lon = middle(102, 110), lat = middle(106, 114); // as PMTiles 3 has them
  // A country may have KGs with objects and without trees.
  const { results } = await (await fetch(`${base}/landscape/api/v1/query/compound?processed_only=true&fields=kg_code,tree_count&limit=1000`)).json();
  const layer = results.some((k) => k.tree_count > 0) ? "analysed-trees" : "analysed-objects";
  for (const dark of [false, true]) {
    const { page, errors } = await open(`/map?lang=${dark ? "de" : "en"}#map=15.05/${lat}/${lon}`, desktop, { drawn: true, colorScheme: dark ? "dark" : "light" });
    assert.equal(await page.evaluate(() => Boolean(window.mappe.map.getSource("analysed"))), false);
    await page.locator("#legend").evaluate((e) => { e.open = true; });
    await page.locator("#overlays input[name=objects]").check();
    await rendered(page, "analysed-objects");
    await page.waitForFunction(() => document.querySelectorAll("#analysed li").length > 1, null, { timeout: 30_000 });
    await page.locator("#overlays input[name=trees]").check();
    await rendered(page, layer);
    if (layer === "analysed-trees") await page.waitForFunction((name) => document.getElementById("analysed").innerText.includes(name), dark ? "Nadel" : "Coniferous", { timeout: 30_000 });
    await shoot(page, `analysed${dark ? "-dark" : ""}`);
    const at = await page.evaluate(async (layer) => {
      const { map } = window.mappe, box = map.getCanvas().getBoundingClientRect();
      map.jumpTo({ center: map.queryRenderedFeatures({ layers: [layer] })[0].geometry.coordinates.flat(3).slice(0, 2), zoom: 18 });
      await new Promise((done) => map.once("idle", done));
      return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    }, layer);
    await page.mouse.click(at.x, at.y);
    const details = await page.locator(".maplibregl-popup-content").innerText();
    assert.match(details, layer === "analysed-trees" ? dark ? /Baum[\s\S]*Höhe/ : /Tree[\s\S]*Height/ : / m²/);
    assert.equal(await page.locator("#card").isHidden(), true);
    assert.match(page.url(), /on=objects,trees/);
    const link = await open(page.url().slice(base.length), desktop, { drawn: true });
    await rendered(link.page, layer);
    await link.page.close();
    for (const name of ["objects", "trees"]) { await page.locator("#legend").evaluate((e) => { e.open = true; }); await page.locator(`#overlays input[name=${name}]`).uncheck(); }
    await page.waitForFunction(() => document.getElementById("analysed").hidden);
    assert.deepEqual(errors, []);
    await page.close();
  }
  t.diagnostic(`around ${lat}, ${lon}`);
});
