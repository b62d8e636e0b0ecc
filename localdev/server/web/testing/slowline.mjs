// What a first view of a page takes on a slow line: node testing/slowline.mjs http://127.0.0.1:8080 [/map] [1.6 Mbit/s] [150 ms]. Nothing
// is kept from before. The line is a proxy that lets so many bits a second through to the browser, all connections together, and
// delays each way by half the latency; so the workers' scripts are held to it as all else is. Each answer stands with the moment of its
// end, its bytes as they are sent and the range that was asked for; the last lines sum the bytes and say when the last tile was there and
// when the map was in use: all tiles in view are drawn, and the page has begun to answer its reader. On a loaded machine the bytes and
// their order count, not the seconds.
import { connect, createServer } from "node:net";
import { chromium } from "playwright-core";

const [base, path = "/map", megabits = "1.6", latency = "150"] = process.argv.slice(2);

/** slowLine listens for what is sent on to a server: {port, sent(), close()}. */
async function slowLine(server, bitsPerSecond, milliseconds) {
  const packet = 1460, { hostname, port } = new URL(server), waiting = [];
  let credit = 0, last = performance.now(), sent = 0;
  const pace = setInterval(() => { // one packet of each connection in turn, as fast as the line is
    const now = performance.now();
    credit = waiting.length ? Math.min(credit + ((now - last) * bitsPerSecond) / 8000, 20 * packet) : packet;
    last = now;
    while (waiting.length && credit > 0) {
      const one = waiting.shift(), part = one.bytes.subarray(0, packet);
      credit -= part.length;
      sent += part.length;
      one.send(part);
      one.bytes = one.bytes.subarray(packet);
      if (one.bytes.length) waiting.push(one); else one.done();
    }
  }, 2);
  const later = (socket, bytes) => setTimeout(() => { if (!socket.destroyed) socket.write(bytes); }, milliseconds / 2);
  const listening = createServer((browser) => {
    const origin = connect(Number(port), hostname);
    let open = false;
    setTimeout(() => { open = true; browser.resume(); }, milliseconds / 2); // the handshake before the first request
    browser.pause();
    browser.on("data", (bytes) => later(origin, bytes));
    origin.on("data", (bytes) => {
      origin.pause();
      waiting.push({ bytes, send: (part) => later(browser, part), done: () => origin.resume() });
    });
    for (const [a, b] of [[browser, origin], [origin, browser]]) {
      a.on("close", () => setTimeout(() => b.destroy(), open ? milliseconds : 0));
      a.on("error", () => b.destroy());
    }
  });
  await new Promise((done) => listening.listen(0, "127.0.0.1", done));
  return { port: listening.address().port, sent: () => sent, close: () => { clearInterval(pace); listening.close(); } };
}

const line = await slowLine(base, Number(megabits) * 1e6, Number(latency)), here = `http://127.0.0.1:${line.port}`;
const browser = await chromium.launch({
  executablePath: process.env.MAPPE_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.5, locale: "en-GB" });
const seen = await page.context().newCDPSession(page), asked = new Map(), rows = [];
await seen.send("Network.enable");
seen.on("Network.requestWillBeSent", (e) => asked.set(e.requestId, { url: e.request.url, range: e.request.headers.Range ?? e.request.headers.range ?? "", from: e.timestamp }));
let begun;
seen.on("Network.loadingFinished", (e) => {
  const a = asked.get(e.requestId);
  if (!a || !a.url.startsWith(here)) return;
  begun ??= a.from;
  rows.push({ ...a, at: e.timestamp, bytes: e.encodedDataLength });
});
const from = Date.now();
await page.goto(here + path, { waitUntil: "commit" });
const used = await page.waitForFunction(() => document.body.dataset.ready === "true", null, { timeout: 120_000, polling: 20 }).then(() => Date.now(), () => 0);
const until = line.sent();
await page.waitForLoadState("networkidle", { timeout: 120_000 });
await page.waitForTimeout(1500);
await page.waitForLoadState("networkidle", { timeout: 120_000 });
await browser.close();
line.close();

let sum = 0;
for (const r of rows.sort((a, b) => a.at - b.at)) {
  sum += r.bytes;
  r.sum = sum;
  console.log(`${(r.from - begun).toFixed(2).padStart(6)} ${(r.at - begun).toFixed(2).padStart(6)} s ${String(r.bytes).padStart(8)} ${r.url.slice(here.length)} ${r.range}`);
}
const tile = rows.filter((r) => /\/national\/tiles\b/.test(r.url)).at(-1);
console.log(`${sum} bytes in ${rows.length} answers of the page, ${line.sent()} over the line, workers and headers among them`);
if (tile) console.log(`the last parcel tile after ${(tile.at - begun).toFixed(1)} s and ${tile.sum} bytes`);
console.log(used ? `drawn and in use after ${((used - from) / 1000).toFixed(2)} s and ${until} bytes over the line` : "never in use");
