// What the tests of the map page share: a browser on a running server (MAPPE_URL), pages that notice every error,
// the country as its services tell it.
import { base, browser } from "./browser.mjs";

export { base, browser };
const shots = process.env.MAPPE_SCREENSHOTS;

// A processor draws the map here, and takes half a second for a frame at full size, two thirds of it for lines and the
// shaded relief. No test looks at pixels: unless pictures are taken, pages are drawn at half their width and height, and
// at most eight frames a second.
const framePause = 125;
const fewFrames = (pause) => {
  const frame = window.requestAnimationFrame.bind(window), cancel = window.cancelAnimationFrame.bind(window), waiting = new Map();
  let next = 0;
  window.requestAnimationFrame = (then) => {
    const id = ++next;
    waiting.set(id, { timer: setTimeout(() => { waiting.get(id).frame = frame((t) => { waiting.delete(id); then(t); }); }, pause) });
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    const w = waiting.get(id);
    if (!w) return;
    clearTimeout(w.timer);
    if (w.frame) cancel(w.frame);
    waiting.delete(id);
  };
};

// What is drawn is looked at by no test but that of the picture: triangles are given up where they would be filled,
// which is nearly all of a frame. Places, features under the pointer and loaded tiles are the map's own knowledge.
const drawNothing = () => {
  for (const gl of [WebGLRenderingContext.prototype, WebGL2RenderingContext.prototype]) gl.drawElements = gl.drawArrays = () => {};
};

/** blank is a page that is open nowhere yet; it draws little, as said above. */
export async function blank(viewport, { drawn, ...options } = {}) {
  const page = await (await browser()).newPage({ viewport, locale: "en-GB", deviceScaleFactor: shots ? 1 : 0.5, reducedMotion: shots ? null : "reduce", ...options });
  if (!shots) await page.addInitScript(fewFrames, framePause);
  if (!shots && !drawn) await page.addInitScript(drawNothing);
  return page;
}

export async function open(path, viewport, options) {
  const page = await blank(viewport, options);
  const errors = [];
  page.on("console", (m) => { if (/Content Security Policy/.test(m.text())) errors.push(m.text()); });
  page.on("request", (r) => { if (!/^(blob|data):/.test(r.url()) && !r.url().startsWith(base)) errors.push(`asks ${r.url()}`); });
  page.on("pageerror", (e) => errors.push(e.message));
  // A map that moves on gives up tiles it no longer needs: an abort is its own doing.
  page.on("requestfailed", (r) => { if (r.failure()?.errorText !== "net::ERR_ABORTED") errors.push(`${r.url()}: ${r.failure()?.errorText}`); });
  await page.goto(base + path);
  await page.waitForFunction(() => document.body.dataset.ready === "true" && document.body.dataset.named !== "false", null, { timeout: 60_000 });
  return { page, errors };
}

export const shoot = async (page, name) => { if (shots) await page.screenshot({ path: `${shots}/${name}.png` }); };
export const idle = (page) => page.evaluate(() => new Promise((done) => { const m = window.mappe.map; if (m.areTilesLoaded()) done(); else m.once("idle", done); }));

/** A parcel of the country, from the API: where the test clicks. */
export async function someParcel() {
  const kgs = await (await fetch(`${base}/context/api/v1/kgs`)).json();
  const [west, south, east, north] = kgs.data.kgs[0].bbox;
  const query = new URLSearchParams({ west, south, east, north, has_buildings: "true", limit: "1" });
  const answer = await (await fetch(`${base}/cadastre/api/v1/spatial/bbox?${query}`)).json();
  return answer.data[0];
}

export const desktop = { width: 1280, height: 800 }, phone = { width: 390, height: 844 };

/** covered names what lies over the middle of an element, "" where it is seen itself. */
export const covered = (page, selector) => page.evaluate((selector) => {
  const e = document.querySelector(selector), box = e.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + Math.min(box.width / 2, 60), box.top + box.height / 2);
  return top && (e === top || e.contains(top)) ? "" : `${top?.tagName}#${top?.id}`;
}, selector);
