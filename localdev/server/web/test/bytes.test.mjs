// What a first view of a page takes over the network, as it is sent: files compressed, tiles as the store has them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, blank, desktop, idle } from "../testing/map.mjs";

/** loaded opens a page with nothing kept, and gives the bytes of each answer. */
async function loaded(path, ready) {
  const page = await blank(desktop), finished = [];
  page.on("requestfinished", (r) => { if (r.url().startsWith(base)) finished.push(r); });
  await page.goto(base + path);
  await ready(page);
  await page.waitForLoadState("networkidle");
  const rows = await Promise.all(finished.map(async (r) => {
    const headers = (await r.response()).headers(), { responseBodySize } = await r.sizes();
    // The browser counts nothing of a worker's script: its length is what the server says.
    return {
      path: r.url().slice(base.length), range: r.headers().range ?? "", forGood: /immutable/.test(headers["cache-control"]),
      bytes: Math.max(responseBodySize, Number(headers["content-length"] ?? 0)), coding: headers["content-encoding"],
    };
  }));
  await page.close();
  // What is kept for good and asked for again, as the map library by its worker, does not leave the browser.
  return rows.filter((r, i) => !r.forGood || rows.findIndex((o) => o.path === r.path && o.range === r.range) === i);
}

const sum = (rows) => rows.reduce((n, r) => n + r.bytes, 0);
const mapReady = async (page) => {
  await page.waitForFunction(() => document.body.dataset.ready === "true", null, { timeout: 60_000 });
  await idle(page);
};

for (const { path, most, ready = () => {} } of [{ path: "/map", most: 600_000, ready: mapReady }, { path: "/tables", most: 60_000 }, { path: "/download", most: 60_000 }]) {
  test(`the files of ${path} are sent compressed, at most ${most} bytes for a first view`, async (t) => {
    const rows = await loaded(path, ready);
    const files = rows.filter((r) => r.path === path || r.path.startsWith("/map/") && !r.path.endsWith("background.json")); // that one is some bytes
    t.diagnostic(`${sum(files)} bytes in ${files.length} files; all together ${sum(rows)} in ${rows.length} answers`);
    for (const r of files) assert.equal(r.coding, "br", r.path);
    assert.ok(files.length > 2 && sum(files) <= most, `${sum(files)} bytes: ${files.map((r) => `${r.path} ${r.bytes}`)}`);
  });
}

test("a first view of the map takes at most 1.2 MB and 20 requests", async (t) => {
  const rows = await loaded("/map", mapReady);
  t.diagnostic(`${sum(rows)} bytes in ${rows.length} answers`);
  assert.ok(rows.some((r) => r.path.includes("tiles")), "tiles are counted");
  assert.ok(sum(rows) <= 1_200_000 && rows.length <= 20, rows.map((r) => `${r.path} ${r.bytes}`).join("\n"));
});
