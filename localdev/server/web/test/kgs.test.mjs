// The national page and the profile of a KG in a browser: what is coloured, filtered and ranked stands in the address; a KG that was
// not analysed is never a zero; the profile fits on paper; a parcel's card and the panel lead to both.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { filtersOf, numbersOf, recordOf } from "../src/kgs/columns.js";
import "../src/kgs/words.js";
import "../src/land/words.js";
import { dictionary } from "../src/words.js";
import { accessible, fits } from "../testing/author.mjs";
import { base, blank, open, phone, shoot } from "../testing/map.mjs";

const desk = { width: 900, height: 640 }; // a map takes its pixels in processor time
const api = `${base}/landscape/api/v1`, doc = await (await fetch(`${base}/landscape/openapi.json`)).json();
const kgs = (await (await fetch(`${api}/query/compound?limit=1000`)).json()).results, analysed = kgs.filter((k) => k.processed), raw = kgs.filter((k) => !k.processed);
const members = (page) => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
const cells = (page, n) => page.locator(`#ranking tbody td:nth-child(${n})`).allInnerTexts();
const counted = (page, n) => page.waitForFunction((n) => document.body.getAttribute("aria-busy") === "false" && document.querySelectorAll("#ranking tbody tr").length === n, n);

test("KGs are coloured, filtered and ranked, and the address says how", async () => {
  assert.ok(analysed.length && raw.length, "the country has KGs of both kinds");
  const { page, errors } = await open("/national", desk);
  await counted(page, kgs.length);

  // What was not analysed is said to be so, in the table and in the legend, and is no class.
  const values = await cells(page, 3);
  assert.equal(values.filter((v) => v === "not analysed").length, raw.length);
  assert.equal(values.slice(-raw.length).every((v) => v === "not analysed"), true, "and stands last");
  assert.match(await page.innerText("#legend"), new RegExp(`not analysed\\s*${raw.length}`));
  const counts = (await page.locator("#legend li:not(:has(.hatch)) .n").allInnerTexts()).map(Number);
  assert.equal(counts.reduce((a, b) => a + b, 0), analysed.length);

  // Another column, in other classes.
  await page.selectOption("#by", "building_count");
  await counted(page, kgs.length);
  await page.selectOption("#way", "equal");
  await page.selectOption("#n", "3");
  const built = kgs.map((k) => k.building_count).filter((n) => n !== null), most = Math.max(...built), least = Math.min(...built), bound = least + (most - least) / 3;
  assert.equal(Number((await page.locator("#legend .n").allInnerTexts())[0]), built.filter((n) => n < bound).length);
  assert.deepEqual((await cells(page, 3)).slice(0, built.length).map((v) => Number(v.replaceAll(",", ""))), built.sort((a, b) => b - a));
  const state = await page.evaluate((code) => window.mappe.map.getFeatureState({ source: "land", sourceLayer: "kg", id: code }), kgs.find((k) => k.building_count === most).kg_code);
  assert.equal(state.class, 2, "the map has the class of the table");

  // A range and a list of values, as the form has them.
  await page.fill("#filter [name=min_building_count]", String(Math.ceil(bound)));
  await page.press("#filter [name=min_building_count]", "Enter");
  const high = kgs.filter((k) => k.building_count >= Math.ceil(bound));
  await counted(page, high.length);
  assert.deepEqual(members(page), { ...members(page), by: "building_count", way: "equal", n: "3", min_building_count: String(Math.ceil(bound)) });
  const link = page.url();
  await page.click("#filter [data-filter=quality_grade] summary");
  for (const g of new Set(analysed.map((k) => k.quality_grade))) await page.check(`#filter [name=quality_grade][value=${g}]`);
  await page.fill("#filter [name=min_building_count]", "");
  await page.click("#filter [type=submit]");
  await counted(page, analysed.length);
  await page.goBack();
  await counted(page, high.length);
  assert.equal(await page.inputValue("#filter [name=min_building_count]"), String(Math.ceil(bound)));
  await page.goForward();
  await counted(page, analysed.length);
  await page.click("#filter [name=clear]");
  await counted(page, kgs.length);

  // The ranking as a file: what is not known is empty.
  await page.selectOption("#by", "tree_count");
  await page.waitForFunction(() => /Tree count/.test(document.querySelector("#ranking thead")?.textContent ?? ""));
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#ranking [name=csv]")]), lines = (await readFile(await saved.path(), "utf8")).replace("\ufeff", "").trim().split("\r\n"), at = lines[0].split(",").indexOf("tree_count");
  assert.equal(lines.length, kgs.length + 1);
  assert.equal(lines.slice(1).filter((l) => l.split(",")[at] === "").length, raw.length);
  await page.click("#ranking thead th:nth-child(2) button");
  assert.deepEqual((await cells(page, 2)).map((v) => v.replace(/\s*\d{5}$/, "")), kgs.map((k) => k.kg_name).sort((a, b) => a.localeCompare(b)));
  await accessible(page, "national");
  await shoot(page, "national");
  assert.deepEqual(errors, []);
  await page.close();

  // The link shows the same to another, in German and on a phone.
  const other = await open(link.slice(base.length), phone, { locale: "de-AT", colorScheme: "dark" });
  await counted(other.page, high.length);
  assert.equal(await other.page.inputValue("#filter [name=min_building_count]"), String(Math.ceil(bound)));
  assert.match(await other.page.innerText("#count"), new RegExp(`^${high.length} von ${kgs.length} KGs`));
  await fits(other.page, "national");
  assert.deepEqual(other.errors, []);
  await other.page.close();
});

