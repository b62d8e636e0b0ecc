import { GeolocateControl, Map as MapLibre, NavigationControl, ScaleControl } from "maplibre-gl";
import { addressBar, legendState } from "./address.js";
import { Addresses, houses, streets } from "./addresses.js";
import { archiveOf, credits, escaped, openTiles } from "./archive.js";
import { archives, describe, relief } from "./base.js";
import { cellChanges, cellsIn, changesOf, chunkOf, chunksIn, districtPrices, kgShape, overlayItems, parcelAt, parcelDetails, parcelGeometry, parcelsOf, priceYear, pricesOf, queryFile, queryParcels, versionsOf, municipalityAt, municipalityShape, protectedAt, protectedShape, siteShape } from "./api.js";
import { analysedSwitches, kind as analysedKind } from "./analysed.js";
import { availableAreas, renderArea } from "./available.js";
import { backgroundSwitch, readBackground } from "./background.js";
import { areaButton, renderCard, renderPlace } from "./card.js";
import { detailsOf, renderCell } from "./cellcard.js";
import { cellSwitch } from "./cells.js";
import { compareView } from "./compare.js";
import { filterPanel, unreadable } from "./filter.js";
import { Finder } from "./finder.js";
import { archiveUnder, begun, firstView, parcelIn, viewIn, viewText } from "./first.js";
import { inView } from "./inview.js";
import { landscapePanel } from "./landscape.js";
import { measurePanel } from "./measure.js";
import { overlaySwitches } from "./overlays.js";
import { classes } from "./palette.js";
import { loadPlaces } from "./places.js";
import { priceSwitch } from "./prices.js";
import { searchField } from "./search.js";
import "./shared.js";
import { keepInSight, sheets } from "./sheet.js";
import { repaint, style } from "./style.js";
import { surroundings } from "./surroundings.js";
import { swipeView } from "./swipe.js";
import { translate } from "./translate.js";
import { t } from "./words.js";

// What is loaded later takes from here what both have in common.
export * from "./api.js";
export * from "./archive.js";
export * from "./crs.js";
export * from "./dom.js";
export * from "./land/ask.js";
export * from "./uses.js";
export * from "./words.js";

const $ = (id) => document.getElementById(id);
const card = $("card"), message = $("message"), input = $("q");
const say = (text) => { message.textContent = text; };
const dark = matchMedia("(prefers-color-scheme: dark)");
const mode = () => (dark.matches ? "dark" : "light");
const addressZoom = 15.6; // house numbers and streets are drawn from here

function legend() {
  $("uses").replaceChildren(...classes.map((c) => {
    const li = document.createElement("li"), box = document.createElement("i");
    box.style.background = c[mode()];
    li.append(box, t(c.name));
    return li;
  }));
}

// baseOf are the sources of the base map that the pointer names; opened are the archives that are read already.
function baseOf(pointer, opened) {
  const sources = {};
  for (const [kind, source] of Object.entries(archives)) {
    const { key, bytes } = pointer.artefacts?.[kind] ?? {};
    if (!key) continue;
    const { url } = archiveOf(key, { describe: (metadata) => describe(metadata, escaped), archive: opened[kind] ?? archiveUnder(key, bytes) });
    sources[kind] = source.maxzoom ? { ...source, tiles: [`${url}/{z}/{x}/{y}`] } : { ...source, url };
  }
  return sources;
}

function boundsOf(geometry) {
  const box = [180, 90, -180, -90];
  const walk = (c) => (typeof c[0] === "number"
    ? [box[0], box[1], box[2], box[3]] = [Math.min(box[0], c[0]), Math.min(box[1], c[1]), Math.max(box[2], c[0]), Math.max(box[3], c[1])]
    : c.forEach(walk));
  walk(geometry.coordinates);
  return box;
}

const idFromPath = () => parcelIn(location.pathname);

const address = (id) => `/p/${encodeURIComponent(id)}`;
const wide = () => innerWidth > 640;
// beside is where the map is free of the panels, which are wider with a table.
const beside = () => Math.max(400, $("filter").getBoundingClientRect().right + 20);
const padding = () => (wide() ? { left: beside(), top: 60, right: 60, bottom: 60 } : { left: 30, right: 30, top: 110, bottom: innerHeight * 0.5 });
const pace = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 700);

const shade = "base-relief";

