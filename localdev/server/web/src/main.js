import { Map as MapLibre, NavigationControl, ScaleControl, addProtocol, setWorkerUrl } from "maplibre-gl";
import { PMTiles, Protocol } from "pmtiles";
import { parcelAt, parcelDetails, parcelGeometry } from "./api.js";
import { renderCard } from "./card.js";
import { style, uses } from "./style.js";

const card = document.getElementById("card");
const message = document.getElementById("message");
const input = document.getElementById("q");
const say = (text) => { message.textContent = text; };

function legend() {
  const list = document.querySelector("#legend ul");
  for (const u of uses) {
    const li = document.createElement("li");
    const box = document.createElement("i");
    box.style.background = u.color;
    li.append(box, u.name);
    list.append(li);
  }
}

/** Opens the national archive that the served generation names. */
async function openTiles() {
  const reply = await fetch("/artefacts/current.json");
  if (!reply.ok) throw new Error("nothing is published yet: build the country first");
  const pointer = await reply.json();
  const archive = new PMTiles(new URL(`/artefacts/${pointer.tiles}`, location.href).href);
  const protocol = new Protocol();
  protocol.add(archive);
  addProtocol("pmtiles", protocol.tile);
  const header = await archive.getHeader();
  return { url: `pmtiles://${archive.source.getKey()}`, header, pointer };
}

function boundsOf(geometry) {
  const box = [180, 90, -180, -90];
  const walk = (c) => (typeof c[0] === "number"
    ? [box[0], box[1], box[2], box[3]] = [Math.min(box[0], c[0]), Math.min(box[1], c[1]), Math.max(box[2], c[0]), Math.max(box[3], c[1])]
    : c.forEach(walk));
  walk(geometry.coordinates);
  return box;
}

function idFromPath() {
  const found = location.pathname.match(/^\/p\/([^/]+)$/);
  return found && decodeURIComponent(found[1]);
}

async function start() {
  legend();
  setWorkerUrl("/map/maplibre-gl-worker.mjs");
  const tiles = await openTiles();
  const h = tiles.header;
  const map = new MapLibre({
    container: "map",
    style: style(tiles.url, `${tiles.pointer.attribution ?? "© BEV"}, data modified, <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>`),
    // Land use and parcels begin at zoom 13: a country that would be shown smaller opens at its middle.
    center: [(h.minLon + h.maxLon) / 2, (h.minLat + h.maxLat) / 2],
    zoom: 13.2,
    maxZoom: 20,
    attributionControl: { compact: false },
    dragRotate: false,
  });
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.addControl(new ScaleControl(), "bottom-right");
  map.on("error", (e) => say(e.error?.message ?? "the map could not be drawn"));

  const mark = (geometry) => map.getSource("chosen")?.setData(geometry ? { type: "Feature", properties: {}, geometry } : { type: "FeatureCollection", features: [] });
  // Every wish of the reader takes a turn, closing too: an answer that comes after a later wish is not shown.
  let latest = 0;
  const attempt = async (work) => {
    const turn = ++latest;
    try { await work(turn); } catch (e) { if (turn === latest) say(e.message); }
  };
  const title = document.title;
  const close = () => {
    latest++;
    document.title = title;
    card.hidden = true;
    delete card.dataset.parcel;
    mark(null);
    if (idFromPath()) history.pushState(null, "", "/map");
  };

  async function show(turn, id, { fly, push = true }) {
    const row = await parcelGeometry(id);
    if (turn !== latest) return;
    if (!row) { say(`no parcel has the id ${id}`); return; }
    const details = await parcelDetails(row);
    if (turn !== latest) return;
    say("");
    input.value = row.parcel_id;
    mark(row.geometry);
    renderCard(card, details, close);
    document.title = `Parcel ${row.parcel_id}: Mappe`;
    if (push) history.pushState(null, "", `/p/${encodeURIComponent(row.parcel_id)}`);
    if (fly) map.fitBounds(boundsOf(row.geometry), { padding: innerWidth > 640 ? { left: 380, top: 90, right: 60, bottom: 60 } : { left: 30, right: 30, top: 90, bottom: innerHeight * 0.5 }, maxZoom: 18, duration: 700 });
  }

  map.on("click", (e) => attempt(async (turn) => {
    const id = await parcelAt(e.lngLat);
    if (turn !== latest) return;
    if (id) await show(turn, id, { fly: false });
    else { close(); say("no parcel here"); }
  }));
  map.on("mousemove", "parcels", () => { map.getCanvas().style.cursor = "pointer"; });
  map.on("mouseleave", "parcels", () => { map.getCanvas().style.cursor = ""; });
  document.getElementById("search").addEventListener("submit", (e) => {
    e.preventDefault();
    const id = input.value.trim();
    if (id) attempt((turn) => show(turn, id, { fly: true }));
  });
  addEventListener("popstate", () => {
    const id = idFromPath();
    if (id) attempt((turn) => show(turn, id, { fly: true, push: false }));
    else close();
  });
  addEventListener("keydown", (e) => { if (e.key === "Escape") close(); });
  map.once("load", () => {
    document.body.dataset.ready = "true";
    const id = idFromPath();
    if (id) attempt((turn) => show(turn, id, { fly: true, push: false }));
  });
  window.mappe = { map };
}

start().catch((e) => say(e.message));
