// The compare view in a real browser, beside what the service says changed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cadastre } from "../../../../clients/javascript/index.js";
import { base, covered, desktop, idle, open, phone, shoot } from "../testing/map.mjs";

const land = cadastre({ base });

/** A KG with two versions, and one with what it has. */
async function someVersions() {
  const { data } = await land.searchKg({ limit: 100 });
  for (const k of data) {
    const v = await land.kgVersions({ kg: k.kg_code });
    if (v.dates.length > 1) return { kg: k.kg_code, to: v.dates[0], from: v.dates.at(-1) };
  }
  throw new Error("the country has no KG with two versions");
}

const status = (page) => page.innerText("#compare [role=status]");
const told = (page, pattern) => page.waitForFunction((p) => new RegExp(p).test(document.querySelector("#compare [role=status]").textContent), pattern, { timeout: 60_000 });

/** drawn are the kinds of the parcels that a map of the view draws: 0 the page's, 1 the earlier one. */
const drawn = (page, which) => page.evaluate((which) => {
  const maps = [window.mappe.map, ...window.mappe.compared().filter((m) => m !== window.mappe.map)];
  const count = {};
  for (const f of maps[which].getSource("compared").serialize().data.features) if (f.geometry.type !== "Point") count[f.properties.change] = (count[f.properties.change] ?? 0) + 1;
  return count;
}, which);

test("two versions of a KG stand side by side, and what changed is listed", async () => {
  const v = await someVersions();
  const { summary, data, meta } = await land.kgDiff({ ...v, limit: 10_000 });
  assert.ok(meta.total > 0, "something changed");
  const { page, errors } = await open(`/map?${new URLSearchParams({ compare: v.kg, from: v.from, to: v.to })}`, desktop);
  await told(page, "parcels? changed from");
  assert.ok((await status(page)).startsWith(`${meta.total.toLocaleString("en-GB")} parcels changed`));
  const attributed = data.filter((r) => r.change === "changed" && !r.geometry_changed).length;
  const after = await drawn(page, 0), before = await drawn(page, 1);
  assert.deepEqual([after.added, after.removed, after.reshaped, after.attributes], [summary.added || undefined, undefined, summary.geometry_changed || undefined, attributed || undefined], "the later version");
  assert.deepEqual([before.added, before.removed, before.reshaped, before.attributes], [undefined, summary.removed || undefined, summary.geometry_changed || undefined, attributed || undefined], "the earlier version");
  for (const [event, n] of [["split", summary.splits], ["merge", summary.merges], ["renumbered", summary.renumbered]]) {
    const said = page.locator(`#compare details[data-event=${event}] summary`);
    if (n) assert.match(await said.innerText(), new RegExp(`${n}$`), event);
    else assert.equal(await said.count(), 0, event);
  }
  assert.ok(await page.isDisabled("#overlays [name=prices]"), "prices are not drawn over a comparison");
  assert.ok((await page.innerText("#compare .kinds")).includes(`Added: ${summary.added}`));

  // An entry of the list takes the map there and is marked in both versions.
  const list = page.locator("#compare details").first();
  await list.locator("summary").click();
  const button = list.locator("button").first(), id = await button.getAttribute("data-parcel");
  const stood = await button.boundingBox();
  await button.click();
  await page.waitForFunction(() => !window.mappe.map.isMoving());
  assert.ok((await status(page)).startsWith(`${id.slice(6)}: `), await status(page));
  assert.deepEqual(await button.boundingBox(), stood, "the list stays where it is under the pointer");
  const marks = () => page.evaluate(() => window.mappe.compared().map((m) => m.getFilter("compared-pointed")[2][1]));
  const marked = await marks();
  assert.equal(marked.length, 2);
  for (const ids of marked) assert.ok(ids.includes(id));
  // Another entry under the pointer is marked while it is there; then what was clicked is marked again.
  await page.locator("#compare details summary").first().hover();
  for (const ids of await marks()) assert.ok(ids.includes(id), "what was clicked stays marked");
  const centres = await page.evaluate(() => window.mappe.compared().map((m) => [...m.getCenter().toArray(), m.getZoom()].map((x) => x.toFixed(6)).join()));
  assert.equal(centres[0], centres[1], "the two maps show the same ground");

  // The slider moves with the keyboard and with the pointer, and says where it stands.
  const cut = () => page.evaluate(() => document.querySelector("#swipe .divider").getBoundingClientRect().left);
  const start = await cut();
  await page.focus("#swipe input");
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  assert.ok((await cut()) > start + 40, "the keyboard moves the cut");
  assert.match(await page.getAttribute("#swipe input", "aria-valuetext"), /^67 % .*2025.*2026/);
  const x = (await cut()) + 11;
  await page.mouse.move(x, 300);
  await page.mouse.down();
  await page.mouse.move(x - 200, 300);
  await page.mouse.up();
  assert.ok(Math.abs((await cut()) - (x - 211)) < 15, "the pointer too");
  assert.match(await page.evaluate(() => document.querySelector("#swipe .earlier").style.clipPath), /^inset\(0(px)? \d/);
  await idle(page);
  await shoot(page, "compare");

  // A click tells what became of the parcel there; it opens no card.
  await page.mouse.click(1000, 330);
  assert.equal(await page.isVisible("#card"), false);
  assert.match(await status(page), /: |no parcel here/);

  await page.focus("#compare [name=kg]");
  await page.keyboard.press("Escape");
  assert.equal(await page.isVisible("#swipe"), false);
  assert.equal(await page.evaluate(() => window.mappe.map.getLayoutProperty("landuse", "visibility")), "visible");
  assert.deepEqual(await drawn(page, 0), {});
  assert.equal(new URL(page.url()).search, "");
  assert.equal(await page.evaluate(() => document.activeElement.id), "compare-toggle");
  assert.deepEqual(errors, []);
  await page.close();
});

test("on a phone, in the dark, in German; a version with itself, and dates that cannot be", async () => {
  const v = await someVersions();
  const { page, errors } = await open(`/map?${new URLSearchParams({ compare: v.kg, from: v.from, to: v.to })}`, phone, { colorScheme: "dark", locale: "de-AT" });
  await told(page, "Grundstücke sind von");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
  assert.equal(await covered(page, "#compare [name=from]"), "");
  const thumb = await page.evaluate(() => { const b = document.querySelector("#swipe input").getBoundingClientRect(), c = document.querySelector("#compare").getBoundingClientRect(); return b.bottom <= c.top; });
  assert.ok(thumb, "the slider is above the panel");
  await idle(page);
  await shoot(page, "compare-phone");
  await page.selectOption("#compare [name=from]", v.to);
  await told(page, "hat sich nichts geändert");
  await page.selectOption("#compare [name=to]", v.from);
  await told(page, "a date on or before");
  assert.equal(await page.isVisible("#swipe"), false, "nothing is drawn beside an error");

  // Who opens a parcel leaves the comparison.
  await page.selectOption("#compare [name=from]", v.from);
  await told(page, "hat sich nichts geändert");
  const { data } = await land.query({ kg: [v.kg], limit: 1, fields: ["parcel_id"] });
  await page.fill("#q", data[0].parcel_id);
  await page.press("#q", "Enter");
  await page.waitForFunction((id) => document.getElementById("card").dataset.parcel === id, data[0].parcel_id);
  assert.equal(await page.isVisible("#compare"), false);
  assert.equal(await page.isVisible("#swipe"), false);
  assert.equal(new URL(page.url()).pathname, `/p/${encodeURIComponent(data[0].parcel_id)}`);
  assert.deepEqual(errors, []);
  await page.close();
});
