// Drawing on the map: a polygon or a line by its corners, a box by two of them, a circle by its middle and its edge. Taps do what
// clicks do; Enter or a double click ends, Backspace takes the last corner back, Escape gives up. Who moves the map with keys sets
// corners in its middle by Enter, and ends by Enter at the same place.
import { apart, circle, rectangle } from "./shapes.js";

const near = 12; // px: a click so near to the first corner closes the ring
const double = 350; // ms between the clicks of a double click
const none = { type: "FeatureCollection", features: [] };
const feature = (type, coordinates, properties = {}) => ({ type: "Feature", properties, geometry: { type, coordinates } });

const enough = { polygon: 3, line: 2, measure: 2 };

/** drawer draws into a source, or by draw(corners, pointer); done(shape) is told at the end, {polygon: rings} or {line: positions};
 * step(corners) after each corner, stop() when drawing is given up, begun() when it begins, before() when Backspace finds no corner.
 * Of a panel the keys are the drawer's, of those beside it they are not. The form "measure" is a line that may be closed. */
export function drawer({ map, source, done, step, stop, draw, panel, begun = () => {}, before = () => {} }) {
  const canvas = map.getCanvas();
  let form = "", corners = [], pointer = null, last = 0, byKeys = false;

  const shapes = () => {
    const all = pointer ? [...corners, pointer] : corners, features = corners.map((c) => feature("Point", c));
    if (form === "box" && all.length === 2) features.push(feature("Polygon", rectangle(...all)));
    else if (form === "circle" && all.length === 2) features.push(feature("Polygon", circle(all[0], apart(...all))), feature("LineString", all));
    else if (form === "polygon" && all.length > 2) features.push(feature("Polygon", [[...all, all[0]]]));
    if (all.length === 2 && form === "polygon" || form === "line" && all.length > 1) features.push(feature("LineString", all));
    return { type: "FeatureCollection", features };
  };
  const show = () => { if (draw) draw(corners, pointer); else map.getSource(source)?.setData(shapes()); };

  const off = () => {
    form = "";
    corners = [];
    pointer = null;
    if (!draw) map.getSource(source)?.setData(none);
    canvas.classList.remove("draws");
    setTimeout(() => { if (!form) map.doubleClickZoom.enable(); }, 500); // the double click that ended the line is no zoom
  };
  const end = (shape) => { off(); done(shape); };

  /** finish ends a polygon or line that has corners enough; false where it has not. */
  function finish(closed = form === "polygon") {
    if (!(corners.length >= (closed ? 3 : enough[form]))) return false;
    end(closed ? { polygon: [[...corners, corners[0]]] } : { line: corners });
    return true;
  }

  /** back takes the last corner away. */
  function back() {
    if (!corners.length) { before(); return; }
    corners.pop();
    show();
    step(corners);
  }

  const by = (corner, point) => corner && Math.hypot(map.project(corner).x - point.x, map.project(corner).y - point.y) < near;

  // set makes a place a corner; again says that it may be the second press of one that ended the line before.
  function set(lngLat, point, again) {
    const at = [lngLat.lng, lngLat.lat];
    if (corners.length >= 3 && ["polygon", "measure"].includes(form) && by(corners[0], point)) { finish(true); return; }
    if (again && by(corners.at(-1), point)) { finish(); return; }
    corners.push(at);
    pointer = null;
    if (corners.length === 2 && form === "box" && (corners[0][0] !== at[0] && corners[0][1] !== at[1])) end({ polygon: rectangle(...corners) });
    else if (corners.length === 2 && form === "circle") end({ polygon: circle(corners[0], Math.max(apart(...corners), 1)) });
    else { show(); step(corners); }
  }

  map.on("click", (e) => {
    if (!form) return;
    const again = e.originalEvent.timeStamp - last < double;
    last = e.originalEvent.timeStamp;
    byKeys = false;
    if (!again || corners.length) set(e.lngLat, e.point, again);
  });
  map.on("mousemove", (e) => {
    byKeys = false;
    if (!form || !corners.length) return;
    pointer = [e.lngLat.lng, e.lngLat.lat];
    show();
  });
  canvas.addEventListener("focus", () => { byKeys = canvas.matches(":focus-visible"); });

  // Keys count wherever the focus is, fields and other panels apart; what is drawn hears of them before the page does.
  addEventListener("keydown", (e) => {
    if (e.target === canvas && /^(Arrow|[-+=])/.test(e.key)) byKeys = true;
    if (!form || e.target.matches?.("input, select, textarea") || (panel && (e.target.closest?.("#side > section, #card") ?? panel) !== panel)) return;
    const middle = e.key === "Enter" && e.target === canvas && byKeys && canvas.matches(":focus-visible");
    if (middle) set(map.getCenter(), map.project(map.getCenter()), true);
    else if (e.key === "Enter" && corners.length && !e.target.matches?.("button")) finish();
    else if (e.key === "Backspace") back();
    else if (e.key === "Escape") { off(); stop(); }
    else return;
    e.preventDefault();
    e.stopPropagation();
  }, { capture: true });

  return {
    /** begin draws a form, from corners on that there are. */
    begin(what, from = []) {
      off();
      begun();
      form = what;
      corners = from;
      canvas.classList.add("draws");
      map.doubleClickZoom.disable();
      if (from.length) show();
      step(corners);
    },
    finish,
    back,
    cancel: off,
    draws: () => form !== "",
    /** ends says whether finish would end what is drawn. */
    ends: () => corners.length >= (enough[form] ?? Infinity),
  };
}
