// Cells on the map, in a browser: drawn from the archive and from the service, a card, what changed, one switch at a time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, desktop, idle, open, phone, shoot } from "../testing/map.mjs";

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

/** someStill is the middle of a KG in which nothing changed. */
async function someStill() {
  const { data: { kgs } } = await (await fetch(`${base}/context/api/v1/kgs`)).json();
  for (const kg of kgs) {
    const { data } = await (await fetch(`${base}/context/api/v1/ne/stats?kg=${kg.kg_code}`)).json();
    if (!data.pending_kgs.length && !data.change.by_day.length) return kg.centroid;
  }
  throw new Error("everything changed in the country");
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
  page.on("request", (r) => { if (/\/map\/map-hexagons-/.test(r.url())) scripts.push(r.url()); });
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
  await page.waitForFunction((id) => window.mappe.map.queryRenderedFeatures({ layers: ["cells-near"] }).some((f) => f.properties.cell === id && f.properties.status === "confirmed"), cell.cell, { timeout: 30_000 });
  const sums = await page.innerText("#cells .sums");
  assert.match(sums, /→/);
  assert.match(sums, /Confirmed: .*cells/);
  assert.ok(Object.keys(stats.change.confirmed.transitions_m2).length > 0);
  await shoot(page, "cells-changes");
  assert.deepEqual(errors, []);
  await page.close();
});

test("at small zooms what changed is summed up to larger cells, and no ground is lost", async () => {
  const { cell } = await someChange(), [lat, lng] = cellToLatLng(cell.cell);
  const { data: { kgs } } = await (await fetch(`${base}/context/api/v1/kgs`)).json();
  const { data: { change } } = await (await fetch(`${base}/context/api/v1/ne/stats?kg=${kgs.map((k) => k.kg_code)}`)).json();
  const total = Object.fromEntries(["confirmed", "candidate"].map((s) => [s, Object.values(change[s].transitions_m2).reduce((a, b) => a + b, 0)]));
  assert.ok(total.confirmed > 0);
  const box = kgs.map((k) => k.bbox).reduce((a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]);
  const { page, errors } = await open("/map", desktop);
  await go(page, [lng, lat], 12);
  await on(page);
  await page.selectOption("select[name=cell-colour]", "changes");
  await page.evaluate((b) => window.mappe.map.fitBounds(b, { padding: 20, duration: 0 }), box);
  for (const zoom of [11.9, 10.5, 9]) {
    await page.evaluate((z) => window.mappe.map.setZoom(Math.min(z, window.mappe.map.getZoom())), zoom);
    await idle(page);
    await until(page, "In view: Confirmed");
    const shown = await page.evaluate(() => { const all = new Map(window.mappe.map.queryRenderedFeatures({ layers: ["cells-far"] }).map((f) => [f.properties.cell, f.properties])); return [...all.values()]; });
    for (const status of ["confirmed", "candidate"]) {
      const got = shown.reduce((sum, p) => sum + (p[`${status}_m2`] ?? 0), 0), want = total[status];
      assert.ok(Math.abs(got - want) <= 0.5 * shown.length, `${status} at ${zoom}: ${got} m², the sums say ${want}`);
    }
    if (zoom === 11.9) await shoot(page, "cells-changes-far");
  }
  assert.match(await page.innerText("#cells"), /Confirmed, changed ground of the cell\s+under 1 %\s+1 – 10 %\s+10 % and more/);
  assert.deepEqual(errors, []);
  await page.close();
});

/** sides are the mean shares of a use in the cells that the two maps draw: 0 the later date, 1 the earlier. */
const sides = (page, use) => page.evaluate((use) => [window.mappe.map, ...window.mappe.compared().filter((m) => m !== window.mappe.map)].map((m) => {
  const rows = m.getSource("cells").serialize().data.features;
  return { n: rows.length, sum: rows.reduce((s, f) => s + f.properties[use], 0) };
}), use);
const slid = (page, text) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector("#cells .compared")?.textContent ?? ""), text, { timeout: 30_000 });

