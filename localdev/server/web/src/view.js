// Where a map stands, as the fragment of the page's address holds it.

/** read gives the members of a fragment; what is twice in it counts once. */
export function read(hash) {
  const out = {};
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, "").slice(0, 20_000))) out[name] ??= value;
  return out;
}

/** viewText is where a map stands, viewIn reads it: {zoom, center: [lon, lat]}; null if the text is not a view. */
export const viewText = ({ zoom, center: [lon, lat] }) => `${+zoom.toFixed(2)}/${lat.toFixed(5)}/${lon.toFixed(5)}`;
export function viewIn(text) {
  const m = /^(\d{1,2}(?:\.\d+)?)\/(-?\d{1,2}(?:\.\d+)?)\/(-?\d{1,3}(?:\.\d+)?)$/.exec(text ?? "");
  if (!m) return null;
  const [zoom, lat, lon] = m.slice(1).map(Number);
  return zoom <= 22 && Math.abs(lat) <= 85 && Math.abs(lon) <= 180 ? { zoom, center: [lon, lat] } : null;
}

/** firstView is where a country opens whose archive has the header h: at its middle, since land use and parcels begin at zoom 13, and so
 * near that its tiles are few bytes: at 15.5 they are half as many again, at 14.8 three times. */
export const firstView = (h) => ({ center: [(h.minLon + h.maxLon) / 2, (h.minLat + h.maxLat) / 2], zoom: 16 });

/** parcelIn is the id in the path of a parcel's page, null in another path. What is not UTF-8 stays as it is written. */
export function parcelIn(path) {
  const found = path.match(/^\/p\/(.+)$/);
  try { return found && decodeURIComponent(found[1]); } catch { return found[1]; }
}
