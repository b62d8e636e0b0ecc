// One Chromium for all the tests of a process: it takes a second of a processor to start, and keeps compiled what pages share.
import assert from "node:assert/strict";
import { after } from "node:test";
import { chromium } from "playwright-core";

export const base = process.env.MAPPE_URL;
let started;

/** browser is the Chromium, started by the first test that asks for it and ended after the last. */
export function browser() {
  assert.ok(base, "MAPPE_URL names the server to test");
  return started ??= chromium.launch({
    executablePath: process.env.MAPPE_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
}

after(async () => (await started)?.close());
