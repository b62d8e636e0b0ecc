// The client against a server that answers as the services do, and as they should not.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, cadastre, context, next } from "../index.js";
import * as operations from "../operations.js";

let server, base, asked, answers;
before(async () => {
  server = createServer((request, reply) => {
    let body = "";
    request.on("data", (d) => { body += d; });
    request.on("end", () => {
      asked.push({ method: request.method, url: request.url, headers: request.headers, body });
      const { status = 200, headers = {}, json, text = JSON.stringify(json), cut } = answers.shift() ?? { status: 500, json: { error: "no answer is left" } };
      reply.writeHead(status, { "content-type": "application/json", ...(cut && { "content-length": 1000 }), ...headers });
      if (cut) { reply.write(text); setTimeout(() => reply.destroy(), 20); } else reply.end(text);
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());
const answering = (...list) => { asked = []; answers = list; };

test("a call names its parameters in the path and in the query, lists with commas", async () => {
  answering({ json: { data: [1] } }, { json: {} }, { json: { results: [] } });
  const land = cadastre({ base: `${base}/`, headers: { "x-who": "test" } });
  assert.deepEqual(await land.landPricesParcel({ parcel_id: "09901-.45/2", year: 2020, building_period: undefined }), { data: [1] });
  await land.query({ kg: ["09901", "09902"], has_buildings: true, fields: ["parcel_id", "geometry"] });
  await land.spatialPoints({ body: { points: [{ lon: 13, lat: 47 }] }, version: "2025-10-01" });
  assert.deepEqual(asked.map((a) => `${a.method} ${a.url}`), [
    "GET /cadastre/api/v1/land_prices/parcel/09901-.45%2F2?year=2020",
    "GET /cadastre/api/v1/query?kg=09901%2C09902&has_buildings=true&fields=parcel_id%2Cgeometry",
    "POST /cadastre/api/v1/spatial/points?version=2025-10-01",
  ]);
  assert.equal(asked[2].body, '{"points":[{"lon":13,"lat":47}]}');
  assert.equal(asked[2].headers["content-type"], "application/json");
  assert.equal(asked[0].headers["x-who"], "test");
  assert.equal(asked[0].headers.accept, "application/json");
  await assert.rejects(land.landPricesParcel({}), { name: "TypeError", message: /parcel_id is missing/ });
  await assert.rejects(land.stats({ body: {} }), { name: "TypeError", message: /GET has no body/ });
});

test("url gives the address of a request, and knows its own methods only", () => {
  const land = cadastre({ base }), here = context();
  assert.equal(land.url(land.query, { kg: "09901", format: "csv" }), `${base}/cadastre/api/v1/query?kg=09901&format=csv`);
  assert.equal(here.url(here.kgs), "/context/api/v1/kgs");
  assert.throws(() => here.url(land.query, {}), TypeError);
  assert.throws(() => here.url(undefined), TypeError);
});

test("other forms are text, bytes or the answer itself", async () => {
  const csv = { headers: { "content-type": "text/csv" }, text: "a\r\n1\r\n" };
  answering(csv, csv, csv, csv);
  const land = cadastre({ base });
  assert.equal(await land.query({ format: "csv" }, { as: "text" }), "a\r\n1\r\n");
  assert.deepEqual(await land.query({ format: "csv" }, { as: "bytes" }), new TextEncoder().encode("a\r\n1\r\n"));
  assert.equal((await land.query({ format: "csv" }, { as: "response" })).headers.get("content-type"), "text/csv");
  await assert.rejects(land.query({ format: "csv" }), { name: "ApiError", code: "not_json" });
  assert.ok(asked.every((a) => a.headers.accept !== "application/json"), "the parameter chooses the form, not Accept");
  answering(csv, csv);
  await land.stats({}, { as: "bytes" });
  await land.stats({}, { as: "bytes", headers: { accept: "application/zstd" } });
  assert.deepEqual(asked.map((a) => a.headers.accept), ["*/*", "application/zstd"], "bytes are of the form that the service or the caller chooses");
  answering({ headers: { "content-type": "application/geo+json" }, json: { type: "FeatureCollection" } }, { headers: { "content-type": "application/vnd.mapbox-vector-tile" }, text: "abc" });
  assert.equal((await context({ base }).osmGeometry({ bbox: "1,2,3,4" })).type, "FeatureCollection");
  assert.equal((await land.ogcTile({ z: 1, x: 2, y: 3 })).length, 3);
});

test("an error says what the service says of the parameter", async () => {
  answering({ status: 400, json: { error: "parameter year is 20: expected a whole number", status: 400, code: "out_of_range", errors: [{ parameter: "year", value: "20", expected: "a whole number from 1990 to 2050" }], request_id: "r1" } });
  const e = await cadastre({ base }).landPricesStats({ year: 20 }).catch((e) => e);
  assert.ok(e instanceof ApiError);
  assert.deepEqual([e.status, e.code, e.parameter, e.value, e.expected, e.requestId, e.retryAfter, e.split], [400, "out_of_range", "year", "20", "a whole number from 1990 to 2050", "r1", null, null]);
  assert.equal(e.message, "parameter year is 20: expected a whole number");

  const boxes = [[1, 2, 3, 4], [3, 2, 5, 4]];
  answering({ status: 413, json: { error: "too much", status: 413, code: "too_large", split: boxes } }, { status: 413, json: { error: "too much", split: "x" } });
  assert.deepEqual((await context({ base }).neCells({ bbox: "1,2,5,4" }).catch((e) => e)).split, boxes);
  assert.equal((await context({ base }).neCells({ bbox: "1,2,5,4" }).catch((e) => e)).split, null);

  for (const text of ["<html>", "null", "7", '{"error":{"x":1},"errors":"no"}']) {
    answering({ status: 502, headers: { "content-type": "text/html" }, text });
    const odd = await cadastre({ base }).stats().catch((e) => e);
    assert.equal(odd.message, "the service answered 502", text);
    assert.deepEqual(odd.errors, []);
  }
  answering({ text: "{" }, { text: '{"data":[', cut: true });
  await assert.rejects(cadastre({ base }).stats(), { code: "broken_answer" });
  await assert.rejects(cadastre({ base }).stats(), { code: "broken_answer" });
  await assert.rejects(cadastre({ base: "http://127.0.0.1:1" }).stats(), { name: "ApiError", status: 0, code: "unreachable" });
});

test("a request is repeated when the service says when", async () => {
  const wait = (status, after) => ({ status, headers: after === undefined ? {} : { "retry-after": after }, json: { error: "later" } });
  const land = cadastre({ base });
  answering(wait(429, "0"), wait(503, "0"), wait(429, new Date(Date.now() - 5000).toUTCString()), { json: { ok: 1 } });
  assert.deepEqual(await land.stats(), { ok: 1 });
  assert.equal(asked.length, 4);
  answering(...Array.from({ length: 9 }, () => wait(503, "0")));
  await assert.rejects(land.stats(), { status: 503, retryAfter: 0 });
  assert.equal(asked.length, 4, "three times again, not more");
  for (const [what, call, answer, options] of [
    ["without Retry-After", land.stats, wait(503)], ["a longer wait than a reader has", land.stats, wait(429, "3600")], ["another status", land.stats, wait(500, "0")],
    ["not wanted", land.stats, wait(503, "0"), { retries: 0 }], ["an order for work", land.inspireProcess, wait(503, "0")], ["a report", land.feedbackPost, wait(503, "0")],
  ]) {
    answering(answer, { json: {} });
    await assert.rejects(call(call === land.stats ? {} : { kg_code: "09901", body: {} }, options), ApiError, what);
    assert.equal(asked.length, 1, what);
  }
  answering(wait(503, "0"), { json: { results: [] } });
  assert.deepEqual(await land.spatialPoints({ body: { points: [] } }), { results: [] }, "a POST that reads");
  answering(wait(429, "0"), { status: 202, json: { job_id: "j" } });
  assert.deepEqual(await land.inspireProcess({ kg_code: "09901" }), { job_id: "j" }, "429 did nothing yet");
});

test("an abort ends the request and the waiting", async () => {
  const land = cadastre({ base });
  answering({ status: 503, headers: { "retry-after": "20" }, json: {} });
  const stop = new AbortController(), begun = performance.now();
  const waiting = land.stats({}, { signal: stop.signal });
  while (asked.length === 0) await sleep(10); // else the request may reach the server in the next test
  setTimeout(() => stop.abort(), 50);
  await assert.rejects(waiting, { name: "AbortError" });
  assert.ok(performance.now() - begun < 10_000);
  answering({ json: {} });
  await assert.rejects(land.stats({}, { signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.equal(asked.length, 0);
});

test("pages follow Link to its end, rows run through them", async () => {
  const page = (data, to) => ({ headers: to ? { link: [`<https://example.org/x,y>; rel="license"`, `<${to}>; rel="next"`] } : {}, json: { data } });
  const land = cadastre({ base });
  answering(page([1, 2], "/cadastre/api/v1/query?limit=2&cursor=a"), page([3], "/cadastre/api/v1/query?limit=2&cursor=b"), page([4]));
  const rows = [];
  for await (const row of land.rows(land.query, { limit: 2 })) rows.push(row);
  assert.deepEqual(rows, [1, 2, 3, 4]);
  assert.deepEqual(asked.map((a) => a.url), ["/cadastre/api/v1/query?limit=2", "/cadastre/api/v1/query?limit=2&cursor=a", "/cadastre/api/v1/query?limit=2&cursor=b"]);
  answering(page([1], "/cadastre/api/v1/query?cursor=a"), page([2]));
  for await (const p of land.pages(land.query)) { assert.deepEqual(p.data, [1]); break; }
  assert.equal(asked.length, 1, "who stops asks no more");
  for (const bad of ["https://other.example/cadastre/api/v1/query", "/cadastre/api/v1/query?limit=1"]) {
    answering(page([1], bad));
    await assert.rejects(Array.fromAsync ? Array.fromAsync(land.pages(land.query, { limit: 1 })) : (async () => { for await (const _ of land.pages(land.query, { limit: 1 })); })(), { code: "bad_link" });
    assert.equal(asked.length, 1);
  }
  await assert.rejects(land.pages(land.spatialPoints, { body: {} }).next(), TypeError);
});

test("Link headers as they may be written", () => {
  for (const [header, want] of [
    ['</a>; rel="next"', "/a"], ["</a>;rel=next", "/a"], ['</l>; rel="license", </a?b=1,2>; title="x, y; rel=no"; rel="prev next"', "/a?b=1,2"], ['</a>; rel="prev"', ""], ["", ""], [null, ""], ["nonsense", ""], ['</a>; REL="NEXT"', "/a"], ['</a>; title="rel=\\"next\\""', ""],
  ]) assert.equal(next(header), want, String(header));
  const begun = performance.now();
  next(`<${"a".repeat(20_000)}`.repeat(3) + ";".repeat(20_000));
  assert.ok(performance.now() - begun < 2000, "a hostile header costs no time");
});

test("every operation is a method, each once", () => {
  for (const [make, { calls }] of [[cadastre, operations.cadastre], [context, operations.context]]) {
    const methods = make();
    assert.ok(Object.keys(calls).length > 25);
    for (const [name, call] of Object.entries(calls)) {
      assert.equal(typeof methods[name], "function");
      assert.match(call.method, /^(GET|POST|DELETE)$/);
      assert.match(call.path, /^\//);
      assert.ok(!["url", "pages", "rows"].includes(name), name);
    }
  }
});
