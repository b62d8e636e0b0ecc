// Parts of an archive that are wanted together are read together, and each gets its own bytes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createServer } from "node:http";
import { arriving, joined, Ranges } from "../src/ranges.js";

const bytes = Uint8Array.from({ length: 1_000_000 }, (_, i) => (i * 31 + (i >> 8)) & 255);
const equal = (got, offset, length) => assert.deepEqual(Buffer.from(got.data), Buffer.from(bytes.slice(offset, offset + length)));

/** archive is a source over the bytes that notes what it was asked for. */
function archive(pause = 1) {
  const asked = [];
  const source = new Ranges("https://archive.example", { read: async (offset, length, signal) => {
    asked.push([offset, length]);
    await new Promise((done, failed) => { setTimeout(done, pause); signal?.addEventListener("abort", () => failed(signal.reason)); });
    if (offset >= bytes.length) throw new Error("beyond the end");
    return { data: bytes.slice(offset, offset + length).buffer, etag: '"a"' };
  } });
  return { source, asked };
}

test("parts are joined over small gaps, not over large ones, and not to large requests", () => {
  const groups = (...list) => joined(list.map(([offset, length]) => ({ offset, length }))).map((g) => [g.offset, g.end, g.parts.length]);
  assert.deepEqual(groups(), []);
  assert.deepEqual(groups([20_000, 10], [10, 10], [5_000, 10]), [[10, 5_010, 2], [20_000, 20_010, 1]]);
  assert.deepEqual(groups([0, 200_000], [200_000, 50_000], [250_000, 50_000]), [[0, 250_000, 2], [250_000, 300_000, 1]]);
  assert.deepEqual(groups([0, 900_000], [10, 10]), [[0, 900_000, 1], [10, 20, 1]]); // larger alone than a request for several
  assert.deepEqual(groups([100, 50], [110, 10], [100, 50]), [[100, 150, 3]]); // one within another, and one twice
});

test("each part has its bytes, in one request, and the beginning is asked for once", async () => {
  const { source, asked } = archive();
  equal(await source.getBytes(0, 16_384), 0, 16_384);
  const parts = [[700_000, 10], [20_000, 300], [20_300, 5_000], [300, 40], [16_000, 384], [16_380, 8]];
  for (const [i, got] of (await Promise.all(parts.map(([o, l]) => source.getBytes(o, l)))).entries()) equal(got, ...parts[i]);
  equal(await source.getBytes(0, 16_384), 0, 16_384);
  assert.deepEqual(asked, [[0, 16_384], [16_380, 8_920], [700_000, 10]]);
});

test("random parts have their bytes", async () => {
  let n = 7;
  const random = (most) => { n = (n * 48_271) % 2_147_483_647; return n % most; };
  const { source, asked } = archive();
  await source.getBytes(0, 16_384);
  const parts = Array.from({ length: 500 }, () => [1 + random(990_000), 1 + random(9_000)]);
  for (const [i, got] of (await Promise.all(parts.map(([o, l]) => source.getBytes(o, l)))).entries()) equal(got, ...parts[i]);
  assert.ok(asked.length < 20, `${asked.length} requests`);
});

test("who gives up is told so; the others have their bytes, and a request that nobody wants ends", async () => {
  const { source, asked } = archive(40);
  await source.getBytes(0, 16_384);
  const first = new AbortController(), second = new AbortController(), never = new AbortController();
  const a = source.getBytes(20_000, 10, first.signal), b = source.getBytes(20_010, 10), c = source.getBytes(500_000, 10, second.signal), d = source.getBytes(800_000, 10, never.signal);
  never.abort(new Error("not even asked"));
  await assert.rejects(d, /not even asked/);
  setTimeout(() => { first.abort(new Error("gone")); second.abort(new Error("gone, too")); }, 15);
  await assert.rejects(a, /gone/);
  await assert.rejects(c, /gone, too/);
  equal(await b, 20_010, 10);
  assert.equal(asked.length, 3);
  await assert.rejects(source.getBytes(20_000, 10, first.signal), /gone/);
});

