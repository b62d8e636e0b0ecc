// The landscape: an area, raster layers, a profile, analyses and what they found. A script of its own, loaded when the panel is
// opened for the first time, a file is dropped, or an address asks for it. This file puts the parts together.
import "../shared.js";
import { element, fold } from "../dom.js";
import { t } from "../words.js";
import "./words.js";
import { heightsAt } from "./ask.js";
import { areaPanel, mostM2 } from "./areapanel.js";
import { areaPartsPanel } from "./areaparts.js";
import { drawer } from "./draw.js";
import { oneStop } from "./onestop.js";
import { detailsOf, popup } from "./popup.js";
import { drawProfile } from "./profile.js";
import { dayOf, drawRasters, rasterPanel, rasterText } from "./rasters.js";
import { middle, resultMap } from "./resultmap.js";
import { resultView } from "./resultview.js";
import { along, boundsOf, lengthOf, lineIn, lineText } from "./shapes.js";
import { kinds } from "./shade.js";
import { taskPanel } from "./taskpanel.js";

const none = { type: "FeatureCollection", features: [] };
const outlinesFrom = 14; // the zoom from which parcels have outlines
const mostPlaces = 400, leastStep = 1; // of a profile: places along it, metres between two
const inks = { light: { line: "#7a1fa2", halo: "#ffffff" }, dark: { line: "#e8b4ff", halo: "#0b1012" } };

const feature = (geometry) => ({ type: "Feature", properties: {}, geometry });

// The sources of what is drawn, and how: the area, what is being drawn, the line of the profile and a place on it.
function addLayers(map, mode) {
  for (const id of ["land-area", "land-line", "land-draw", "land-place"]) if (!map.getSource(id)) map.addSource(id, { type: "geojson", data: none });
  const before = map.getLayer("houses") ? "houses" : undefined, shape = (type) => ["==", ["geometry-type"], type];
  const add = (layer) => { if (!map.getLayer(layer.id)) map.addLayer(layer, before); };
  add({ id: "land-area-halo", type: "line", source: "land-area", paint: { "line-width": 5, "line-opacity": 0.8 } });
  add({ id: "land-area-line", type: "line", source: "land-area", paint: { "line-width": 2.5, "line-dasharray": [3, 1.5] } });
  add({ id: "land-line-halo", type: "line", source: "land-line", paint: { "line-width": 6, "line-opacity": 0.8 } });
  add({ id: "land-line-line", type: "line", source: "land-line", paint: { "line-width": 3 } });
  add({ id: "land-draw-fill", type: "fill", source: "land-draw", filter: shape("Polygon"), paint: { "fill-opacity": 0.18 } });
  add({ id: "land-draw-line", type: "line", source: "land-draw", paint: { "line-width": 2 } });
  add({ id: "land-draw-corner", type: "circle", source: "land-draw", filter: shape("Point"), paint: { "circle-radius": 5, "circle-stroke-width": 1.5 } });
  add({ id: "land-place", type: "circle", source: "land-place", paint: { "circle-radius": 7, "circle-stroke-width": 2.5 } });
  const paint = () => {
    const c = inks[mode()];
    for (const id of ["land-area-line", "land-line-line", "land-draw-line"]) map.setPaintProperty(id, "line-color", c.line);
    for (const id of ["land-area-halo", "land-line-halo"]) map.setPaintProperty(id, "line-color", c.halo);
    map.setPaintProperty("land-draw-fill", "fill-color", c.line);
    for (const id of ["land-draw-corner", "land-place"]) { map.setPaintProperty(id, "circle-color", c.line); map.setPaintProperty(id, "circle-stroke-color", c.halo); }
  };
  paint();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
}

