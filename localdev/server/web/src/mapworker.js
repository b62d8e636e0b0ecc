// What MapLibre's workers run, and what the page has in common with them: a worker is this file once more, and begins where it finds
// itself in one. The page that loads it begins its worker, while the rest of the library is on its way.
import "maplibre/worker";

const begin = () => new Worker(import.meta.url, { type: "module" });
let begun = typeof document === "undefined" ? null : begin();

/** workerFactory is what MapLibre takes a worker from. */
export async function workerFactory() {
  const first = begun ?? begin();
  begun = null;
  return first;
}
