// The nearest road, railway, water, stop and settlement as lines on the map. The service says how far they are;
// where their nearest point lies is read from the shapes of /osm/geometry, and a line is drawn only where both agree.

/** targets are what the osm block tells distances of: the members of the block, and the features that may be meant. */
export const targets = [
  { id: "road", title: "Road", distance: "dist_road_m", names: ["road_name", "road_fclass"], cat: "road" },
  { id: "major", title: "Major road", distance: "dist_major_road_m", names: ["major_road_ref", "major_road_name", "major_road_fclass"], cat: "road", only: (p) => p.major },
  { id: "rail", title: "Railway", distance: "dist_rail_m", names: [], cat: "rail" },
  { id: "transit", title: "Stop", distance: "dist_transit_m", names: ["transit_name", "transit_fclass"], cat: "transit" },
  { id: "station", title: "Train station", distance: "dist_train_station_m", names: ["train_station_name"], cat: "transit", only: (p) => p.train_station },
  { id: "water", title: "Water", distance: "dist_water_m", names: ["water_name", "water_fclass"], cat: "water" },
  { id: "settlement", title: "Settlement", distance: "dist_settlement_m", names: ["settlement_name", "settlement_fclass"], cat: "place" },
];

const near = 800; // m: what is nearer is asked for in one small box
const widest = 0.05; // degrees from the middle: the service takes boxes of 0.1
const least = 1; // m: a shorter line is a dot

/** toLocal gives metres east and north of a point, on the ellipsoid's tangent: 1 mm off at 1 km. */
export function toLocal([lon, lat]) {
  const phi = (lat * Math.PI) / 180, s = 1 - 0.00669437999014 * Math.sin(phi) ** 2;
  const east = (Math.PI / 180) * (6378137 / Math.sqrt(s)) * Math.cos(phi), north = (Math.PI / 180) * ((6378137 * (1 - 0.00669437999014)) / s ** 1.5);
  return { east, north, of: ([x, y]) => [(x - lon) * east, (y - lat) * north] };
}

/** requests are the boxes to ask for: one for what is near, one for what is far, none for what no box reaches. */
export function requests(at, block) {
  const plane = toLocal(at), wanted = targets.filter((t) => block[t.distance] > least);
  const reach = (list) => Math.max(...list.map((t) => block[t.distance])) * 1.02 + 15;
  const groups = [wanted.filter((t) => block[t.distance] <= near), wanted.filter((t) => block[t.distance] > near && (block[t.distance] * 1.02 + 15) / Math.min(plane.east, plane.north) < widest)];
  return groups.filter((g) => g.length).map((g) => {
    const m = reach(g), x = m / plane.east, y = m / plane.north;
    const asked = { bbox: [at[0] - x, at[1] - y, at[0] + x, at[1] + y].map((v) => v.toFixed(6)).join(","), cat: [...new Set(g.map((t) => t.cat))], limit: 5000 };
    return g.some((t) => t.id === "road") || !g.some((t) => t.id === "major") ? asked : { ...asked, major: "1" };
  });
}

/** closest is the point of a geometry that is nearest to the plane's origin, with its distance in metres. */
export function closest(geometry, plane) {
  let best = { distance: Infinity, at: null };
  const take = (a, b, from, to) => {
    const dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
    const f = length === 0 ? 0 : Math.min(Math.max(-(a[0] * dx + a[1] * dy) / length, 0), 1);
    const distance = Math.hypot(a[0] + f * dx, a[1] + f * dy);
    if (distance < best.distance) best = { distance, at: [from[0] + f * (to[0] - from[0]), from[1] + f * (to[1] - from[1])] };
  };
  const line = (list) => {
    if (list.length === 1) list = [list[0], list[0]];
    for (let i = 1; i < list.length; i++) take(plane.of(list[i - 1]), plane.of(list[i]), list[i - 1], list[i]);
  };
  const { type, coordinates: c } = geometry ?? {};
  if (type === "Point") line([c]);
  else if (type === "LineString" || type === "MultiPoint") type === "LineString" ? line(c) : c.forEach((p) => line([p]));
  else if (type === "MultiLineString" || type === "Polygon") c.forEach(line);
  else if (type === "MultiPolygon") c.forEach((p) => p.forEach(line));
  return best;
}

/** lines gives a line to the nearest feature of each target: {id, from, to, distance}. features may hold one twice. */
export function lines(at, block, features) {
  const plane = toLocal(at), found = [];
  for (const t of targets) {
    const said = block[t.distance];
    if (!(said > least)) continue;
    let best = { distance: Infinity };
    for (const f of features) {
      if (f.properties.cat !== t.cat || (t.only && !t.only(f.properties))) continue;
      const c = closest(f.geometry, plane);
      if (c.distance < best.distance) best = c;
    }
    const agrees = Math.abs(best.distance - said) <= 1 + 0.01 * said;
    if (agrees && !found.some((l) => l.to[0] === best.at[0] && l.to[1] === best.at[1])) found.push({ id: t.id, from: at, to: best.at, distance: said });
  }
  return found;
}
