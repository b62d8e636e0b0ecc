// surroundings asks what lies around the open card's place, shows it in the card and draws the lines on the map.
import { blocks, renderAround, said } from "./around.js";
import { contextAt, osmShapes } from "./api.js";
import { element, metres } from "./dom.js";
import { lines, requests, targets } from "./nearest.js";
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

  /** show fills the section of the card; a failure is told there, the card stays. */
  async function show(section, at, parcel) {
    clear();
    const { signal } = running;
    const told = element("p", t("Looking around …"), { role: "status" });
    section.replaceChildren(element("h2", t("Around this place")), told);
    try {
      const answer = await contextAt(at, parcel, parcel ? blocks : undefined, signal);
      if (signal.aborted) return;
      renderAround(section, answer);
      if (answer.data.osm) await draw(at, answer.data.osm, signal);
    } catch (e) {
      if (signal.aborted) return;
      told.textContent = e.message;
      if (!told.isConnected) section.append(told);
    }
  }

  return { show, clear };
}
