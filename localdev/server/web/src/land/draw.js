// Drawing on the map: a polygon or a line by its corners, a box by two of them, a circle by its middle and its edge. Taps do what
// clicks do; Enter or a double click ends, Backspace takes the last corner back, Escape gives up.
import { apart, circle, rectangle } from "./shapes.js";

const near = 12; // px: a click so near to the first corner closes the ring
const none = { type: "FeatureCollection", features: [] };
const feature = (type, coordinates, properties = {}) => ({ type: "Feature", properties, geometry: { type, coordinates } });

const enough = { polygon: 3, line: 2 };

/** drawer draws into a source; done(shape) is told at the end, {polygon: rings} or {line: positions}; step(corners) after each
 * corner, stop() when drawing is given up. */
export function drawer({ map, source, done, step, stop }) {
  let form = "", corners = [], pointer = null, last = 0;

  const show = () => {
    const all = pointer ? [...corners, pointer] : corners, features = corners.map((c) => feature("Point", c));
    if (form === "box" && all.length === 2) features.push(feature("Polygon", rectangle(...all)));
    else if (form === "circle" && all.length === 2) features.push(feature("Polygon", circle(all[0], apart(...all))), feature("LineString", all));
    else if (form === "polygon" && all.length > 2) features.push(feature("Polygon", [[...all, all[0]]]));
    if (all.length === 2 && form === "polygon" || form === "line" && all.length > 1) features.push(feature("LineString", all));
    map.getSource(source)?.setData({ type: "FeatureCollection", features });
  };

  const off = () => {
    form = "";
    corners = [];
    pointer = null;
    map.getSource(source)?.setData(none);
    map.getCanvas().style.cursor = "";
    setTimeout(() => { if (!form) map.doubleClickZoom.enable(); }, 500); // the double click that ended the line is no zoom
  };
  const end = (shape) => { off(); done(shape); };

  /** finish ends a polygon or line that has corners enough; false where it has not. */
  function finish() {
    if (!(corners.length >= enough[form])) return false;
    end(form === "line" ? { line: corners } : { polygon: [[...corners, corners[0]]] });
    return true;
  }

  const close = (point) => corners.length >= 3 && form === "polygon" && Math.hypot(map.project(corners[0]).x - point.x, map.project(corners[0]).y - point.y) < near;

  map.on("click", (e) => {
    if (!form) return;
    const at = [e.lngLat.lng, e.lngLat.lat], double = e.originalEvent.timeStamp - last < 350;
    last = e.originalEvent.timeStamp;
    if (close(e.point)) { finish(); return; }
    const before = corners.at(-1);
    if (double && before && Math.hypot(map.project(before).x - e.point.x, map.project(before).y - e.point.y) < near) { finish(); return; }
    corners.push(at);
    pointer = null;
    if (corners.length === 2 && form === "box" && (corners[0][0] !== at[0] && corners[0][1] !== at[1])) end({ polygon: rectangle(...corners) });
    else if (corners.length === 2 && form === "circle") end({ polygon: circle(corners[0], Math.max(apart(...corners), 1)) });
    else { show(); step(corners.length); }
  });
  map.on("mousemove", (e) => {
    if (!form || !corners.length) return;
    pointer = [e.lngLat.lng, e.lngLat.lat];
    show();
  });

  // Keys count wherever the focus is, fields apart; what is drawn hears of them before the page does.
  addEventListener("keydown", (e) => {
    if (!form || e.target.matches?.("input, select, textarea")) return;
    if (e.key === "Enter" && corners.length && !e.target.matches?.("button")) finish();
    else if (e.key === "Backspace") { corners.pop(); show(); step(corners.length); }
    else if (e.key === "Escape") { off(); stop(); }
    else return;
    e.preventDefault();
    e.stopPropagation();
  }, { capture: true });

  return {
    begin(what) {
      off();
      form = what;
      map.getCanvas().style.cursor = "crosshair";
      map.doubleClickZoom.disable();
      step(0);
    },
    finish,
    cancel: off,
    draws: () => form !== "",
    /** ends says whether finish would end what is drawn. */
    ends: () => corners.length >= (enough[form] ?? Infinity),
  };
}
