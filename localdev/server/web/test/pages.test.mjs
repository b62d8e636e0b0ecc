// Opens every page of the local cloud in a real browser against a running server (MAPPE_URL): each obeys its
// own content security policy, none scrolls sideways, and what is missing is said to a person in a page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { test } from "node:test";
import { base, browser } from "../testing/browser.mjs";

const desktop = { width: 1280, height: 900 }, phone = { width: 390, height: 844 };
const services = ["cadastre", "context", "landscape", "expander", "workfeed", "books"];

async function open(path, options = { viewport: desktop }) {
  const page = await (await browser()).newPage(options);
  const errors = [];
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("console", (m) => { if (/Content Security Policy/.test(m.text())) errors.push(m.text()); });
  page.on("request", (r) => { if (!/^(blob|data):/.test(r.url()) && !r.url().startsWith(base)) errors.push(`asks ${r.url()}`); });
  const reply = await page.goto(base + path);
  return { page, errors, reply };
}

/** elsewhere serves one page from another origin. */
async function elsewhere(body) {
  const server = createServer((_, reply) => reply.writeHead(200, { "content-type": "text/html" }).end(body));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

test("every page keeps to a policy without unsafe-inline", async () => {
  const pages = [["/", 200], ["/workfeed/hq/work", 200], ["/workfeed/hq/work?limit=0", 400], ["/nothing", 404], ["/cadastre/nothing", 404], ["/books/nothing", 404], ["//", 404], ...services.map((s) => [`/${s}/docs`, 200])];
  for (const options of [{ viewport: desktop }, { viewport: phone, colorScheme: "dark" }]) {
    const { page, errors } = await open("/", options);
    for (const [path, status] of pages) {
      const reply = await page.goto(base + path);
      if (path.endsWith("/docs")) await page.waitForSelector("details.op");
      assert.equal(reply.status(), status, path);
      const head = reply.headers();
      assert.match(head["content-type"], /^text\/html/, path);
      assert.match(head["content-security-policy"], /default-src 'none'.*frame-ancestors 'none'/, path);
      assert.doesNotMatch(head["content-security-policy"], /unsafe/, path);
      assert.equal(head["x-content-type-options"], "nosniff", path);
      assert.equal(head["x-frame-options"], "DENY", path);
      assert.ok(await fits(page), `${path} scrolls sideways`);
      const [ink, paper] = await page.evaluate(() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor].map((c) => c.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0)); });
      assert.equal(ink > paper, options.colorScheme === "dark", `${path}: letters ${ink}, ground ${paper}`);
      assert.deepEqual(errors, [], path);
    }
    await page.close();
  }
});

test("a script that the policy does not name is refused, and the tests would see it", async () => {
  const { page, errors } = await open("/cadastre/docs");
  await page.evaluate(() => { const s = document.createElement("script"); s.textContent = "window.foreign = true"; document.body.append(s); });
  await page.waitForFunction(() => true);
  assert.equal(await page.evaluate(() => window.foreign), undefined);
  assert.ok(errors.some((e) => /Content Security Policy/.test(e)), "no violation was reported");
  await page.close();
});

test("a page of another origin cannot frame them", async () => {
  const { origin, close } = await elsewhere(`<iframe src="${base}/cadastre/docs"></iframe><iframe src="${base}/map"></iframe>`);
  const page = await (await browser()).newPage();
  await page.goto(origin);
  assert.deepEqual(page.frames().slice(1).map((f) => new URL(f.url()).protocol), ["chrome-error:", "chrome-error:"]);
  await page.close();
  close();
});

test("a service leads to its docs, and an endpoint is tried there", async () => {
  const { page, errors } = await open("/cadastre/");
  assert.equal(new URL(page.url()).pathname, "/cadastre/docs");
  await page.waitForSelector("details.op");
  await page.fill("#find", "spatial bbox");
  assert.equal(await page.locator("details.op:visible").count(), 1);
  await page.click("#spatial_bbox summary");
  const text = await page.innerText("#spatial_bbox p");
  assert.doesNotMatch(text, /\n/, "a description breaks where its source does");
  await page.click("#spatial_bbox form button");
  await page.waitForSelector("#spatial_bbox .status.ok");
  assert.match(await page.innerText("#spatial_bbox .body"), /"parcel_id"/);
  await referenceSays(page);
  await page.fill("#find", "no such endpoint");
  assert.equal(await page.innerText("#none"), "No endpoint matches.");
  assert.deepEqual(errors, []);
  await page.close();
});

