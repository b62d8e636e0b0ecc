// Drives the map page in a real browser against a running server (MAPPE_URL), as a person would:
// click a parcel, read its card, open a deep link, search, use the keyboard, on a desktop and on a phone, in
// light and dark mode, in both languages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, browser, covered, desktop, idle, open, phone, shoot, someParcel } from "../testing/map.mjs";

test("a click on a parcel opens its card, filled from the API", async () => {
  const { page, errors } = await open("/map", { width: 1280, height: 800 });
  const parcel = await someParcel();
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 17 }), [parcel.lon, parcel.lat]);
  await idle(page);
  const at = await page.evaluate(([lng, lat]) => { const p = window.mappe.map.project([lng, lat]); return [p.x, p.y]; }, [parcel.lon, parcel.lat]);
  await page.mouse.click(at[0], at[1]);
  await page.waitForSelector("#card:not([hidden])");
  const shown = await page.evaluate(() => document.getElementById("card").dataset.parcel);
  const points = await (await fetch(`${base}/cadastre/api/v1/spatial/points`, { method: "POST", body: JSON.stringify({ points: [{ lon: parcel.lon, lat: parcel.lat }] }) })).json();
  assert.equal(shown, points.results[0].parcel.parcel_id);
  const text = await page.innerText("#card");
  assert.match(text, /Area/);
  assert.match(text, /m²/);
  assert.match(text, /Land use\s+[A-Z][a-z]+/, "the land use is said in words");
  assert.doesNotMatch(text, /\d\d,\d\d\b(?! m²)/, "land-use codes");
  assert.ok(decodeURIComponent(new URL(page.url()).pathname).endsWith(shown), `address bar ${page.url()}`);
  await idle(page);
  await shoot(page, "card");
  assert.deepEqual(errors, []);
  await page.close();
});

test("an answer that comes after the reader has gone on opens no card", async () => {
  const { page, errors } = await open("/map", { width: 1280, height: 800 });
  const parcel = await someParcel();
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 17 }), [parcel.lon, parcel.lat]);
  await idle(page);
  const at = await page.evaluate(([lng, lat]) => { const p = window.mappe.map.project([lng, lat]); return [p.x, p.y]; }, [parcel.lon, parcel.lat]);

  // The answers to what was clicked are held back until they are let go; a card begins with its shape.
  const shapes = [];
  page.on("request", (r) => { if (r.url().endsWith("/geometry/batch")) shapes.push(...r.postDataJSON().ids); });
  const held = [];
  let reached;
  await page.route("**/spatial/points", (route) => { held.push(route); reached(); });
  const click = async () => {
    const asked = new Promise((done) => { reached = done; });
    await page.mouse.click(at[0], at[1]);
    await asked;
  };
  const letGo = async () => {
    const answered = page.waitForEvent("requestfinished", (r) => r.url().endsWith("/spatial/points"));
    await held.shift().continue();
    await answered;
  };

  await click();
  await page.keyboard.press("Escape");
  await letGo();
  await click();
  await page.fill("#q", "99999-1");
  await page.press("#q", "Enter");
  await page.waitForFunction(() => document.getElementById("message").textContent.includes("99999-1"));
  await letGo();
  await click();
  await letGo();
  await page.waitForSelector("#card:not([hidden])");
  const shown = await page.evaluate(() => document.getElementById("card").dataset.parcel);
  assert.deepEqual(shapes, ["99999-1", shown], "the search and the last click, not those that were closed or overtaken");
  await page.keyboard.press("Escape");
  assert.equal(await page.title(), "Mappe: parcels on the map", "the title is the page's again");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a deep link opens the card on a phone without a sideways scroll", async () => {
  const parcel = await someParcel();
  const { page, errors } = await open(`/p/${encodeURIComponent(parcel.parcel_id)}`, { width: 390, height: 844 });
  await page.waitForSelector("#card:not([hidden])");
  assert.equal(await page.innerText("#card h1"), `Parcel ${parcel.gnr}`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
  assert.ok(await page.evaluate(() => { const box = document.querySelector(".maplibregl-ctrl-attrib").getBoundingClientRect(); return document.elementFromPoint(box.left + box.width / 2, box.bottom - 8)?.closest(".maplibregl-ctrl-attrib"); }), "the card covers the credits");
  await page.waitForTimeout(900);
  await idle(page);
  await shoot(page, "phone");
  assert.equal(await page.evaluate(() => document.getElementById("message").textContent), "");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a search for an unknown parcel says so beside the open card, a known one is shown", async () => {
  const parcel = await someParcel();
  for (const viewport of [desktop, phone]) {
    const { page, errors } = await open(`/p/${encodeURIComponent(parcel.parcel_id)}`, viewport);
    await page.waitForSelector("#card:not([hidden])");
    await page.fill("#q", "99999-1");
    await page.press("#q", "Enter");
    await page.waitForFunction(() => document.getElementById("message").textContent.includes("99999-1"));
    assert.ok(await page.isVisible("#card"), "the card stays open");
    assert.equal(await covered(page, "#message"), "", "the message is covered");
    await page.fill("#q", `${parcel.kg_code} ${parcel.gnr}`);
    await page.press("#q", "Enter");
    await page.waitForFunction((id) => document.getElementById("card").dataset.parcel === id && document.getElementById("message").textContent === "", parcel.parcel_id);
    assert.deepEqual(errors, []);
    await page.close();
  }
});

