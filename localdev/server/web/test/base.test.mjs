// The base map: what is drawn where an archive is named, and that the map is whole without one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { above, archives, below, names, relief } from "../src/base.js";
import { desktop, idle, open, shoot } from "../testing/map.mjs";

test("layers are drawn of the archives that there are, and of no other", () => {
  for (const mode of ["light", "dark"]) for (const has of [{}, { "base-osm": {} }, { "base-names": {} }, { "base-osm": {}, "base-names": {} }, { "base-relief": {} }]) {
    const all = [...below(mode, has), ...relief(mode, has), ...above(mode, has), ...names(mode, has)], ids = all.map((l) => l.id);
    assert.equal(new Set(ids).size, ids.length);
    for (const l of all) assert.ok(has[l.source], `${l.id} is of ${l.source}`);
    for (const name of Object.keys(archives)) assert.equal(all.some((l) => l.source === name), name in has);
  }
});

test("at small zooms the map shows roads, waters, railways and names, with their credits", async () => {
  const { page, errors } = await open("/map", desktop);
  const found = await page.evaluate(async () => {
    const { map } = window.mappe, c = map.getCenter();
    map.jumpTo({ zoom: 12, center: c });
    await new Promise((done) => map.once("idle", done));
    return [...new Set(map.queryRenderedFeatures().filter((f) => f.source.startsWith("base-")).map((f) => f.sourceLayer))];
  });
  for (const layer of ["road", "rail", "waterway", "name"]) assert.ok(found.includes(layer), `${layer} in ${found}`);
  await idle(page);
  await shoot(page, "base");
  assert.equal(await page.evaluate(() => window.mappe.map.getLayer("relief")?.type), "hillshade");
  await page.waitForFunction(() => window.mappe.map.isSourceLoaded("base-relief"));
  assert.match(await page.locator(".maplibregl-ctrl-attrib").innerText(), /ODbL/);
  // In the other mode the same layers have other colours.
  const color = () => page.evaluate(() => window.mappe.map.getPaintProperty("base-water", "fill-color"));
  const light = await color();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction((was) => window.mappe.map.getPaintProperty("base-water", "fill-color") !== was, light);
  assert.deepEqual(errors, []);
  await page.close();
});