// The reference of an operation: its request as programs write it, what the answer holds with units, its errors.
async function referenceSays(page) {
  const sample = async (language) => { await page.click(`#spatial_bbox .tabs button:text-is("${language}")`); return page.innerText("#spatial_bbox .sample"); };
  await page.fill("#spatial_bbox [name=limit]", "3");
  const rows = (text) => JSON.parse(text).data.length, curl = await sample("curl"), script = await sample("JavaScript");
  assert.equal(rows(execFileSync("sh", ["-c", curl], { encoding: "utf8" })), 3, curl);
  assert.equal(rows(execFileSync(process.execPath, ["--input-type=module", "-e", script.replace("console.log(await r.json())", "console.log(await r.text())")], { encoding: "utf8" })), 3, script);
  for (const [language, holds] of [["Python", /requests\.request\("GET", "http.*limit=3"/], ["R", /httr2[^]*limit=3/]]) assert.match(await sample(language), holds);
  await page.click("#spatial_bbox summary:has-text('What the answer holds')");
  const field = await page.locator('#spatial_bbox tr:has(th[title="data[].area_sqm"])').innerText();
  assert.match(field, /area_sqm\s+number or null\s+m²\s+Drawn area/);
  await page.click("#spatial_bbox summary:has-text('Errors')");
  assert.match(await page.innerText("#spatial_bbox"), /429\s+Too many requests/);
}

test("the reference is ordered by use, speaks both languages and has samples and fields of every operation", async () => {
  const { page, errors } = await open("/landscape/docs?lang=de#terrain");
  await page.waitForSelector("#terrain[open] form");
  assert.equal(await page.getAttribute("html", "lang"), "de");
  assert.match(await page.innerText("#terrain"), /Ausprobieren[^]*Was die Antwort enthält/);
  assert.equal(await page.locator("main > section h2").last().innerText(), "Verarbeitung", "operators' calls come last, groups are in German");
  assert.match(await page.innerText("#terrain"), /Neigung, Exposition/, "sentences are German");
  await page.click("#trees > summary");
  assert.match(await page.textContent("#trees form"), /Einheit: m\./, "units behind sentences are German too");
  assert.doesNotMatch(await page.textContent("main"), /Unit: |The answer/);
  for (const [words, holds] of [["Neigung", "#terrain"], ["api/v1/terrain", "#terrain"], ["Bäume trees", "#trees"]]) {
    await page.fill("#find", words);
    assert.ok(await page.locator(`${holds}:visible`).count(), `${words} finds ${holds}`);
  }
  for (const service of services) {
    await page.goto(`${base}/${service}/docs?lang=de#100%`); // an address that is no percent encoding
    await page.waitForFunction(() => document.body.dataset.ready === "true");
    const said = await page.evaluate(async () => {
      const wrong = [], Program = (async () => {}).constructor;
      let answers = 0, known = 0;
      for (const [path, item] of Object.entries(doc.paths)) for (const [method, op] of Object.entries(item)) {
        const media = Object.entries(okOf(op).content ?? {}).find(([m]) => /json/.test(m))?.[1], request = requestOf(path, method, op, formOf(path, op));
        if (media) { answers++; known += fieldsOf(doc, media.schema).length > 0 ? 1 : 0; }
        const example = op["x-example"]?.split("?")[0].split("/").map(decodeURIComponent).join("/");
        if (example && decodeURIComponent(new URL(request.url).pathname) !== base + example) wrong.push(`${op.operationId}: asks ${request.url}`);
        try { new Program(samples.JavaScript(request)); } catch (e) { wrong.push(`${op.operationId}: ${e.message}`); }
      }
      if (told !== "de" || doc.info.title !== document.title) wrong.push("the description is not in German");
      const untold = inGerman ? Object.values(doc.paths).flatMap((item) => Object.values(item)).flatMap((op) => op.tags ?? []).filter((tag) => !(tag in german) && !/^(OGC API|OGC API Processes|STAC)$/.test(tag)) : ["the page is in English"];
      return { wrong, answers, known, untold };
    });
    assert.deepEqual(said.wrong, [], service);
    assert.deepEqual(said.untold, [], `${service}: groups without a German name`);
    assert.ok(said.known >= said.answers - (service === "landscape" ? 6 : 0), `${service}: ${said.known} of ${said.answers} answers have fields; only results of any kind have none`);
  }
  assert.deepEqual(errors, []);
  await page.close();
});

test("a program reads the error it knows", async () => {
  for (const path of ["/nothing", "//", "/cadastre/nothing", "/books/nothing"]) {
    const reply = await fetch(base + path, { redirect: "manual" });
    assert.equal(reply.status, 404, path);
    assert.equal((await reply.json()).code ?? "not_found", "not_found", path);
  }
});

test("scripts of other origins read artefacts, after a preflight", async () => {
  const { origin, close } = await elsewhere("<p>another origin");
  const page = await (await browser()).newPage();
  await page.goto(origin);
  const got = await page.evaluate(async (base) => {
    const pointer = await (await fetch(`${base}/artefacts/current.json`, { headers: { "Cache-Control": "no-cache" } })).json();
    const part = await fetch(`${base}/artefacts/${pointer.tiles}`, { headers: { Range: "bytes=0-6", "If-None-Match": '"old"' } });
    return [part.status, await part.text(), part.headers.get("Content-Range"), part.headers.get("ETag")];
  }, base);
  assert.equal(got[0], 206);
  assert.equal(got[1], "PMTiles");
  assert.ok(got[2] && got[3], `${got}`);
  await page.close();
  close();
});