/** The country as the test knows it: a KG with addresses in streets, and one of its addresses. */
async function someAddress() {
  const kgs = (await (await fetch(`${base}/context/api/v1/kgs`)).json()).data.kgs;
  for (const kg of kgs) {
    const [west, south, east, north] = kg.bbox;
    const rows = (await (await fetch(`${base}/cadastre/api/v1/spatial/bbox?${new URLSearchParams({ west, south, east, north, layers: "buildings", limit: "5000" })}`)).json()).data;
    const found = rows.find((a) => a.kg_code === kg.kg_code && a.parcel_id && a.street && a.street !== a.ort && a.house_number);
    if (found) return { kg, found };
  }
  throw new Error("the country has no address in a street");
}

test("places, KGs, municipalities, streets and addresses are found", async () => {
  const { kg, found } = await someAddress();
  const { page, errors } = await open("/map", desktop);
  const search = async (text) => {
    await page.fill("#q", "");
    await page.fill("#q", text);
    await page.waitForFunction((text) => document.getElementById("q").value === text && document.querySelector("#suggestions li"), text);
    return page.locator("#suggestions li").allInnerTexts();
  };
  const inBox = () => page.evaluate(([west, south, east, north]) => { const c = window.mappe.map.getCenter(); return c.lng > west - 0.01 && c.lng < east + 0.01 && c.lat > south - 0.01 && c.lat < north + 0.01; }, kg.bbox);
  const rested = () => page.waitForFunction(() => !window.mappe.map.isMoving());

  assert.ok((await search(kg.kg_name)).some((s) => s.includes(kg.kg_name) && s.includes(kg.kg_code)), "the KG by its name");
  assert.ok((await search(kg.kg_name.toLowerCase().normalize("NFD").replace(/\p{M}/gu, ""))).some((s) => s.includes(kg.kg_code)), "without accents");
  assert.match((await search(kg.gemeinde_name))[0], /municipality/);
  assert.ok((await search(found.ort)).some((s) => s.includes("place") || s.includes("KG")), "the place");
  assert.match((await search(kg.kg_code))[0], new RegExp(kg.kg_code), "the KG by its code");
  await page.press("#q", "Enter");
  await rested();
  assert.ok(await inBox(), "the map goes to the KG");

  // In the KG in view a street is found by its beginning; with a house number its house, and its parcel opens.
  const street = await search(found.street.slice(0, Math.max(5, found.street.length - 3)));
  assert.ok(street.some((s) => s.includes(found.street) && s.includes("street in")), `${found.street}: ${street}`);
  const house = await search(`${found.street} ${found.house_number}, ${found.ort}`);
  assert.ok(house[0].includes(`${found.street} ${found.house_number}`), `${house}`);
  await shoot(page, "suggestions");
  await page.press("#q", "ArrowDown");
  assert.equal(await page.getAttribute("#q", "aria-activedescendant"), "suggestion-0");
  await page.press("#q", "Enter");
  await page.waitForFunction(() => !document.getElementById("card").hidden);
  assert.match(await page.innerText("#card"), new RegExp(found.house_number));

  // A parcel number alone is one of the KG in view; a name of nothing says so.
  const gnr = found.parcel_id.slice(6);
  assert.ok((await search(gnr.match(/[./]/) ? gnr : `${kg.kg_name} ${gnr}`)).some((s) => s.includes(found.parcel_id)), `${gnr} in the KG`);
  await page.fill("#q", "Xyzhausen");
  await page.press("#q", "Enter");
  await page.waitForFunction(() => document.getElementById("message").textContent.includes("Xyzhausen"));
  assert.deepEqual(errors, []);
  await page.close();
});