// The panel's parts; what is not of use yet is folded.
function partsOf(panel) {
  const status = element("p"), area = element("div"), within = element("div", undefined, { className: "within" }), rasters = element("div"), profile = element("div"), task = element("div"), file = element("div"), result = element("div", undefined, { className: "found" });
  status.setAttribute("role", "status");
  const folds = { within: fold(t("What lies in the area"), "", within), rasters: fold(t("Raster layers"), "", rasters), profile: fold(t("Profile"), "", profile), task: fold(t("Analysis"), "", task), file: fold(t("Objects of the area as a file"), "", file) };
  const all = element("p");
  all.append(element("a", t("The landscape of all KGs"), { href: "/national" }));
  folds.task.open = true;
  for (const [name, f] of Object.entries(folds)) f.dataset.part = name;
  panel.append(area, status, folds.within, folds.task, result, folds.file, folds.rasters, folds.profile, all);
  return { status, area, within, rasters, profile, task, file, result, folds };
}

/** landscape fills the panel. shapes are the outlines to pick from, maps the two maps under a slider, fit(box) goes somewhere,
 * current() is the open parcel, open(id) shows one, begin() is called before the slider is taken and free() after, takes() before the
 * map's clicks are. */
export function landscape({ map, panel, bar, mode, maps, shapes, fit, current, open: openParcel, begin, free, takes }) {
  addLayers(map, mode);
  const parts = partsOf(panel);
  let swiped = new AbortController(), rows = [], classes = [], analysis = null, line = null, profiling = new AbortController(), drawsLine = false;

  // say tells the reader; more keeps what is said and adds to it, link is a way on: {title, href}.
  const say = (text, inEnglish = false, { more = false, link = null } = {}) => {
    const said = element("span", text, { lang: inEnglish ? "en" : "" });
    if (link) said.append(" ", element("a", link.title, { href: link.href }));
    if (more && parts.status.textContent) parts.status.append(" ", said);
    else parts.status.replaceChildren(said);
  };
  const setData = (id, data) => map.getSource(id)?.setData(data);

  const drawing = drawer({
    map, source: "land-draw", step: () => {}, begun: takes,
    done: (shape) => { if (shape.line) endLine(shape.line); else areas.drawn(shape.polygon); },
    stop: () => { areas.quiet(); profileTools(); },
  });

  const areas = areaPanel({
    box: parts.area, drawer: drawing, bar, say, fit, current, shapes, takes,
    changed: (a) => { setData("land-area", a ? feature(a.geometry) : none); files.sized(); inside.changed(); if (!bar.get("task")) { tasks.stop(); begun(); } },
  });

  // pointed marks a parcel by its outline, and where the map is too far away for outlines by its place.
  const pointed = (p) => {
    map.setFilter("pointed", ["==", ["get", "parcel_id"], p?.parcel_id ?? ""]);
    setData("land-place", p && map.getZoom() < outlinesFrom ? feature({ type: "Point", coordinates: [p.lon, p.lat] }) : none);
  };
  const inside = areaPartsPanel({ box: parts.within, area: areas.area, most: mostM2, say, open: openParcel, point: pointed });
  parts.folds.within.addEventListener("toggle", () => {
    const { open: isOpen } = parts.folds.within;
    inside.show(isOpen);
    bar.set({ in: isOpen ? "1" : "" }, { push: (bar.get("in") === "1") !== isOpen });
  });

  const rasters = rasterPanel({ map, box: parts.rasters, say, changed: (shown) => { unswipe(); bar.set({ rasters: rasterText(shown), swipe: "" }, { push: true }); }, swipe: (kind, dates) => { bar.set({ swipe: `${kind}:${dates.join("-")}` }, { push: true }); compare(kind, dates); } });

  // ---- what an analysis found
  const drawn = resultMap({ map, mode });
  const details = popup(map, () => { drawn.choose(null); view.mark(-1); });
  const place = (row) => middle(row, analysis?.apex);
  const view = resultView({
    box: parts.result, mode, middle: place,
    open: (row) => openRow(row, true),
    point: (row) => setData("land-place", row ? feature({ type: "Point", coordinates: place(row) }) : none),
    hide: (hidden) => { drawn.hide(hidden); details.close(); },
    told: (ids) => bar.set({ hide: ids.join(",") }, { push: true }),
  });

  function openRow(row, fly) {
    drawn.choose(row.i);
    view.mark(row.i);
    setData("land-place", none);
    details.show(place(row), detailsOf(analysis, row, classes));
    const box = boundsOf(row.geometry.coordinates);
    if (fly) fit(box, { maxZoom: analysis.drawn === "crowns" ? 19 : 18 });
  }

  const hiddenIn = (members) => (members.hide ?? "").split(",").filter(Boolean);
  function clear() {
    details.close();
    drawn.clear();
    view.clear();
    setData("land-place", none);
    rows = [];
  }

  // begun is the panel as it is before an analysis: the form, and nothing that was found.
  function begun() {
    parts.folds.task.open = true;
    clear();
  }

  const tasks = taskPanel({
    box: parts.task, bar, say, area: areas.area, dates: (layer) => rasters.dates(layer), gone: begun,
    given: (polygons) => { areas.given(polygons); },
    found(of, all, of2, share) {
      [analysis, rows, classes] = [of, all, of2];
      drawn.draw(of, all, of2);
      view.show(of, all, of2, { hide: hiddenIn(bar.all()), share });
      parts.folds.task.open = false;
      if (innerWidth <= 640) parts.result.scrollIntoView({ block: "start" });
      if (!bar.get("map") && areas.area()) fit(boundsOf(areas.area().polygons));
    },
  });

  const files = oneStop({ box: parts.file, bar, say, area: areas.area });

  // ---- the profile
  const figure = element("div"), tools = element("p", undefined, { className: "tools" });
  parts.profile.append(tools, figure);
  function profileTools() {
    drawsLine = false;
    tools.replaceChildren(element("button", line ? t("Draw another line") : t("Draw a line"), { type: "button", name: "line", onclick: beginLine }));
    if (line) tools.append(element("button", t("Remove"), { type: "button", className: "quiet", onclick: () => { bar.set({ line: "" }, { push: true }); showLine(null); } }));
  }
  function beginLine() {
    areas.quiet();
    drawing.begin("line");
    drawsLine = true;
    tools.replaceChildren(element("span", t("Click along the line; press Enter or double click to end.")), " ",
      element("button", t("Done"), { type: "button", className: "quiet", onclick: () => { if (!drawing.finish()) say(t("A line has at least two places.")); } }),
      element("button", t("Cancel"), { type: "button", className: "quiet", onclick: () => { drawing.cancel(); profileTools(); } }));
  }
  function endLine(positions) {
    bar.set({ line: lineText(positions) }, { push: true });
    showLine(positions);
  }
  async function showLine(positions) {
    profiling.abort();
    profiling = new AbortController();
    const { signal } = profiling;
    line = positions;
    profileTools();
    setData("land-line", line ? feature({ type: "LineString", coordinates: line }) : none);
    setData("land-place", none);
    figure.replaceChildren();
    if (!line) return;
    parts.folds.profile.open = true;
    figure.append(element("p", t("Asking …")));
    try {
      const places = along(line, Math.max(2, Math.min(mostPlaces, Math.round(lengthOf(line) / leastStep) + 1)));
      const got = await heightsAt(places.map((p) => p.at), rasters.shown().hillshade?.dates[0] ?? "", signal);
      if (signal.aborted) return;
      const points = places.map((p, i) => ({ ...p, dtm: got.features[i].properties.dtm_m, dsm: got.features[i].properties.dsm_m }));
      drawProfile(figure, points, (at) => setData("land-place", at ? feature({ type: "Point", coordinates: at }) : none));
    } catch (e) {
      if (!signal.aborted) figure.replaceChildren(element("p", e.message, { lang: e.english ? "en" : "" }));
    }
  }
  profileTools();

  // ---- two dates under a slider
  const ending = element("p", undefined, { className: "swiping", hidden: true });
  parts.rasters.before(ending);
  async function compare(kind, dates) {
    swiped.abort();
    swiped = new AbortController();
    const { signal } = swiped, look = (d) => ({ [kind]: { opacity: 100, dates: [d] } });
    begin();
    const selects = dates.map((d, i) => {
      const s = element("select", undefined, { ariaLabel: [t("Earlier date"), t("Later date")][i] });
      s.append(...rasters.dates(kinds[kind].rasters[0]).map((v) => element("option", dayOf(v), { value: v, selected: v === d })));
      s.addEventListener("change", () => { const chosen = selects.map((x) => x.value); bar.set({ swipe: `${kind}:${chosen.join("-")}` }, { push: true }); compare(kind, chosen); });
      return s;
    });
    ending.replaceChildren(`${t(kinds[kind].title)}: `, ...selects, " ", element("button", t("End the comparison"), { type: "button", className: "quiet", name: "unswipe", onclick: () => { bar.set({ swipe: "" }, { push: true }); unswipe(); } }));
    ending.hidden = false;
    await maps.draw("rasters", dates.map((d) => ({ name: dayOf(d) })), signal, (other) => {
      drawRasters(other, look(dates[0]));
      drawRasters(map, look(dates[1]));
    });
  }
  function unswipe() {
    swiped.abort();
    ending.hidden = true;
    if (!maps.shows("rasters")) return;
    maps.clear();
    drawRasters(map, rasters.shown());
    free();
  }

  function restoreSwipe(text = "") {
    const m = /^(\w+):(\d{4,8})-(\d{4,8})$/.exec(text);
    if (m && Object.hasOwn(kinds, m[1]) && kinds[m[1]].dates === 1) { parts.folds.rasters.open = true; parts.folds.task.open = false; return compare(m[1], [m[2], m[3]]); }
    unswipe();
    return undefined;
  }

  // ---- the whole
  let opened = null;
  const open = () => {
    opened ??= rasters.open().then(() => Promise.all([tasks.open(), files.open()])).catch((e) => { opened = null; say(e.message, e.english); });
    return opened;
  };

  return {
    open,
    drop: areas.drop,
    /** fitted shows the area that is looked at whole. */
    fitted: () => { if (areas.area()) fit(boundsOf(areas.area().polygons)); },
    /** at says whether a click on the map was one of the landscape's: a corner, a pick, something that was found. */
    at({ point, lngLat }) {
      if (drawing.draws()) return true;
      if (areas.picks()) { areas.pick(lngLat); return true; }
      const i = rows.length ? drawn.at(point) : null;
      if (i === null) return false;
      openRow(rows[i], false);
      return true;
    },
    unswipe: () => { if (maps.shows("rasters")) bar.set({ swipe: "" }); unswipe(); },
    /** leave takes away what is drawn on top of everything, when the panel is closed. */
    leave() {
      drawing.cancel();
      areas.quiet();
      profileTools();
      details.close();
    },
    escape: () => { if (!details.open()) return false; details.close(); drawn.choose(null); view.mark(-1); return true; },
    /** restore shows what an address says; before are the members that were shown, {} for none. */
    async restore(now, before = {}) {
      await open();
      const changed = (name) => (now[name] ?? "") !== (before[name] ?? "");
      if (changed("rasters")) { rasters.restore(now.rasters); if (now.rasters) parts.folds.rasters.open = true; }
      if (changed("area")) await areas.restore(now.area);
      if (changed("in")) parts.folds.within.open = now.in === "1";
      if (changed("line")) showLine(now.line ? lineIn(now.line) : null);
      if (changed("swipe")) restoreSwipe(now.swipe);
      if (changed("task") || changed("ask")) await tasks.restore(now);
      if (changed("file")) { files.restore(now); if (now.file) parts.folds.file.open = true; }
      else if (changed("hide")) view.filter(hiddenIn(now));
    },
  };
}
