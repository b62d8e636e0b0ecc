// The plane systems of Austria, as shared/geo/crs has them: what is typed in metres becomes degrees, and degrees the plane in
// which rasters lie. ETRS89 is taken as WGS84; the datum shift of MGI is EPSG:1618, 1.5 m accurate.
const rad = Math.PI / 180;

const ellipsoid = (a, f) => ({ a, f, e2: f * (2 - f), e: Math.sqrt(f * (2 - f)) });
const grs80 = ellipsoid(6378137, 1 / 298.257222101), bessel = ellipsoid(6377397.155, 1 / 299.1528128);

const isometric = (o, lat) => Math.atanh(Math.sin(lat)) - o.e * Math.atanh(o.e * Math.sin(lat));

function latitudeOf(o, q) {
  let s = Math.tanh(q);
  for (let i = 0; i < 12; i++) s = Math.tanh(q + o.e * Math.atanh(o.e * s));
  return Math.asin(s);
}

// Lambert azimuthal equal area, EPSG:3035 (Snyder, equations 24-14 ff).
const authalic = (s, e2) => (1 - e2) * (s / (1 - e2 * s * s) + Math.atanh(Math.sqrt(e2) * s) / Math.sqrt(e2));
const laea = (() => {
  const { a, e2 } = grs80, lat0 = 52 * rad, qp = authalic(1, e2), rq = a * Math.sqrt(qp / 2), s = Math.sin(lat0);
  const sb = authalic(s, e2) / qp, cb = Math.sqrt(1 - sb * sb), d = (a * Math.cos(lat0)) / Math.sqrt(1 - e2 * s * s) / (rq * cb);
  return { e2, qp, rq, sb, cb, d, x0: 4321000, y0: 3210000, lon0: 10 * rad };
})();

/** toLAEA lays degrees into EPSG:3035, [x, y] in metres. */
export function toLAEA(lon, lat) {
  const c = laea, sb = authalic(Math.sin(lat * rad), c.e2) / c.qp, cb = Math.sqrt(Math.max(0, 1 - sb * sb)), dl = lon * rad - c.lon0;
  const b = c.rq * Math.sqrt(2 / (1 + c.sb * sb + c.cb * cb * Math.cos(dl)));
  return [c.x0 + b * c.d * cb * Math.sin(dl), c.y0 + (b / c.d) * (c.cb * sb - c.sb * cb * Math.cos(dl))];
}

/** fromLAEA is the [longitude, latitude] of a place in EPSG:3035. */
export function fromLAEA(x, y) {
  const c = laea, u = (x - c.x0) / c.d, v = (y - c.y0) * c.d, rho = Math.hypot(u, v);
  if (rho === 0) return [10, 52];
  const turn = 2 * Math.asin(rho / (2 * c.rq)), sc = Math.sin(turn), cc = Math.cos(turn), sb = cc * c.sb + (v * sc * c.cb) / rho;
  const lon = c.lon0 + Math.atan2(u * sc, rho * c.cb * cc - v * c.sb * sc), q = c.qp * sb;
  let lat = Math.asin(sb);
  for (let i = 0; i < 6; i++) { // Newton on q(lat)
    const s = Math.sin(lat), w = 1 - c.e2 * s * s;
    lat += ((q - authalic(s, c.e2)) * w * w) / (2 * (1 - c.e2) * Math.cos(lat));
  }
  return [lon / rad, lat / rad];
}

// Lambert conformal conic with two parallels (Snyder, equations 15-1 ff): that of Austria.
function conic(o) {
  const m = (lat) => Math.cos(lat) / Math.sqrt(1 - o.e2 * Math.sin(lat) ** 2), lat1 = 49 * rad, lat2 = 46 * rad;
  const q1 = isometric(o, lat1), n = Math.log(m(lat1) / m(lat2)) / (isometric(o, lat2) - q1), af = (o.a * m(lat1) * Math.exp(n * q1)) / n;
  const rho0 = af * Math.exp(-n * isometric(o, 47.5 * rad)), lon0 = (13 + 1 / 3) * rad;
  return (x, y) => {
    const u = x - 400000, v = rho0 - (y - 400000);
    return [lon0 + Math.atan2(u, v) / n, latitudeOf(o, -Math.log(Math.hypot(u, v) / af) / n)];
  };
}

