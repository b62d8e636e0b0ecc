// What the pages take of MapLibre, and its workers: a worker is this file once more, and begins where it finds itself in one. So what both
// have in common is sent once, and a worker is begun as soon as the file is there, before there is a map.
import "maplibre/worker";
import { prewarm, setWorkerUrl } from "maplibre";

if (typeof document !== "undefined") {
  setWorkerUrl(import.meta.url);
  prewarm();
}

export { addProtocol, GeolocateControl, Map, NavigationControl, Popup, ScaleControl } from "maplibre";
