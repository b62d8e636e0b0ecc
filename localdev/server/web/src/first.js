// What the first view of the map needs is asked for while the map's program is still on its way: what is served, the beginning of its
// archive of parcels, and the tiles in view. The page runs this small script as soon as it is there.
import { firstView, parcelIn, read, viewIn } from "./view.js";
import { published } from "./tiles.js";

export * from "./view.js";
export * from "./tiles.js";
export * from "pmtiles";
export * from "./ranges.js";

const view = viewIn(read(location.hash).map);

// The map library takes a processor half a second before it can draw: its bytes come before those of the tiles, which are asked for when
// half of it is there.
const library = import("maplibre-gl/shared").catch(() => {}); // the map's program imports it, too, and fails

/** begun is what is served, as published() gives it. A parcel in the path is flown to: which tiles that needs is not known yet. */
export const begun = published(parcelIn(location.pathname) && !view ? null : (h) => ({ ...firstView(h), ...view, width: innerWidth, height: innerHeight }), { kinds: ["base-osm", "base-names"], after: library });
begun.catch(() => {}); // who awaits it is told