test("without the tiles KGs are dots, and an unknown column of a link is the usual one", async () => {
  const page = await blank(desk), errors = [];
  page.on("pageerror", (e) => errors.push(e.message));
  await page.route("**/*.pmtiles", (r) => r.fulfill({ status: 404 }));
  await page.goto(`${base}/national#by=nonsense`);
  await page.waitForFunction(() => document.body.dataset.ready === "true", null, { timeout: 60_000 });
  await counted(page, kgs.length);
  assert.match(await page.innerText("#message"), /^The outlines of the KGs cannot be read: dots/);
  assert.equal(await page.inputValue("#by"), "vegetated_fraction");
  const { kg_code: code, centroid } = analysed[0], state = await page.evaluate((id) => window.mappe.map.getFeatureState({ source: "kgs", id }), code);
  assert.ok(state.class >= 0, "a dot has the class of the table");
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 13 }), centroid);
  assert.equal(await page.evaluate(() => window.mappe.map.getLayer("dots").maxzoom ?? 24), 24, "where there would be outlines, too");
  assert.deepEqual(errors, []);
  await page.close();

  // A column that there is comes with the names: one question, and none when the link is opened.
  const other = await blank(desk), questions = [];
  other.on("request", (r) => { if (r.url().includes("/query/compound")) questions.push(new URL(r.url()).searchParams.get("fields")); });
  await other.goto(`${base}/national#by=building_count`);
  await other.waitForFunction(() => document.body.dataset.ready === "true", null, { timeout: 60_000 });
  await counted(other, kgs.length);
  assert.equal(questions.length, 1);
  assert.match(questions[0], /kg_name.*,building_count$/);
  await other.close();
});

test("every column and filter has a German name", () => {
  const said = [...numbersOf(doc).map((c) => c.title), ...recordOf(doc).filter((c) => !/_(code|name|url)$|^(bbox|centroid|processed)$/.test(c.name)).map((c) => c.title), ...filtersOf(doc).flatMap((f) => [f.title, ...(f.parts ?? []).map((p) => p.title)]).filter(Boolean)];
  assert.ok(said.length > 100, `${said.length}`);
  assert.deepEqual([...new Set(said.filter((text) => !dictionary[text]))], []);
});

test("the profile of a KG fits on A4", async () => {
  const { kg_code: code } = analysed[0], { page, errors } = await open(`/kg/${code}`, phone);
  assert.match(await page.innerText("h1"), new RegExp(code));
  await fits(page, "profile");
  await accessible(page, "profile");
  const profile = await (await fetch(`${api}/kg/${code}/profile`)).json();
  assert.equal(await page.locator("#profile .chart").count() >= 3, true, "a map and charts");
  assert.match(await page.innerText("#profile"), new RegExp(`Parcel count\\s*${profile.cadastre.parcel_count.toLocaleString("en-GB")}`));
  assert.equal((await page.locator(`#profile .chart[aria-label^="Land cover"] rect`).count()), profile.landscape.landcover.length);
  // On paper: 180 mm wide, no letter outside them, no chart higher than a page, nothing to press.
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 680, height: 1017 });
  assert.deepEqual(await page.evaluate(() => {
    const out = [], main = document.querySelector("main").getBoundingClientRect();
    for (const e of document.querySelectorAll(".chart, .chart text, table, p")) {
      const b = e.getBoundingClientRect();
      if (b.left < main.left - 1 || b.right > main.right + 1 || b.height > 900) out.push(`${e.tagName} ${e.textContent.slice(0, 40)}: ${Math.round(b.left)} to ${Math.round(b.right)}, ${Math.round(b.height)} high`);
    }
    if (document.getElementById("print").checkVisibility()) out.push("a button is printed");
    return out;
  }), []);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1"), pages = pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
  assert.ok(pages >= 1 && pages <= 5, `${pages} pages`);
  assert.match(pdf, /\/MediaBox\s*\[0 0 59[45][.\d]* 84[12]/, "A4");
  assert.deepEqual(errors, []);
  await page.emulateMedia({ media: "screen" });

  // A KG without analysis says so; one that is not there is an error in words.
  await page.goto(`${base}/kg/${raw[0].kg_code}`);
  await page.waitForFunction(() => document.body.dataset.ready === "true");
  assert.match(await page.innerText("#profile"), /not analysed yet/);
  assert.doesNotMatch(await page.innerText("#profile"), /Tree count|Forest loss/);
  await page.goto(`${base}/kg/00000`);
  await page.waitForFunction(() => document.body.dataset.ready === "true");
  assert.notEqual(await page.innerText("#message"), "");
  await page.close();
});