function createMap(tiles, view) {
  const { [shade]: _, ...base } = tiles.base; // parcels come before the shade of the terrain
  const map = new MapLibre({
    container: "map",
    style: style(tiles.url, credits(tiles), mode(), base),
    ...firstView(tiles.header),
    ...view,
    maxZoom: 20,
    attributionControl: { compact: false },
    dragRotate: false,
    locale: {
      "Map.Title": t("Map of parcels"), "NavigationControl.ZoomIn": t("Zoom in"), "NavigationControl.ZoomOut": t("Zoom out"),
      "GeolocateControl.FindMyLocation": t("Where I am"), "GeolocateControl.LocationNotAvailable": t("Where you are is not known"),
    },
  });
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.addControl(locate(), "top-right");
  map.addControl(new ScaleControl(), "bottom-right");
  map.on("error", (e) => say(e.sourceId === "background" ? t("The background cannot be loaded.") : e.error?.message ?? t("the map could not be drawn")));
  map.getCanvas().setAttribute("aria-describedby", "keys");
  dark.addEventListener("change", () => { repaint(map, mode()); legend(); });
  return map;
}

/** locate shows where the reader is, as the browser says it once it was allowed to; the place is sent nowhere. */
function locate() {
  const control = new GeolocateControl({ positionOptions: { enableHighAccuracy: true, timeout: 15_000 }, fitBoundsOptions: { maxZoom: 17 }, trackUserLocation: false });
  control.on("error", (e) => say(e.code === 1 ? t("The browser does not tell this page where you are.") : t("Where you are is not known")));
  return control;
}

const boxOf = (map) => map.getBounds().toArray().flat();

/** drawAddresses keeps house numbers and street names to what is in view. */
function drawAddresses(map, addresses) {
  let turn = 0;
  const draw = async () => {
    if (map.getZoom() < addressZoom) return;
    const mine = ++turn;
    const rows = await addresses.inView(boxOf(map)).catch(() => null); // the map is whole without them; a search says what fails
    if (mine !== turn || !rows) return;
    map.getSource("addresses").setData(houses(rows));
    map.getSource("streets").setData(streets(rows));
  };
  map.on("moveend", draw);
  return draw();
}