// Transverse Mercator by Krüger's series.
function transverse(o, meridian, scale, x0, y0) {
  const n = o.f / (2 - o.f), n2 = n * n, n3 = n2 * n, n4 = n3 * n, a = (o.a / (1 + n)) * (1 + n2 / 4 + n4 / 64);
  const beta = [n / 2 - (2 * n2) / 3 + (37 * n3) / 96 - n4 / 360, n2 / 48 + n3 / 15 - (437 * n4) / 1440, (17 * n3) / 480 - (37 * n4) / 840, (4397 * n4) / 161280];
  return (x, y) => {
    const eta = (x - x0) / (scale * a), xi = (y - y0) / (scale * a);
    let e = eta, north = xi;
    beta.forEach((b, j) => {
      const k = 2 * (j + 1);
      e -= b * Math.cos(k * xi) * Math.sinh(k * eta);
      north -= b * Math.sin(k * xi) * Math.cosh(k * eta);
    });
    return [meridian * rad + Math.atan2(Math.sinh(e), Math.cos(north)), latitudeOf(o, Math.atanh(Math.sin(north) / Math.cosh(e)))];
  };
}

// fromMGI shifts a place on the Bessel ellipsoid to WGS84 by EPSG:1618 (position vector; metres, arc seconds, 1e-6).
function fromMGI(lon, lat) {
  const o = bessel, sl = Math.sin(lat), nu = o.a / Math.sqrt(1 - o.e2 * sl * sl), arc = rad / 3600, scale = 1 + 2.4232e-6;
  const x = nu * Math.cos(lat) * Math.cos(lon), y = nu * Math.cos(lat) * Math.sin(lon), z = nu * (1 - o.e2) * sl;
  const rx = 5.137 * arc, ry = 1.474 * arc, rz = 5.297 * arc;
  return geodetic(577.326 + scale * (x - rz * y + ry * z), 90.129 + scale * (rz * x + y - rx * z), 463.919 + scale * (-ry * x + rx * y + z));
}

// geodetic is Bowring's formula on GRS80, repeated: heights within kilometres of the ellipsoid need two rounds.
function geodetic(x, y, z) {
  const { a, f, e2 } = grs80, b = a * (1 - f), p = Math.hypot(x, y);
  let u = Math.atan2(z * a, p * b), lat = 0;
  for (let i = 0; i < 4; i++) {
    lat = Math.atan2(z + (e2 / (1 - e2)) * b * Math.sin(u) ** 3, p - e2 * a * Math.cos(u) ** 3);
    u = Math.atan((1 - f) * Math.tan(lat));
  }
  return [Math.atan2(y, x), lat];
}
const degrees = ([lon, lat]) => [lon / rad, lat / rad];
const plain = (inverse) => (x, y) => degrees(inverse(x, y));
const mgi = (inverse) => (x, y) => degrees(fromMGI(...inverse(x, y)));
const gk = (ferro, x0, y0) => mgi(transverse(bessel, ferro - 17.6666666666667, 1, x0, y0));
const utm = (meridian) => plain(transverse(grs80, meridian, 0.9996, 500000, 0));

/** systems are those that coordinates are typed in: by EPSG code their name and the way to [longitude, latitude]. */
export const systems = {
  3035: { name: "ETRS89 / LAEA", inverse: fromLAEA },
  3857: { name: "Web Mercator", inverse: (x, y) => [x / 6378137 / rad, Math.atan(Math.sinh(y / 6378137)) / rad] },
  31287: { name: "MGI / Austria Lambert", inverse: mgi(conic(bessel)) },
  3416: { name: "ETRS89 / Austria Lambert", inverse: plain(conic(grs80)) },
  31254: { name: "MGI / GK M28", inverse: gk(28, 0, -5000000) },
  31255: { name: "MGI / GK M31", inverse: gk(31, 0, -5000000) },
  31256: { name: "MGI / GK M34", inverse: gk(34, 0, -5000000) },
  31257: { name: "MGI / BMN M28", inverse: gk(28, 150000, -5000000) },
  31258: { name: "MGI / BMN M31", inverse: gk(31, 450000, -5000000) },
  31259: { name: "MGI / BMN M34", inverse: gk(34, 750000, -5000000) },
  25832: { name: "UTM 32", inverse: utm(9) },
  25833: { name: "UTM 33", inverse: utm(15) },
};
