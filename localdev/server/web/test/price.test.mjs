// Prices in the card and as colour on the map, in a real browser, beside what the service says.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { cadastre } from "../../../../clients/javascript/index.js";
import { base, desktop, idle, open, phone, shoot, someParcel } from "../testing/map.mjs";
import { classOf, spreadOf } from "../src/prices.js";
import { dictionary } from "../src/words.js";

const land = cadastre({ base });
const state = (page, sourceLayer, id) => page.evaluate(([sourceLayer, id]) => window.mappe.map.getFeatureState({ source: "land", sourceLayer, id }), [sourceLayer, id]);

test("a parcel's card tells its price, what it starts from, its factors and what would change it", async () => {
  const parcel = await someParcel();
  const { data: [p] } = await land.landPricesParcel({ parcel_id: parcel.parcel_id });
  for (const [viewport, locale] of [[desktop, "en-GB"], [phone, "de-AT"]]) {
    const { page, errors } = await open(`/p/${encodeURIComponent(parcel.parcel_id)}`, viewport, { locale });
    await page.waitForSelector("#price .price");
    const figure = (v) => v.toLocaleString(locale, { maximumFractionDigits: 0 });
    const text = await page.innerText("#price");
    assert.ok(p.buy_eur_per_sqm > 99.5, "a parcel with a house is building land");
    for (const v of [p.buy_eur_per_sqm, p.interval.low_eur_per_sqm, p.interval.high_eur_per_sqm, p.baseline_eur_per_sqm]) assert.ok(text.includes(`${figure(v)} €/m²`), `${figure(v)} in ${text}`);
    assert.ok(text.includes(String(p.baseline_year)), "the year of the baseline");
    assert.ok(text.includes(`× ${p.factors.typology.toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`), "a factor");
    if (locale === "de-AT") assert.match(text, /Validierung|Landeswert|Bezirkswert|Österreichwert|Richtwert/, "what the interval rests on is in German");
    assert.doesNotMatch(text, /gemeinde value/, "the level is named in words");
    assert.ok(text.includes(p.buy_total_eur.toLocaleString(locale, { maximumSignificantDigits: 3 })), "the sum, rounded");
    assert.match(await page.getAttribute("#price .span", "aria-label"), new RegExp(figure(p.interval.high_eur_per_sqm)), "the drawing says what it shows");
    await page.click("#price details summary");
    assert.ok((await page.innerText("#price details")).includes(p.explanation.what_would_change_it[0].why));
    const inputs = { "en-GB": /buildings on the parcel|starting value|year of the price|shape|construction period/, "de-AT": /Gebäude auf dem Grundstück|Ausgangswert|Jahr des Preises|Form|Bauzeit/ }[locale];
    if (inputs) assert.match(await page.innerText("#price details li"), inputs, "what would change it is named in the page's language");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
    await page.evaluate(() => document.getElementById("price").scrollIntoView());
    await shoot(page, `price-${viewport.width}`);
    assert.deepEqual(errors, []);
    await page.close();
  }
});

test("a parcel without a price says so, with the reason", async () => {
  const { data: roads } = await land.query({ landuse: ["95"], limit: 1 });
  const { data: [p] } = await land.landPricesParcel({ parcel_id: roads[0].parcel_id });
  assert.equal(p.buy_eur_per_sqm, null);
  const { page, errors } = await open(`/p/${encodeURIComponent(p.parcel_id)}`, desktop);
  await page.waitForFunction(() => document.getElementById("price")?.innerText.includes("No price is estimated for other land."));
  await page.click("#price details:last-of-type summary");
  assert.ok((await page.innerText("#price")).includes(p.explanation.steps.at(-1)));
  assert.deepEqual(errors, []);
  await page.close();
});

test("parcels and KGs take the colour of their price, hatched by what it is worth", async () => {
  const parcel = await someParcel();
  const { page, errors } = await open("/map", desktop);
  const batches = [];
  page.on("request", (r) => { if (r.url().includes("/land_prices/batch")) batches.push(r.postDataJSON().parcel_ids); });
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 14.8 }), [parcel.lon, parcel.lat]);
  await idle(page);
  await page.evaluate(() => { document.getElementById("legend").open = true; });
  await page.check("#overlays [name=prices]");
  await page.waitForFunction(() => /have a price/.test(document.querySelector("#prices [role=status]").textContent), null, { timeout: 60_000 });
  assert.ok(batches.length > 0 && batches.every((b) => b.length <= 1000), `${batches.map((b) => b.length)}`);
  assert.equal(new Set(batches.flat()).size, batches.flat().length, "no parcel is asked for twice");
  const some = batches[0].filter((_, i) => i % 40 === 0);
  const { data } = await land.landPricesBatchPost({ body: { parcel_ids: some } });
  for (const p of data) {
    const level = classOf(p.buy_eur_per_sqm ?? -1);
    assert.deepEqual(await state(page, "parcels", p.parcel_id), { class: level, spread: level < 0 ? -1 : spreadOf(p.interval) }, p.parcel_id);
  }
  assert.ok(new Set(data.map((p) => classOf(p.buy_eur_per_sqm ?? -1))).size > 1, "prices differ");
  assert.equal(await page.locator("#prices li").count(), 8 + 3, "the legend has every class");
  assert.match(await page.innerText("#prices"), /100 – 200/);
  assert.equal(await page.isVisible("#uses"), false, "land uses have no legend while they are not drawn");
  const visible = (layer) => page.evaluate((layer) => window.mappe.map.getLayoutProperty(layer, "visibility") ?? "visible", layer);
  assert.equal(await visible("landuse"), "none");
  await idle(page);
  await shoot(page, "prices-parcels");

  await page.evaluate(() => window.mappe.map.jumpTo({ zoom: 12.7 }));
  await page.waitForFunction(() => /municipality/.test(document.getElementById("prices").textContent), null, { timeout: 60_000 });
  const { data: [district] } = await land.landPricesBezirk({ district_code: parcel.gemeinde_code.slice(0, 3) });
  const { baseline } = district.gemeinden.find((g) => g.gemeinde_code === parcel.gemeinde_code);
  await page.waitForFunction(([id]) => window.mappe.map.getFeatureState({ source: "land", sourceLayer: "kg", id }).class >= 0, [parcel.kg_code], { timeout: 60_000 });
  assert.equal((await state(page, "kg", parcel.kg_code)).class, classOf(baseline.eur_per_sqm));
  await idle(page);
  await shoot(page, "prices-kgs");

  await page.uncheck("#overlays [name=prices]");
  assert.equal(await visible("landuse"), "visible");
  assert.equal(await page.isVisible("#uses"), true);
  assert.deepEqual(errors, []);
  await page.close();
});

test("what an interval rests on has a German sentence for each of the service's", async () => {
  const go = await readFile(new URL("../../../../shared/landprice/interval.go", import.meta.url), "utf8"), said = [...go.matchAll(/"([^"\n]{20,})"/g)].map(([, text]) => text).filter((text) => !text.includes("%"));
  assert.ok(said.length >= 7, said.join("\n"));
  for (const text of said) assert.ok(dictionary[text], `${text} has no German`);
});