test("names are drawn on the map: KGs and places, streets and house numbers", async () => {
  const { found } = await someAddress();
  const { page, errors } = await open("/map", desktop);
  const drawn = (layer) => page.waitForFunction((layer) => window.mappe.map.queryRenderedFeatures({ layers: [layer] }).length > 0, layer, { timeout: 60_000 });
  const pointer = await (await fetch(`${base}/artefacts/current.json`)).json();
  assert.ok((await page.innerText(".maplibregl-ctrl-attrib")).includes(pointer.attribution), "the notice of the data");
  await page.evaluate(() => window.mappe.map.jumpTo({ zoom: 14.5 }));
  await drawn("kg-names");
  await drawn("localities");
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 17.3 }), [found.lon, found.lat]);
  await drawn("numbers");
  await drawn("houses");
  await drawn("streets");
  const names = await page.evaluate(() => window.mappe.map.queryRenderedFeatures({ layers: ["streets"] }).map((f) => f.properties.name));
  assert.ok(names.every((n) => typeof n === "string" && n.length > 1), `${names}`);
  await shoot(page, "names");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a parcel is reached without a pointer, and focus comes back", async () => {
  const parcel = await someParcel();
  const { page, errors } = await open("/map", desktop);
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 17.5 }), [parcel.lon, parcel.lat]);
  await idle(page);
  await page.focus("#inview-toggle");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#inview li button").length > 3);
  assert.match(await page.innerText("#inview p"), /\d+ parcels in view|nearest to the middle/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  const id = await page.evaluate(() => document.activeElement.dataset.parcel);
  assert.ok(id, "the arrow key goes to the next parcel");
  assert.deepEqual(await page.evaluate(() => window.mappe.map.getFilter("pointed")[2]), id, "the parcel is marked on the map");
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none", "focus is seen");
  await page.keyboard.press("Enter");
  await page.waitForFunction((id) => document.getElementById("card").dataset.parcel === id, id);
  assert.equal(await page.evaluate(() => document.activeElement.id), "card-title", "the reader is taken to the card");
  await shoot(page, "keyboard");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.getElementById("card").hidden);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.parcel), id, "and back to the list");

  // On the map itself Enter opens what lies under the mark in the middle.
  await page.focus(".maplibregl-canvas");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => !window.mappe.map.isMoving());
  const centre = await page.evaluate(() => { const c = window.mappe.map.getCenter(); return { lon: c.lng, lat: c.lat }; });
  const want = (await (await fetch(`${base}/cadastre/api/v1/spatial/points`, { method: "POST", body: JSON.stringify({ points: [centre] }) })).json()).results[0].parcel.parcel_id;
  await page.keyboard.press("Enter");
  await page.waitForFunction((id) => document.getElementById("card").dataset.parcel === id, want);
  assert.deepEqual(errors, []);
  await page.close();
});