test("a parcel's card tells its terrain, and the panel makes a file", async () => {
  const list = (await (await fetch(`${api}/query/parcels?kg=${analysed[0].kg_code}&limit=1000`)).json()).results, parcel = list.find((p) => p.slope_mean_deg !== null), page = (await open(`/p/${encodeURIComponent(parcel.parcel_id)}`, desk)).page;
  await page.waitForSelector("#terrain table");
  const fetched = await (await fetch(`${api}/parcel/${encodeURIComponent(parcel.parcel_id)}`)).json();
  assert.match(await page.innerText("#terrain"), new RegExp(`Slope\\s*${fetched.slope_mean_deg.toFixed(1)}°[^]*Forest\\s*\\d+ % of the parcel`));
  assert.equal(await page.getAttribute("#terrain a", "href"), `/kg/${analysed[0].kg_code}`);
  const none = (await (await fetch(`${base}/cadastre/api/v1/query?kg=${raw[0].kg_code}&limit=1`)).json()).data[0];
  await page.fill("#q", none.parcel_id);
  await page.press("#q", "Enter");
  await page.waitForFunction(() => document.getElementById("terrain")?.innerText.trim() === "Terrain and trees: not analysed yet.");

  const [lon, lat] = parcel.centroid, ring = (d) => [[lon - d, lat - d], [lon + d, lat - d], [lon + d, lat + d], [lon - d, lat + d], [lon - d, lat - d]];
  await page.evaluate(async (text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "area.geojson"));
    for (const type of ["dragenter", "dragover", "drop"]) document.getElementById("map").dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
  }, JSON.stringify({ type: "Polygon", coordinates: [ring(0.0004)] }));
  await page.waitForSelector("#land .facts b, #land .facts button");
  await page.click("#land [data-part=file] summary");
  await page.selectOption("#land [name=format]", "json");
  await page.click("#land [data-part=file] [type=submit]");
  await page.waitForSelector("#land .made a", { timeout: 60_000 });
  const made = await (await fetch(base + await page.locator("#land .made a").first().getAttribute("href"))).json();
  assert.equal(made.type, "FeatureCollection");
  assert.ok(made.features.length > 0);
  assert.match(page.url(), /file=json:/);
  await page.close();
});

test("kinds are coloured too: each that occurs, with its KGs; steps belong to figures", async () => {
  const { page, errors } = await open("/national#by=dominant_type", desk);
  await counted(page, kgs.length);
  assert.equal(await page.isVisible("#way"), false);
  const occur = new Map();
  for (const k of analysed) occur.set(k.dominant_type, (occur.get(k.dominant_type) ?? 0) + 1);
  const lines = await page.locator("#legend li:not(:has(.hatch))").allInnerTexts();
  assert.deepEqual(lines.map((l) => l.split(/\s+(?=\d+$)/)), [...occur].map(([name, n]) => [name.replaceAll("_", " "), String(n)]));
  const class_ = (code) => page.evaluate((c) => window.mappe.map.getFeatureState({ source: "land", sourceLayer: "kg", id: c }).class, code);
  assert.equal(await class_(analysed[0].kg_code), [...occur.keys()].indexOf(analysed[0].dominant_type));
  assert.equal(await class_(raw[0].kg_code), -2, "what was not analysed has no class");
  // Grades and classes of the terrain are steps of one row of colours, from the first to the last that there are.
  await page.selectOption("#by", "terrain_class");
  await counted(page, kgs.length);
  const { values } = recordOf(doc).find((c) => c.name === "terrain_class"), there = values.filter((v) => analysed.some((k) => k.terrain_class === v));
  assert.equal((await page.locator("#legend li:not(:has(.hatch))").count()), there.length);
  assert.equal(members(page).by, "terrain_class");
  await page.selectOption("#by", "building_count");
  assert.equal(await page.isVisible("#way"), true);
  assert.deepEqual(errors, []);
  await page.close();
});
