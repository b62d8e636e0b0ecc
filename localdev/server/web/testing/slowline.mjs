// What a first view of a page takes on a slow line: node testing/slowline.mjs http://127.0.0.1:8080 [/map] [1.6 Mbit/s] [150 ms]. Nothing
// is kept from before. Each answer stands with the moment of its end, its bytes as they are sent and the range that was asked for;
// the last lines sum the bytes and say when the map could be used and when its last tile was there. On a loaded machine the bytes and
// their order count, not the seconds.
import { chromium } from "playwright-core";

const [base, path = "/map", megabits = "1.6", latency = "150"] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.MAPPE_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.5, locale: "en-GB" });
const line = await page.context().newCDPSession(page), asked = new Map(), rows = [];
await line.send("Network.enable");
await line.send("Network.emulateNetworkConditions", { offline: false, latency: Number(latency), downloadThroughput: (Number(megabits) * 1e6) / 8, uploadThroughput: (Number(megabits) * 1e6) / 8 });
line.on("Network.requestWillBeSent", (e) => asked.set(e.requestId, { url: e.request.url, range: e.request.headers.Range ?? e.request.headers.range ?? "", from: e.timestamp }));
let begun;
line.on("Network.loadingFinished", (e) => {
  const a = asked.get(e.requestId);
  if (!a || !a.url.startsWith(base)) return;
  begun ??= a.from;
  rows.push({ ...a, at: e.timestamp, bytes: e.encodedDataLength });
});
await page.goto(base + path, { waitUntil: "commit" });
const ready = page.waitForFunction(() => document.body.dataset.ready === "true", null, { timeout: 120_000 }).then(() => Date.now(), () => 0);
const from = Date.now(), used = await ready;
await page.waitForLoadState("networkidle", { timeout: 120_000 });
await page.waitForTimeout(1500);
await page.waitForLoadState("networkidle", { timeout: 120_000 });
await browser.close();

let sum = 0;
const told = (what, r) => `${what} after ${(r.at - begun).toFixed(1)} s and ${r.sum} bytes`;
for (const r of rows.sort((a, b) => a.at - b.at)) {
  sum += r.bytes;
  r.sum = sum;
  console.log(`${(r.from - begun).toFixed(2).padStart(6)} ${(r.at - begun).toFixed(2).padStart(6)} s ${String(r.bytes).padStart(8)} ${r.url.slice(base.length)} ${r.range}`);
}
const last = rows.filter((r) => /\/national\/tiles\b/.test(r.url)).at(-1);
console.log(`${sum} bytes in ${rows.length} answers; ready ${used ? `${((used - from) / 1000).toFixed(1)} s after the page began` : "never"}`);
if (last) console.log(told("the last parcel tile", last));
