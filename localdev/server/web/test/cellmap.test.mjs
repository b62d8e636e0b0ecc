// Cells on the map, in a browser: drawn from the archive and from the service, a card, what changed, one switch at a time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, desktop, open, phone, shoot } from "../testing/map.mjs";

/** someChange is a cell of the country that changed, with its KG, from the service. */
async function someChange() {
  const { data: { kgs } } = await (await fetch(`${base}/context/api/v1/kgs`)).json();
  for (const kg of kgs) {
    const { data } = await (await fetch(`${base}/context/api/v1/ne/stats?kg=${kg.kg_code}`)).json();
    if (!data.change.confirmed.cells) continue;
    const head = await (await fetch(`${base}/context/api/v1/ne/${kg.kg_code}/head`)).json();
    for (const [chunk] of head.data.sections.find((s) => s.layer === "lu").chunks) {
      const { data: { chg } } = await (await fetch(`${base}/context/api/v1/ne/chunk/${chunk}?format=json&layers=lu,chg&fields=cell_id`)).json();
      const found = chg.cells.find((c) => c?.status === "confirmed" && c.from && c.to);
      if (found) return { kg, cell: found, stats: data };
    }
  }
  throw new Error("nothing changed in the country");
}

const { cellToLatLng } = await import("h3-js");
const until = (page, pattern) => page.waitForFunction((p) => new RegExp(p).test(document.querySelector("#cells [role=status]")?.textContent ?? ""), pattern, { timeout: 30_000 });
const go = (page, at, zoom) => page.evaluate(([center, zoom]) => { window.mappe.map.jumpTo({ center, zoom }); }, [at, zoom]);
const drawn = (page, layer) => page.waitForFunction((l) => { const m = window.mappe.map; return m.getLayer(l) && m.queryRenderedFeatures({ layers: [l] }).length > 0; }, layer, { timeout: 30_000 });
const on = (page) => page.evaluate(() => { document.getElementById("legend").open = true; const i = document.querySelector("input[name=cells]"); if (!i.checked) i.click(); });
const clickAt = async (page, at) => { const p = await page.evaluate((at) => { const p = window.mappe.map.project(at); return [p.x, p.y]; }, at); await page.mouse.click(...p); };

test("cells are drawn at small and at large zooms, and a click opens the card of one", async () => {
  const { kg, cell } = await someChange(), [lat, lng] = cellToLatLng(cell.cell);
  const { page, errors } = await open("/map", desktop);
  const scripts = [];
  page.on("request", (r) => { if (/\/map\/hexagons-/.test(r.url())) scripts.push(r.url()); });
  await go(page, [lng, lat], 12);
  await page.waitForTimeout(300);
  assert.deepEqual(scripts, [], "the hexagons are loaded when they are wanted");
  await on(page);
  await drawn(page, "cells-far");
  await until(page, "In view: [\\d.]+ % of .* cells");
  assert.equal(scripts.length, 1);
  await shoot(page, "cells-far");
  await clickAt(page, [lng, lat]);
  await page.waitForFunction(() => document.getElementById("card").dataset.cell?.startsWith("89"));
  assert.match(await page.innerText("#card h1"), /^Cell of 0\.\d+ km²$/);
  assert.match(await page.innerText("#card"), /Buildings\s+\d/);
  await page.keyboard.press("Escape");

  await go(page, [lng, lat], 15.5);
  await drawn(page, "cells-near");
  await until(page, "In view: [\\d.]+ % of .* cells");
  await clickAt(page, [lng, lat]);
  await page.waitForFunction((id) => document.getElementById("card").dataset.cell === id, cell.cell);
  const text = await page.innerText("#card");
  const row = (await (await fetch(`${base}/context/api/v1/ne/cell/${cell.cell}`)).json()).data;
  assert.match(text, new RegExp(`KG ${kg.kg_code} ${kg.kg_name}`));
  assert.match(text, new RegExp(`${((100 * Math.max(...row.lu.lu)) / 255).toFixed(1)} %`), "its largest share");
  assert.match(text, /Status\s+Confirmed/);
  assert.match(text, new RegExp(`Since\\s+${cell.since}`));
  assert.match(text, /Cadastre of\s+\d{4}-\d\d-\d\d/);
  assert.match(text, /CC BY 4\.0/);
  await shoot(page, "cells-near");
  assert.deepEqual(errors, []);
  await page.close();
});

test("what changed is coloured by how sure it is, with its sums", async () => {
  const { cell, stats } = await someChange(), [lat, lng] = cellToLatLng(cell.cell);
  const { page, errors } = await open("/map", desktop, { colorScheme: "dark" });
  await go(page, [lng, lat], 16);
  await on(page);
  await page.selectOption("select[name=cell-colour]", "changes");
  await until(page, "changed cells");
  await drawn(page, "cells-near");
  const shown = await page.evaluate(() => window.mappe.map.queryRenderedFeatures({ layers: ["cells-near"] }).map((f) => f.properties));
  assert.ok(shown.some((p) => p.cell === cell.cell && p.status === "confirmed"));
  const sums = await page.innerText("#cells .sums");
  assert.match(sums, /→/);
  assert.match(sums, /Confirmed: .*cells/);
  assert.ok(Object.keys(stats.change.confirmed.transitions_m2).length > 0);
  await shoot(page, "cells-changes");
  await go(page, [lng, lat], 12);
  await until(page, "Zoom in");
  assert.deepEqual(errors, []);
  await page.close();
});

test("cells and prices are not drawn over each other, and the land uses come back", async () => {
  const { page, errors } = await open("/map", phone);
  const state = () => page.evaluate(() => ({ cells: document.querySelector("input[name=cells]").checked, prices: document.querySelector("input[name=prices]").checked, ground: !document.getElementById("ground").hidden, landuse: window.mappe.map.getLayoutProperty("landuse", "visibility") ?? "visible" }));
  await on(page);
  assert.deepEqual(await state(), { cells: true, prices: false, ground: false, landuse: "none" });
  await page.evaluate(() => document.querySelector("input[name=prices]").click());
  assert.deepEqual(await state(), { cells: false, prices: true, ground: false, landuse: "none" });
  await on(page);
  assert.deepEqual(await state(), { cells: true, prices: false, ground: false, landuse: "none" });
  await until(page, ".");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
  await shoot(page, "cells-phone");
  await page.evaluate(() => document.querySelector("input[name=cells]").click());
  assert.deepEqual(await state(), { cells: false, prices: false, ground: true, landuse: "visible" });
  assert.equal(await page.evaluate(() => document.getElementById("cells").hidden), true);
  assert.deepEqual(errors, []);
  await page.close();
});