async function start() {
  translate();
  legend();
  if (wide()) $("legend").open = innerHeight > 700;
  const named = readBackground().catch(() => null); // the map is whole without one
  const bar = addressBar({ location, history, window }), view = viewIn(bar.get("map")), served = await openTiles(begun);
  const tiles = { ...served, base: baseOf(served.pointer, served.base) };
  const map = createMap(tiles, view);
  const addresses = new Addresses(), loaded = new Promise((done) => map.once("load", done));

  const mark = (geometry) => map.getSource("chosen")?.setData(geometry ? { type: "Feature", properties: {}, geometry } : { type: "FeatureCollection", features: [] });
  // Every action of the reader has a number, closing too: the answer to an action that is not the latest is not shown.
  let latest = 0, back = null, list = null, compare = null, colours = null, cells = null, leaving = false;
  const around = surroundings({ map }), swipe = swipeOf(map, tiles);
  const attempt = async (work) => {
    const turn = ++latest;
    try { await work(turn); } catch (e) { if (turn === latest) say(e.message); }
  };
  const title = document.title;
  // away takes what was chosen out of the address; of a place without a parcel the address keeps where it is.
  const away = (at) => {
    bar.go(idFromPath() ? "/map" : location.pathname + location.search, { change: { at: at ? `${at.lat.toFixed(6)},${at.lng.toFixed(6)}` : "" } });
  };
  const close = () => {
    latest++;
    around.clear();
    document.title = title;
    const focused = card.contains(document.activeElement);
    card.hidden = true;
    delete card.dataset.parcel;
    delete card.dataset.cell;
    mark(null);
    away();
    const from = list?.entry(back?.dataset?.parcel) ?? back; // the list may have been drawn anew
    if (focused) (from?.isConnected && from.checkVisibility() ? from : map.getCanvas()).focus();
  };

  const enter = () => { if (!card.contains(document.activeElement)) back = document.activeElement; };

  async function show(turn, id, { fly, push = true, focus = false, at }) {
    const row = await parcelGeometry(id);
    if (turn !== latest) return;
    if (!row) { say(t("no parcel has the id {id}", { id })); return; }
    leaving = true;
    compare?.close();
    leaving = false;
    const details = await parcelDetails(row);
    if (turn !== latest) return;
    say("");
    input.value = row.parcel_id;
    mark(row.geometry);
    enter();
    renderCard(card, details, close);
    const { parcel } = details;
    around.show(card, at ?? { lng: parcel.inside_lon ?? parcel.lon, lat: parcel.inside_lat ?? parcel.lat }, parcel);
    if (focus) $("card-title").focus();
    document.title = `${t("Parcel {gnr}", { gnr: row.parcel_id })}: Mappe`;
    if (push) bar.go(address(row.parcel_id), { change: { at: "" } });
    if (!fly && at) keepInSight(map, card, at, pace());
    if (fly) map.fitBounds(boundsOf(row.geometry), { padding: padding(), maxZoom: 18, duration: pace() });
  }

  // A place in no parcel has a card of what surrounds it.
  function showPlace(at, focus) {
    say("");
    input.value = "";
    mark({ type: "Point", coordinates: [at.lng, at.lat] });
    enter();
    renderPlace(card, at, close);
    around.show(card, at, null);
    document.title = title;
    if (focus) $("card-title").focus();
    away(at);
    keepInSight(map, card, at, pace());
  }

  // A cell that is drawn has a card of its own.
  async function showCell(turn, found, focus, at) {
    const [details, p] = await Promise.all([detailsOf(found), places.catch(() => null)]);
    if (turn !== latest) return;
    say("");
    input.value = "";
    around.clear();
    mark(found.hex.outline(found.cell));
    enter();
    renderCell(card, details, { mode: mode(), kgName: (code) => p?.kg(code)?.kg_name ?? "", onClose: close });
    document.title = title;
    if (focus) $("card-title").focus();
    away(at);
  }

  // At zooms without parcels a municipality or a district has a card.
  function showArea(area, names, focus, at) {
    say("");
    input.value = "";
    around.clear();
    mark(null);
    enter();
    renderArea(card, area, { kgs: areas.kgsOf(area), places: names, go: (box) => map.fitBounds(box, { padding: padding(), maxZoom: 15, duration: pace() }), onClose: close });
    document.title = title;
    if (focus) $("card-title").focus();
    away(at);
  }

  const openAt = (at, focus) => attempt(async (turn) => {
    const cell = cells?.at(at);
    if (cell) { await showCell(turn, cell, focus, at); return; }
    const area = await areas.at(at);
    if (turn !== latest) return;
    if (area) { const names = await places; if (turn === latest) showArea(area, names, focus, at); return; }
    const id = await parcelAt(at);
    if (turn !== latest) return;
    if (id) await show(turn, id, { fly: false, focus, at });
    else showPlace(at, focus);
  });

  map.on("click", (e) => { if (!measure.takes() && !land.at(e) && !compare?.at(e.point) && !found?.at(e.point, e.lngLat)) openAt(e.lngLat, false); });
  map.getCanvas().addEventListener("keydown", (e) => {
    const lngLat = map.getCenter(), point = map.project(lngLat);
    if (e.key === "Enter" && !measure.takes() && !land.at({ point, lngLat }) && !compare?.at(point) && !found?.at(point, lngLat)) openAt(lngLat, true);
  });
  map.on("mousemove", "parcels", () => { map.getCanvas().style.cursor = "pointer"; });
  map.on("mouseleave", "parcels", () => { map.getCanvas().style.cursor = ""; });

  // The names of the country are as many bytes as the tiles in view. They come when those are drawn, or when somebody looks for one.
  document.body.dataset.named = "false";
  const places = new Promise((done) => { map.once("load", done); input.addEventListener("focus", done, { once: true }); }).then(() => loadPlaces(tiles.pointer));
  const areas = availableAreas({ map, mode, pointer: tiles.pointer, places, box: $("available"), say });
  const finder = places.then((p) => new Finder({ places: p, addresses, view: () => ({ box: boxOf(map), kg: card.dataset.parcel?.slice(0, 5) ?? kgInMiddle(map) }) }));
  searchField({
    form: $("search"), input, list: $("suggestions"), say,
    fail: (e) => say(e.message),
    suggest: async (text) => (await finder).suggest(text),
    choose: (s) => {
      say("");
      if (s.parcel) { attempt((turn) => show(turn, s.parcel, { fly: true })); return; }
      close();
      if (s.kind === "position") openAt({ lng: s.at[0], lat: s.at[1] }, false);
      if (s.area) message.replaceChildren(`${s.title} `, areaButton(s.area, t("What lies in it")));
      if (s.box) map.fitBounds(s.box, { padding: wide() ? { left: beside(), top: 40, right: 60, bottom: 60 } : { left: 20, right: 20, top: 110, bottom: 60 }, maxZoom: 17, duration: pace() });
      else if (s.at) map.flyTo({ center: s.at, zoom: s.zoom, duration: pace() });
    },
  });
  list = inView({
    map, toggle: $("inview-toggle"), panel: $("inview"),
    open: (id) => attempt((turn) => show(turn, id, { fly: false, focus: true })),
    point: (id) => map.setFilter("pointed", ["==", ["get", "parcel_id"], id]),
  });
  overlaySwitches({ map, list: $("overlays"), mode, items: overlayItems, say });
  const analysed = tiles.pointer.artefacts?.[analysedKind]?.key;
  const found = analysed ? analysedSwitches({ map, list: $("overlays"), box: $("analysed"), mode, key: analysed, say }) : null;
  places.then((p) => {
    const drawn = { map, list: $("overlays"), uses: $("ground"), mode };
    colours = priceSwitch({ ...drawn, box: $("prices"), year: priceYear, pricesOf, districtPrices, kgsIn: (box) => p.inBox(box).map((code) => p.byKG.get(code)), begin: () => cells?.off() });
    cells = cellSwitch({ ...drawn, box: $("cells"), ask: { cellsIn, chunksIn, chunkOf, cellChanges }, kgsIn: (box) => p.inBox(box), swipe, begin: () => colours?.off() });
  }, () => {}); // that there are no places is told below
  const filter = filterPanel({
    told: (text) => bar.set({ find: text }, { push: true }),
    map, toggle: $("filter-toggle"), panel: $("filter"), mode, query: queryParcels, link: queryFile,
    open: (id) => attempt((turn) => show(turn, id, { fly: true, focus: true })),
    point: (id) => map.setFilter("pointed", ["==", ["get", "parcel_id"], id]),
    mark: (ids) => { for (const layer of ["found-fill", "found-line"]) map.setFilter(layer, ["in", ["get", "parcel_id"], ["literal", ids]]); },
  });

  places.then((p) => {
    compare = comparing({
      map, bar, maps: swipe, places: p, current: () => card.dataset.parcel?.slice(0, 5) ?? kgInMiddle(map), leaving: () => leaving,
      begin: (on) => { if (on) { measure.end(); land.unswipe(); close(); } colours?.allow(!on); cells?.allow(!on); $("ground").hidden = on; },
    });
  }, () => {}); // as above
  places.catch(() => {}).then(() => { document.body.dataset.named = "true"; }); // what asks for the names stands

  const land = landscapePanel({
    map, bar, mode, maps: swipe, say, toggle: $("land-toggle"), panel: $("land"), current: () => card.dataset.parcel ?? "",
    open: (id) => attempt((turn) => show(turn, id, { fly: true, focus: true })),
    shapes: {
      parcelAt, kgAt: async (at) => (await parcelAt(at))?.slice(0, 5) ?? null,
      parcel: async (id) => { const row = await parcelGeometry(id); return row && { name: row.parcel_id, geometry: row.geometry }; },
      municipalityAt, protectedAt, municipality: municipalityShape, site: siteShape, protected: protectedShape,
      kg: async (code) => { const f = await kgShape(code); return f?.geometry && { name: `KG ${code} ${f.properties?.kg_name ?? ""}`.trim(), geometry: f.geometry }; },
    },
    fit: (box, more = {}) => map.fitBounds(box, { padding: padding(), maxZoom: 17, duration: pace(), ...more }),
    begin: () => { leaving = true; compare?.close(); leaving = false; colours?.allow(false); cells?.allow(false); },
    free: () => { colours?.allow(true); cells?.allow(true); },
    takes: () => measure.end(),
  });

  const measure = measurePanel({
    map, bar, mode, say, panel: $("measure"), keys: $("keys"), ready: loaded,
    begin: () => { leaving = true; compare?.close(); leaving = false; land.unswipe(); land.leave(); },
  });

  const background = Promise.all([named, new Promise((done) => (map.loaded() ? done() : map.once("load", done)))])
    .then(([b]) => b && backgroundSwitch({ map, box: $("background"), mode, background: b, base: tiles.base }));

  const ticked = legendState($("legend"), bar), placeIn = (text) => /^(-?[\d.]+),(-?[\d.]+)$/.exec(text ?? "");
  // restore shows what the address says; before are the members that are shown, null at the beginning.
  async function restore(now, before) {
    const view = viewIn(now.map), id = idFromPath(), at = placeIn(now.at), changed = (name) => (now[name] ?? "") !== (before?.[name] ?? "");
    if (before && view && changed("map")) map.jumpTo(view);
    await Promise.all([places.catch(() => null), background]);
    if (before) compare?.restore();
    const strange = changed("on") ? await ticked.restore(now.on) : [];
    if (changed("map") && now.map && !view) strange.push(`map=${now.map}`);
    if (changed("at") && now.at && !at) strange.push(`at=${now.at}`);
    if (changed("find") && unreadable(now.find)) strange.push(`find=${now.find}`);
    if (strange.length) say(t("The address names what is not known here: {what}.", { what: strange.join(", ").slice(0, 200) }));
    if (changed("find")) filter.restore(now.find);
    if (id) { if (id !== card.dataset.parcel) attempt((turn) => show(turn, id, { fly: !view, push: false })); } else if (at) openAt({ lat: Number(at[1]), lng: Number(at[2]) }, false); else if (!card.hidden) close();
    if (before || land.begins(now)) await land.restore(now, before ?? {});
    if (changed("measure")) await measure.restore(now.measure);
  }

  bar.hear(restore);
  // A button of a card, a list or the search that names an area makes it the one that is looked at.
  document.addEventListener("click", (e) => {
    const named = e.target.closest?.("button[data-area]")?.dataset.area;
    if (!named) return;
    const before = bar.all();
    bar.set({ area: named, in: "1", task: "", hide: "" }, { push: true });
    close();
    land.restore(bar.all(), { ...before, area: "", in: "" }).then(() => land.fitted());
  });
  map.on("moveend", () => bar.set({ map: viewText({ zoom: map.getZoom(), center: map.getCenter().toArray() }) }));
  addEventListener("keydown", (e) => { if (e.key === "Escape" && !land.escape()) close(); });
  sheets([$("inview"), $("filter"), $("compare"), $("land"), $("measure")]);
  map.once("load", () => {
    if (tiles.base[shade]) {
      map.addSource(shade, tiles.base[shade]);
      map.addLayer(relief(mode(), tiles.base)[0], "parcels");
    }
    places.then((p) => map.getSource("names").setData(p.features())).catch((e) => say(e.message));
    drawAddresses(map, addresses);
    document.body.dataset.ready = "true";
    restore(bar.all(), null);
  });
  window.mappe = { map, compared: swipe.maps };
}

