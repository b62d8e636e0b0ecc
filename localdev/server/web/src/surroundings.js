// surroundings asks what the open card's place costs, what stands on it and what lies around it, shows all in the card and draws the
// lines on the map.
import { blocks, renderAround, said } from "./around.js";
import { contextAt, osmShapes, priceOf } from "./api.js";
import { element, metres } from "./dom.js";
import { landOf } from "./land/ask.js";
import { lines, requests, targets } from "./nearest.js";
import { renderTerrain } from "./parcelterrain.js";
import { renderPrice } from "./price.js";
import { t } from "./words.js";

const none = { type: "FeatureCollection", features: [] };

/** features are the lines, and at the far end of each a point with its text. */
export function features(found, block) {
  return { type: "FeatureCollection", features: found.flatMap(({ id, from, to, distance }) => {
    const target = targets.find((x) => x.id === id);
    const text = `${said(block, target) || t(target.title)} · ${metres(distance)}`;
    return [
      { type: "Feature", properties: { id, text, distance }, geometry: { type: "LineString", coordinates: [from, to] } },
      { type: "Feature", properties: { id, text }, geometry: { type: "Point", coordinates: to } },
    ];
  }) };
}

export function surroundings({ map }) {
  let running = new AbortController();
  const clear = () => {
    running.abort();
    running = new AbortController();
    map.getSource("near")?.setData(none);
  };

  async function draw(at, block, signal) {
    const place = [at.lng, at.lat];
    const shapes = (await Promise.all(requests(place, block).map((r) => osmShapes(r, signal)))).flat();
    if (!signal.aborted) map.getSource("near")?.setData(features(lines(place, block, shapes), block));
  }

  // part fills a section of the card when work gives its answer; a failure is told there, the card stays.
  async function part(section, title, work, render, signal) {
    const told = element("p", t("Asking …"), { role: "status" });
    section.replaceChildren(element("h2", title), told);
    try {
      const answer = await work;
      if (!signal.aborted) await render(answer);
    } catch (e) {
      if (signal.aborted) return;
      told.textContent = e.message;
      if (!told.isConnected) section.append(told);
    }
  }

  /** show fills the sections of the card. */
  function show(card, at, parcel) {
    clear();
    const { signal } = running, around = card.querySelector("#around"), price = card.querySelector("#price"), terrain = card.querySelector("#terrain");
    if (parcel && price) part(price, t("Price estimate"), priceOf(parcel.parcel_id, signal), (answer) => renderPrice(price, answer), signal);
    if (parcel && terrain) part(terrain, t("Terrain and trees"), landOf(parcel.parcel_id, signal), (answer) => renderTerrain(terrain, answer), signal);
    part(around, t("Around this place"), contextAt(at, parcel, parcel ? blocks : undefined, signal), async (answer) => {
      renderAround(around, answer);
      if (answer.data.osm) await draw(at, answer.data.osm, signal);
    }, signal);
  }

  return { show, clear };
}