test("two dates stand side by side under a slider, with their shares in numbers", async () => {
  const { cell } = await someChange(), [lat, lng] = cellToLatLng(cell.cell), still = await someStill();
  const { page, errors } = await open("/map", desktop);
  await go(page, [lng, lat], 16);
  await on(page);
  await until(page, "In view: [\\d.]+ %");
  await page.selectOption("select[name=cell-colour]", cell.from);
  await page.waitForSelector("#cells .epochs:not([hidden])");
  const days = await page.locator("select[name=cell-from] option").allTextContents();
  assert.equal(days.length, 3, `nothing, before the first change, the first change: ${days}`);
  await page.selectOption("select[name=cell-from]", "before");
  await slid(page, "^before .*: [\\d.]+ %; .*: [\\d.]+ %; difference −");
  const [later, earlier] = await sides(page, cell.from);
  assert.ok(later.n > 100 && later.n === earlier.n, "the same cells on both sides");
  assert.ok(earlier.sum > later.sum, `${earlier.sum} and ${later.sum} of what was lost`);
  const was = await page.evaluate((id) => window.mappe.compared().find((m) => m !== window.mappe.map).getSource("cells").serialize().data.features.find((f) => f.properties.cell === id).properties, cell.cell);
  const oldest = cell.earlier ?? cell;
  assert.deepEqual(["geb", "bau", "acker", "gruen", "wald", "wasser", "verkehr", "alpen", "sonst"].map((u) => was[u]), oldest.was.lu, "the cell as it was");
  await idle(page);
  await shoot(page, "cells-epochs");

  // The slider moves with the keyboard, and says where it stands.
  const cut = () => page.evaluate(() => document.querySelector("#swipe .divider").getBoundingClientRect().left);
  const start = await cut();
  await page.focus("#swipe input");
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
  assert.ok((await cut()) < start - 40);
  assert.match(await page.getAttribute("#swipe input", "aria-valuetext"), /^57 % before .*2026, the rest /);

  // Where nothing changed the two dates stay, and are alike.
  await go(page, still, 16);
  await slid(page, "^before .*difference 0.0 m²");
  await go(page, [lng, lat], 16);
  await slid(page, "^before .*difference −");

  // Who moves the map keeps the two dates; who zooms out is told to zoom in, and who ends it has the cells of today.
  await page.evaluate(() => window.mappe.map.panBy([300, 0], { duration: 0 }));
  await idle(page);
  await slid(page, "^before .*difference");
  await go(page, [lng, lat], 13);
  await slid(page, "Zoom in to compare");
  assert.equal(await page.isVisible("#swipe"), false);
  await go(page, [lng, lat], 16);
  await slid(page, "^before .*difference −");
  await page.selectOption("select[name=cell-from]", "");
  await page.waitForFunction(() => document.getElementById("swipe").hidden && !document.querySelector("#cells .compared").textContent);
  await drawn(page, "cells-near");
  assert.equal((await sides(page, cell.from)).length, 1);
  assert.deepEqual(errors, []);
  await page.close();
});

test("on a phone, in the dark, in German, the slider is in reach", async () => {
  const { cell } = await someChange(), [lat, lng] = cellToLatLng(cell.cell);
  const { page, errors } = await open("/map", phone, { colorScheme: "dark", locale: "de-AT" });
  await go(page, [lng, lat], 15.5);
  await on(page);
  await page.selectOption("select[name=cell-colour]", cell.to);
  await page.waitForSelector("#cells .epochs:not([hidden])");
  await page.selectOption("select[name=cell-from]", "before");
  await slid(page, "^vor dem .*Unterschied \\+");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
  await shoot(page, "cells-epochs-phone-legend");
  await page.evaluate(() => { document.getElementById("legend").open = false; });
  const thumb = await page.evaluate(() => { const b = document.querySelector("#swipe input").getBoundingClientRect(); const at = document.elementFromPoint(b.left + 14 + 0.62 * (b.width - 28), b.top + b.height / 2); return at?.closest("#swipe") !== null; });
  assert.ok(thumb, "nothing lies over the slider's thumb");
  await idle(page);
  await shoot(page, "cells-epochs-phone");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a KG that is not built is hatched and counted, and the service says so", async () => {
  const { data: { pending_kgs: [code] } } = await (await fetch(`${base}/context/api/v1/ne/stats`)).json();
  assert.match(code ?? "", /^\d{5}$/, "the country has a KG that is not built");
  const answer = await fetch(`${base}/context/api/v1/ne/${code}`);
  assert.deepEqual([answer.status, answer.headers.get("cache-control")], [404, "no-store"]);
  assert.ok(Number(answer.headers.get("retry-after")) > 0);
  const { data: { kgs } } = await (await fetch(`${base}/context/api/v1/kgs?codes=${code}`)).json(), [w, s, e, n] = kgs[0].bbox;
  const { page, errors } = await open("/map", desktop);
  await go(page, [(w + e) / 2, (s + n) / 2], 13);
  await on(page);
  await page.waitForFunction(() => /1 KG in view is not built yet/.test(document.querySelector("#cells .unbuilt")?.textContent ?? ""), null, { timeout: 30_000 });
  await drawn(page, "cells-unbuilt-name");
  assert.deepEqual(await page.evaluate(() => [...new Set(window.mappe.map.queryRenderedFeatures({ layers: ["cells-unbuilt"] }).map((f) => f.properties.kg_code))]), [code]);
  await shoot(page, "cells-unbuilt");
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