test("on a phone in the dark, in German: legend, colours, words", async () => {
  const parcel = await someParcel();
  const { page, errors } = await open(`/p/${encodeURIComponent(parcel.parcel_id)}`, phone, { colorScheme: "dark", locale: "de-AT" });
  await page.waitForSelector("#card:not([hidden])");
  assert.equal(await page.getAttribute("html", "lang"), "de");
  const text = await page.innerText("#card");
  assert.match(text, new RegExp(`Grundstück ${parcel.gnr.replace(".", "\\.")}`));
  assert.match(text, /Nutzung\s+\p{Lu}\p{Ll}+/u);
  await page.click("#card .close");
  await page.click("#legend summary");
  assert.equal(await page.locator("#uses li").count(), 9);
  assert.equal(await covered(page, "#legend li:first-child"), "", "the legend is covered");
  const luminance = await page.evaluate(() => { const [r, g, b] = getComputedStyle(document.querySelector("header")).backgroundColor.match(/\d+/g).map(Number); return (r + g + b) / 3; });
  assert.ok(luminance < 60, `the header's ground is ${luminance}`);
  const ground = () => page.evaluate(() => window.mappe.map.getPaintProperty("ground", "background-color"));
  const darkGround = await ground();
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForFunction((old) => window.mappe.map.getPaintProperty("ground", "background-color") !== old, darkGround);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
  assert.deepEqual(errors, []);
  await page.close();
});

test("the credits are those that the data carries, and stay text", async () => {
  const page = await (await browser()).newPage({ viewport: desktop, locale: "en-GB" });
  await page.route("**/artefacts/current.json", async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...(await reply.json()), attribution: "made-up <img src=x onerror=alert(1)> data" } });
  });
  await page.goto(`${base}/map`);
  await page.waitForFunction(() => document.querySelector(".maplibregl-ctrl-attrib")?.textContent.includes("onerror"));
  const credits = await page.innerText(".maplibregl-ctrl-attrib");
  assert.ok(credits.includes("made-up <img src=x onerror=alert(1)> data, modified, CC BY 4.0"), credits);
  assert.ok(await page.locator(`.maplibregl-ctrl-attrib a[href="https://creativecommons.org/licenses/by/4.0/"]`).count() > 0);
  await page.close();
});