// swipeOf are two maps under a slider; the second is made when something is compared.
function swipeOf(map, tiles) {
  const second = (container) => new MapLibre({ container, style: style(tiles.url, "", mode(), tiles.base), center: map.getCenter(), zoom: map.getZoom(), maxZoom: 20, interactive: false, attributionControl: false, fadeDuration: 0 });
  const maps = swipeView({ map, box: $("swipe"), second });
  dark.addEventListener("change", () => { for (const m of maps.maps()) if (m !== map) repaint(m, mode()); });
  return maps;
}

/** comparing wires the compare view, and opens it where the address asks for it. */
function comparing({ map, bar, maps, places, current, begin, leaving }) {
  const boxOf = (code) => { const k = places.byKG.get(code); return k?.west == null ? null : [k.west, k.south, k.east, k.north]; };
  const fit = (box, duration = pace()) => map.fitBounds(box, { padding: padding(), maxZoom: 17, duration });
  const compare = compareView({
    map, toggle: $("compare-toggle"), panel: $("compare"), maps, ask: { versionsOf, changesOf, parcelsOf }, bounds: boundsOf, fit, begin,
    country: { kgsIn: (box) => places.inBox(box).map((code) => places.byKG.get(code)), current, boxOf },
    // Who opens a parcel leaves the comparison; an address without dates gets those that are compared.
    place: (at) => bar.go(at ? `/map?${new URLSearchParams(at)}` : idFromPath() ? location.pathname : "/map", { push: !leaving() && (!at || !asked().kg || Boolean(asked().from)) }),
  });
  const asked = () => {
    const said = new URLSearchParams(location.search);
    return { kg: places.kg(said.get("compare") ?? "")?.kg_code, from: said.get("from") ?? undefined, to: said.get("to") ?? undefined };
  };
  const first = asked();
  if (first.kg) {
    if (boxOf(first.kg) && !viewIn(bar.get("map"))) fit(boxOf(first.kg), 0);
    map.once("idle", () => compare.open(first));
  }
  /** restore compares what the address says. */
  compare.restore = () => { const now = asked(); if (now.kg) compare.open(now); else compare.close(); };
  return compare;
}

// kgInMiddle is the code of the KG that is drawn in the middle of the map, "" without one.
function kgInMiddle(map) {
  const { clientWidth, clientHeight } = map.getCanvas();
  const found = map.queryRenderedFeatures([clientWidth / 2, clientHeight / 2], { layers: ["parcels"] });
  return found[0]?.properties.parcel_id?.slice(0, 5) ?? "";
}

start().catch((e) => say(e.message));