test("a beginning that could not be read is asked for again, and a failure reaches all who wait", async () => {
  let fails = true;
  const source = new Ranges("https://archive.example", { read: async (offset, length) => { if (fails) throw new Error("no network"); return { data: bytes.slice(offset, offset + length).buffer }; } });
  await assert.rejects(source.getBytes(0, 16_384), /no network/);
  fails = false;
  equal(await source.getBytes(0, 16_384), 0, 16_384);
  fails = true;
  await Promise.all([20_000, 20_100].map((o) => assert.rejects(source.getBytes(o, 10), /no network/)));
});

test("what was asked for before it is wanted is not asked for again; what failed then is", async () => {
  const { source, asked } = archive(20);
  await source.getBytes(0, 16_384);
  await source.before(() => Promise.all([source.getBytes(20_000, 300), source.getBytes(20_300, 50), source.getBytes(2_000_000, 5).catch(() => {})]));
  assert.deepEqual(asked.slice(1), [[20_000, 350], [2_000_000, 5]]);
  equal(await source.getBytes(20_000, 300), 20_000, 300);
  equal(await source.getBytes(20_300, 50), 20_300, 50);
  assert.equal(asked.length, 3, "kept");
  structuredClone(1, { transfer: [(await source.getBytes(20_000, 300)).data] }); // who had it may give it away
  equal(await source.getBytes(20_000, 300), 20_000, 300);
  await assert.rejects(source.getBytes(2_000_000, 5), /beyond the end/);
  assert.deepEqual(asked.slice(3), [[2_000_000, 5]]);
  const early = source.before(() => source.getBytes(50_000, 10)); // wanted while it is on its way
  equal(await source.getBytes(50_000, 10), 50_000, 10);
  await early;
  assert.deepEqual(asked.slice(4), [[50_000, 10]]);
});

test("of several parts each is there with its last byte, while the rest is on its way", async (t) => {
  let more;
  const server = createServer((request, answer) => {
    if (request.url === "/whole") { answer.end("no ranges here"); return; }
    const [from, to] = request.headers.range.match(/\d+/g).map(Number);
    answer.writeHead(206, { "content-length": to + 1 - from });
    if (to - from < 1000) { answer.end(bytes.subarray(from, to + 1)); return; }
    answer.write(bytes.subarray(from, from + 700));
    more = () => answer.end(bytes.subarray(from + 700, to + 1));
  });
  t.after(() => server.close());
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${server.address().port}`, source = new Ranges(url);
  await source.getBytes(0, 127);
  const order = [], parts = [[21_000, 600], [20_000, 500], [20_500, 100]].map(([o, l]) => source.getBytes(o, l).then((got) => { order.push(o); equal(got, o, l); }));
  await Promise.all(parts.slice(1));
  assert.deepEqual(order, [20_000, 20_500]);
  more();
  await Promise.all(parts);
  assert.deepEqual(order, [20_000, 20_500, 21_000]);
  await assert.rejects(arriving(`${url}/whole`)(10, 5, undefined, () => {}), /content-length/);
});

test("a directory that reaches beyond what is asked for first is completed, and an archive may be smaller than that", async () => {
  const file = bytes.slice(0, 9_000), view = new DataView(file.buffer);
  for (const [directory, requests] of [[3_000, [[0, 2_048], [2_048, 1_079]]], [900, [[0, 2_048]]], [30_000, [[0, 2_048], [2_048, 14_336]]]]) {
    view.setBigUint64(8, 127n, true);
    view.setBigUint64(16, BigInt(directory), true);
    const asked = [];
    const source = new Ranges("https://archive.example", { front: 2_048, read: async (offset, length) => { asked.push([offset, length]); return { data: file.slice(offset, offset + length).buffer }; } });
    const got = await source.getBytes(0, 16_384), had = Math.min(file.length, Math.max(2_048, 127 + directory));
    assert.deepEqual(Buffer.from(got.data), Buffer.from(file.slice(0, had)));
    assert.deepEqual(asked, requests);
    assert.deepEqual(Buffer.from((await source.getBytes(200, 500)).data), Buffer.from(file.slice(200, 700)));
    assert.equal(asked.length, requests.length);
  }
  const small = new Ranges("https://archive.example", { front: 2_048, read: async (offset, length) => ({ data: file.slice(offset, Math.min(600, offset + length)).buffer }) });
  assert.equal((await small.getBytes(0, 16_384)).data.byteLength, 600);
});
