// On a phone a panel is a sheet at the lower edge that leaves the map visible. Its grip makes it low, half or high: a press goes to
// the next height, a finger pulls it to any.
import { element } from "./dom.js";
import { t } from "./words.js";

const heights = { low: 92, half: 0.42, high: 0.82 }; // px, then shares of the screen
const small = () => innerWidth <= 640;
const px = (name) => (heights[name] < 1 ? heights[name] * innerHeight : heights[name]);

/** nearest is the height that a pulled sheet comes to rest at. */
export const nearest = (h) => Object.keys(heights).reduce((a, b) => (Math.abs(px(b) - h) < Math.abs(px(a) - h) ? b : a));

function rest(sheet, name) {
  sheet.dataset.height = name;
  sheet.style.maxHeight = "";
}

/** grip is what a sheet is pulled by; it stands first in it. Elsewhere than on a phone it is not seen. */
export function grip(sheet) {
  const button = element("button", undefined, { type: "button", className: "grip" });
  button.setAttribute("aria-label", t("Make the sheet higher or lower"));
  sheet.dataset.height ??= "half";
  let from = 0, at = 0, pulled = false;
  button.addEventListener("pointerdown", (e) => {
    if (!small()) return;
    [from, at, pulled] = [e.clientY, sheet.getBoundingClientRect().height, false];
    button.setPointerCapture(e.pointerId);
  });
  button.addEventListener("pointermove", (e) => {
    if (!button.hasPointerCapture(e.pointerId)) return;
    if (Math.abs(e.clientY - from) > 6) pulled = true;
    if (pulled) sheet.style.maxHeight = sheet.style.height = `${Math.max(at + from - e.clientY, 60)}px`;
  });
  button.addEventListener("pointerup", (e) => {
    if (!button.hasPointerCapture(e.pointerId) || !pulled) return;
    sheet.style.height = "";
    rest(sheet, nearest(at + from - e.clientY));
  });
  button.addEventListener("click", () => {
    if (pulled) { pulled = false; return; }
    const all = Object.keys(heights);
    rest(sheet, all[(all.indexOf(sheet.dataset.height) + 1) % all.length]);
  });
  return button;
}

/** sheets gives panels that stand in the page their grips. */
export const sheets = (panels) => { for (const p of panels) p.prepend(grip(p)); };

/** keepInSight moves the map where a sheet would cover a place of it. */
export function keepInSight(map, sheet, at, duration) {
  if (!small()) return;
  const top = sheet.getBoundingClientRect().top, y = map.project(at).y, header = 150;
  if (y > top - 30) map.panBy([0, y - (header + top) / 2], { duration });
}