test("parcels in view are filtered, summed up and marked, and the sites over them drawn", async () => {
  const parcel = await someParcel();
  for (const viewport of [desktop, phone]) {
    const { page, errors } = await open("/map", viewport);
    await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 15 }), [parcel.lon, parcel.lat]);
    await idle(page);
    await page.click("#filter-toggle");
    await page.selectOption("#filter [name=has_buildings]", "true");
    await page.fill("#filter [name=min_area]", "100");
    await page.click("#filter [type=submit]");
    await page.waitForSelector("#filter .found tbody button");
    const [west, south, east, north] = await page.evaluate(() => window.mappe.map.getBounds().toArray().flat());
    const query = new URLSearchParams({ west, south, east, north, has_buildings: "true", min_area: "100", limit: "1", with_stats: "true" });
    const answer = await (await fetch(`${base}/cadastre/api/v1/query?${query}`)).json();
    assert.match(await page.innerText("#filter [role=status]"), new RegExp(`^${answer.meta.total.toLocaleString("en-GB")} parcels`));
    assert.match(await page.innerText("#filter .result"), new RegExp(`${answer.stats.total_buildings.toLocaleString("en-GB")} building addresses`));
    assert.ok(await page.evaluate(() => document.querySelectorAll("#filter .bars li").length) >= 2, "the chart has bars");
    const marked = await page.evaluate(() => window.mappe.map.getFilter("found-fill")[2][1].length);
    assert.equal(marked, Math.min(answer.meta.total, 1000));
    const file = await page.getAttribute('#filter .files a:text-is("CSV")', "href");
    const csv = await (await fetch(base + file)).text();
    assert.equal(csv.trim().split("\r\n").length, answer.meta.total + 1, "the table holds every parcel");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
    await idle(page);
    await shoot(page, `filter-${viewport.width}`);
    const first = await page.getAttribute("#filter .found tbody button", "data-parcel");
    await page.click("#filter .found tbody button");
    await page.waitForFunction((id) => document.getElementById("card").dataset.parcel === id, first);
    await page.click("#filter-toggle");
    assert.equal(await page.evaluate(() => window.mappe.map.getFilter("found-fill")[2][1].length), 0, "closing takes the marks away");
    assert.deepEqual(errors, []);
    await page.close();
  }

  // The sites and areas of the country, as the service has them.
  const sites = (await (await fetch(`${base}/cadastre/ogc/collections/natura2000/items`)).json()).features;
  if (sites.length === 0) return;
  const { page, errors } = await open("/map", desktop);
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 13.2 }), sites[0].geometry.coordinates.flat(9).slice(0, 2));
  await page.evaluate(() => { document.getElementById("legend").open = true; });
  for (const name of ["natura2000", "protected_areas"]) {
    await page.check(`#overlays [name=${name}]`);
  }
  await page.waitForFunction(() => window.mappe.map.queryRenderedFeatures({ layers: ["over-natura2000-fill"] }).length > 0, null, { timeout: 60_000 });
  await idle(page);
  await shoot(page, "overlays");
  await page.uncheck("#overlays [name=natura2000]");
  assert.equal(await page.evaluate(() => window.mappe.map.getLayoutProperty("over-natura2000-fill", "visibility")), "none");
  assert.deepEqual(errors, []);
  await page.close();
});

test("the map is drawn: land of many colours, not a blank", async () => {
  const { page, errors } = await open("/map", { width: 640, height: 480 }, { drawn: true });
  const parcel = await someParcel();
  await page.evaluate(([lng, lat]) => window.mappe.map.jumpTo({ center: [lng, lat], zoom: 16 }), [parcel.lon, parcel.lat]);
  await idle(page);
  const colours = await page.evaluate(() => new Promise((done) => {
    const map = window.mappe.map;
    map.once("render", () => { // what a frame has drawn can be read until the next begins
      const gl = map.painter.context.gl, seen = new Set(), pixel = new Uint8Array(4);
      for (let x = 0; x < 20; x++) for (let y = 0; y < 20; y++) {
        gl.readPixels((x + 0.5) * gl.drawingBufferWidth / 20, (y + 0.5) * gl.drawingBufferHeight / 20, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        seen.add(pixel.join());
      }
      done(seen.size);
    });
    map.triggerRepaint();
  }));
  assert.ok(colours > 5, `${colours} colours in 400 places`);
  assert.deepEqual(errors, []);
  await page.close();
});

test("what an address names and nobody knows is said, and the rest of it is shown", async () => {
  for (const [lang, words] of [["en", /not known here: zoo, map=xx, at=foo, find=foo:bar/], ["de", /nicht bekannt ist: zoo, map=xx, at=foo, find=foo:bar/]]) {
    const { page, errors } = await open(`/map?lang=${lang}#map=xx&at=foo&on=zoo,natura2000&find=foo:bar`, desktop);
    await page.waitForFunction(() => document.getElementById("message").textContent);
    assert.match(await page.locator("#message").innerText(), words);
    assert.equal(await page.locator("#overlays input[name=natura2000]").isChecked(), true);
    assert.equal(await page.locator("#filter").isHidden(), true); // no search for everything
    assert.deepEqual(errors, []);
    await page.close();
  }
});
