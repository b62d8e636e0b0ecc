// An author at the book service's page in a real browser, for the tests: opening it, signing in, going to a
// part, and what every part has to keep to.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

export const base = process.env.MAPPE_URL;
const shots = process.env.MAPPE_SCREENSHOTS;
const executablePath = process.env.MAPPE_CHROMIUM ?? "/usr/bin/chromium-headless-shell";
export const project = process.env.MAPPE_BOOKS_PROJECT, token = process.env.MAPPE_BOOKS_TOKEN;
export const manuscript = process.env.MAPPE_BOOKS_MANUSCRIPT, large = process.env.MAPPE_BOOKS_LARGE; // Word files; the second above 4 MB
export const desktop = { width: 1280, height: 900 }, phone = { width: 390, height: 844 };
let browser;

export async function launch() {
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
}
export const quit = () => browser?.close();

export async function open(options) {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("console", (m) => { if (/Content Security Policy/.test(m.text())) errors.push(m.text()); });
  page.on("request", (r) => { if (!/^(blob|data):/.test(r.url()) && !r.url().startsWith(base)) errors.push(`asks ${r.url()}`); });
  page.on("dialog", (d) => d.accept());
  await page.goto(`${base}/books/#project=${project}`);
  await page.waitForFunction(() => document.body.dataset.ready === "true");
  return { page, context, errors };
}

export async function signIn(page) {
  await page.fill("#token", token);
  await page.press("#token", "Enter");
  await page.waitForFunction(() => document.body.dataset.signed === "true");
}

export const part = async (page, name) => {
  await page.click(`nav a[href="#${name}"]`);
  await page.waitForSelector(`#part-${name}:not([hidden])`);
};
export const shoot = async (page, name, fullPage = true) => { if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage }); };
export const fits = async (page, name) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} scrolls sideways`);
export const text = (page, selector) => page.innerText(selector);

// Every control has a name, every picture a description, every error is tied to its field.
export const accessible = async (page, name) => assert.deepEqual(await page.evaluate(() => {
  const wrong = [];
  for (const e of document.querySelectorAll("input, select, textarea, button, a[href], progress")) {
    if (!e.checkVisibility()) continue;
    const label = e.getAttribute("aria-label") || (e.labels && [...e.labels].map((l) => l.textContent).join("").trim()) || e.textContent.trim() ||
      (e.getAttribute("aria-labelledby") || "").split(" ").filter(Boolean).map((id) => document.getElementById(id)?.textContent).join("");
    if (!label) wrong.push(`${e.tagName} ${e.id} has no name`);
    for (const id of (e.getAttribute("aria-describedby") || "").split(" ").filter(Boolean)) if (!document.getElementById(id)) wrong.push(`${e.id} is described by ${id}, which is not there`);
  }
  for (const e of document.querySelectorAll("img")) if (!e.alt) wrong.push("a picture without a description");
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) wrong.push(`${id} stands there twice`);
  if (document.querySelectorAll("section.part:not([hidden]) h1").length > 1) wrong.push("two titles are seen");
  return wrong;
}), [], name);

// ---- the open book

export const seen = (page) => page.evaluate(() => [...document.querySelectorAll(".sheet[data-page]")].map((e) => e.dataset.page));
export const drawn = (page, n) => page.waitForFunction((n) => {
  const all = [...document.querySelectorAll(".sheet img")];
  return all.length === n && all.every((i) => i.complete && i.naturalWidth > 0);
}, n);
// inked says whether the first page in view has dark marks: more than 1 % of it.
export const inked = (page) => page.evaluate(() => {
  const i = document.querySelector(".sheet img"), c = document.createElement("canvas");
  c.width = 200;
  c.height = 300;
  const g = c.getContext("2d");
  g.drawImage(i, 0, 0, 200, 300);
  const p = g.getImageData(0, 0, 200, 300).data;
  let dark = 0;
  for (let k = 0; k < p.length; k += 4) dark += p[k] < 160 ? 1 : 0;
  return dark > 600;
});
