// Geodesics of the ellipsoid GRS80, on which those of WGS84 are the same to a tenth of a millimetre: T. Vincenty, Direct and inverse
// solutions of geodesics on the ellipsoid, Survey Review 176 (1975). Places are [longitude, latitude] in degrees, bearings are degrees
// from north, clockwise. The series are good to a millimetre; they find no way between places nearly opposite on the globe.
const a = 6_378_137, f = 1 / 298.257222101, b = a * (1 - f);
const rad = Math.PI / 180;
const turns = 200; // of the iteration, at most

const reduced = (lat) => Math.atan((1 - f) * Math.tan(lat * rad));

// series are Vincenty's A and B of an azimuth at the equator, given as the square of its cosine.
function series(cos2) {
  const u2 = (cos2 * (a * a - b * b)) / (b * b);
  return { A: 1 + (u2 / 16384) * (4096 + u2 * (-768 + u2 * (320 - 175 * u2))), B: (u2 / 1024) * (256 + u2 * (-128 + u2 * (74 - 47 * u2))) };
}
const correction = (B, sin, cos, mid) => B * sin * (mid + (B / 4) * (cos * (2 * mid * mid - 1) - (B / 6) * mid * (4 * sin * sin - 3) * (4 * mid * mid - 3)));
const flat = (cos2) => (f / 16) * cos2 * (4 + f * (4 - 3 * cos2));
const east = (C, sinAlpha, sigma, sin, cos, mid) => (1 - C) * f * sinAlpha * (sigma + C * sin * (mid + C * cos * (2 * mid * mid - 1)));

/** inverse is the way from a place to another: {metres, bearing} at its beginning; NaN where the series find none. */
export function inverse([lon1, lat1], [lon2, lat2]) {
  if (lon1 === lon2 && lat1 === lat2) return { metres: 0, bearing: NaN };
  const L = (lon2 - lon1) * rad, [u1, u2] = [reduced(lat1), reduced(lat2)], [s1, c1, s2, c2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)];
  let lambda = L;
  for (let i = 0; i < turns; i++) {
    const [sl, cl] = [Math.sin(lambda), Math.cos(lambda)], x = c2 * sl, y = c1 * s2 - s1 * c2 * cl;
    const sin = Math.hypot(x, y), cos = s1 * s2 + c1 * c2 * cl, sigma = Math.atan2(sin, cos);
    const sinAlpha = (c1 * c2 * sl) / sin, cos2 = 1 - sinAlpha * sinAlpha, mid = cos2 ? cos - (2 * s1 * s2) / cos2 : 0;
    const before = lambda;
    lambda = L + east(flat(cos2), sinAlpha, sigma, sin, cos, mid);
    if (!(Math.abs(lambda - before) < 1e-13)) continue;
    const { A, B } = series(cos2);
    return { metres: b * A * (sigma - correction(B, sin, cos, mid)), bearing: (Math.atan2(x, y) / rad + 360) % 360 };
  }
  return { metres: NaN, bearing: NaN };
}

/** direct is the place at a distance from another, in the direction of a bearing. */
export function direct([lon1, lat1], bearing, metres) {
  const u1 = reduced(lat1), [s1, c1] = [Math.sin(u1), Math.cos(u1)], [sa, ca] = [Math.sin(bearing * rad), Math.cos(bearing * rad)];
  const sigma1 = Math.atan2(s1, c1 * ca), sinAlpha = c1 * sa, cos2 = 1 - sinAlpha * sinAlpha, { A, B } = series(cos2), plain = metres / (b * A);
  let sigma = plain, sin, cos, mid;
  for (let i = 0, before = Infinity; i < turns && Math.abs(sigma - before) > 1e-14; i++) {
    before = sigma;
    [sin, cos, mid] = [Math.sin(sigma), Math.cos(sigma), Math.cos(2 * sigma1 + sigma)];
    sigma = plain + correction(B, sin, cos, mid);
  }
  [sin, cos, mid] = [Math.sin(sigma), Math.cos(sigma), Math.cos(2 * sigma1 + sigma)];
  const lat = Math.atan2(s1 * cos + c1 * sin * ca, (1 - f) * Math.hypot(sinAlpha, s1 * sin - c1 * cos * ca));
  const lambda = Math.atan2(sin * sa, c1 * cos - s1 * sin * ca);
  return [lon1 + (lambda - east(flat(cos2), sinAlpha, sigma, sin, cos, mid)) / rad, lat / rad];
}

/** way are places along the geodesic from a to b, both among them, at most step metres from one to the next. */
export function way(from, to, step = 5_000, most = 200) {
  const { metres, bearing } = inverse(from, to), n = Math.min(Math.ceil(metres / step), most);
  if (!(n > 1)) return [from, to];
  return [from, ...Array.from({ length: n - 1 }, (_, i) => direct(from, bearing, (metres * (i + 1)) / n)), to];
}
