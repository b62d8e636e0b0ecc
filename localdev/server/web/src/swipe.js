// Two maps of the same ground under a slider: the earlier state on the left, a map of its own above the page's and cut
// off at the slider; it follows the page's map, which is the later state. What is drawn goes into a source that both have.
import { t } from "./words.js";

const thumb = 28; // px, the width of the slider's thumb (map.css)
const credits = 24; // px at the lower edge that stay the page's map's: the credits stand there
const none = { type: "FeatureCollection", features: [] };
const present = ["landuse", "footprints", "houses", "numbers"]; // known of the present only: not drawn beside an earlier version

// slide wires the slider and its line; it gives a function that cuts at where the slider stands.
function slide({ box, slider, divider, earlier, said }) {
  const cut = () => {
    const x = thumb / 2 + (slider.value / 100) * (box.clientWidth - thumb);
    divider.style.left = `${x}px`;
    earlier.style.clipPath = `inset(0 ${Math.max(box.clientWidth - x, 0)}px ${credits}px 0)`;
    slider.setAttribute("aria-valuetext", said(slider.value));
  };
  slider.addEventListener("input", cut);
  addEventListener("resize", cut);
  divider.addEventListener("pointerdown", (e) => { e.preventDefault(); divider.setPointerCapture(e.pointerId); });
  divider.addEventListener("pointermove", (e) => {
    if (!divider.hasPointerCapture(e.pointerId)) return;
    slider.value = (100 * (e.clientX - thumb / 2)) / (box.clientWidth - thumb);
    cut();
  });
  return cut;
}

/** swipeView wires the two maps. second(container) makes the one of the earlier state. */
export function swipeView({ map, box, second }) {
  const divider = box.querySelector(".divider"), earlier = box.querySelector(".earlier");
  const [before, after] = [".before", ".after"].map((s) => divider.querySelector(s));
  let other = null, loaded = null, source = "";
  const cut = slide({ box, divider, earlier, slider: box.querySelector("input"), said: (share) => t("{share} % {from}, the rest {to}", { share, from: before.textContent, to: after.textContent }) });
  const maps = () => [map, other].filter(Boolean);
  const follow = () => other?.jumpTo({ center: map.getCenter(), zoom: map.getZoom() });
  const show = (visible) => { for (const m of maps()) for (const id of present) m.setLayoutProperty(id, "visibility", visible ? "visible" : "none"); };
  const point = (ids) => { for (const m of maps()) if (m.getLayer("compared-pointed")) m.setFilter("compared-pointed", ["in", ["get", "parcel_id"], ["literal", ids]]); };

  /** draw shows two collections, {name, data} each, in a source; ready(map) is told of the earlier map before, and may draw
   * what is no collection. false where it was stopped before. */
  async function draw(into, [a, b], signal, ready = () => {}) {
    source = into;
    box.hidden = false;
    box.dataset.of = into;
    if (!other) {
      other = second(earlier);
      map.on("move", follow);
      loaded = new Promise((done) => other.once("load", done));
    }
    await loaded;
    if (signal.aborted || !other) return false;
    ready(other);
    follow();
    show(false);
    if (a.data) other.getSource(source).setData(a.data);
    if (b.data) map.getSource(source).setData(b.data);
    before.textContent = a.name;
    after.textContent = b.name;
    cut();
    return true;
  }

  /** clear takes both states off the map. */
  function clear() {
    box.hidden = true;
    map.off("move", follow);
    other?.remove();
    other = null;
    earlier.replaceChildren();
    map.getSource(source)?.setData(none);
    source = "";
    point([]);
    show(true);
  }

  return { draw, clear, point, maps, shows: (what) => source === what, hide: () => { box.hidden = true; }, mapAt: (x) => (other && x < divider.getBoundingClientRect().left + divider.clientWidth / 2 ? other : map) };
}
