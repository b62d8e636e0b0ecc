// What the pages take of MapLibre. What its workers need as well is a file of its own, which is sent once: mapworker.js.
import "./mapworker.js";
import { prewarm } from "maplibre";

prewarm(); // the worker stays when a page removes its last map

export { addProtocol, GeolocateControl, Map, NavigationControl, Popup, ScaleControl } from "maplibre";
