// A file that is dropped on the map: GeoJSON, KML and GPX are read here, everything else that the services read (zipped
// shapefiles, GeoPackages, KMZ, WKT, other systems than WGS84) there. Gives GeoJSON, or an Error that says what is wrong.
import { number } from "../dom.js";
import { t } from "../words.js";
import { readFile } from "./ask.js";
import { aroundTrack, boundsOf, linesOf, pointsOf, polygonsOf } from "./shapes.js";

const most = { here: 40 << 20, sent: 4 << 20, corners: 100_000 };

// What is no map is said in the reader's words: the services' own are of bytes.
const noMap = () => new Error(t("The file is neither a map nor a track: GeoJSON, KML, GPX, a zipped shapefile or a GeoPackage is read."));
const sheets = /\.(csv|tsv|xlsx?|ods)$/i;
const packed = /^(PK\u0003\u0004|SQLite format 3)/, written = /^(SRID|POINT|LINESTRING|POLYGON|MULTI|GEOMETRY|[-+.\d])/i;

// noTable leads a reader who dropped a spreadsheet to the page that takes it.
const noTable = () => Object.assign(new Error(t("The file is a table, not a map. Another page completes tables of addresses, coordinates or parcel numbers:")), { link: { title: t("Complete a table"), href: "/tables" } });

async function byServices(file, bytes, head, signal) {
  try {
    return await readFile(bytes, signal);
  } catch (e) {
    if (!e.english) throw e;
    if (sheets.test(file.name)) throw noTable();
    if (!packed.test(head) && !written.test(head)) throw noMap();
    throw new Error(t("The file cannot be read as a map: {reason}", { reason: e.message }));
  }
}

/** fileShapes are the polygons, lines and points of a file; gap is that of a recorded track that is closed, in metres. */
export async function fileShapes(file, signal) {
  const megabytes = (n) => number(n / (1 << 20));
  if (file.size > most.here) throw new Error(t("The file has {n} MB: at most {most} MB are read.", { n: megabytes(file.size), most: megabytes(most.here) }));
  if (/\.(xlsx?|ods)$/i.test(file.name)) throw noTable();
  if (file.size === 0) throw new Error(t("The file is empty."));
  const bytes = await file.arrayBuffer(), head = new TextDecoder().decode(bytes.slice(0, 1000)).replace(/^\uFEFF/, "").trimStart();
  let shapes = null;
  if (/^[{[]/.test(head)) shapes = fromJSON(new TextDecoder().decode(bytes));
  else if (head.startsWith("<")) shapes = fromXML(new TextDecoder().decode(bytes));
  if (!shapes) {
    if (file.size > most.sent) throw new Error(t("The file has {n} MB: at most {most} MB are read.", { n: megabytes(file.size), most: megabytes(most.sent) }));
    shapes = gathered(await byServices(file, bytes, head, signal));
  }
  return checked(shapes);
}

const gathered = (of) => ({ polygons: polygonsOf(of), lines: linesOf(of), points: pointsOf(of) });

// fromJSON reads GeoJSON in degrees; null where the services have to look at it.
function fromJSON(text) {
  let doc;
  try { doc = JSON.parse(text); } catch { throw new Error(t("The file is no GeoJSON: it ends early or is damaged.")); }
  if (doc?.crs || !doc?.type) return null;
  const shapes = gathered(doc), box = boundsOf([shapes.polygons, shapes.lines, shapes.points]);
  return box && Math.max(...box.map(Math.abs)) > 180 ? null : shapes;
}

/** fromXML reads KML and GPX. */
export function fromXML(text, parser = new DOMParser()) {
  const doc = parser.parseFromString(text, "application/xml"), root = doc.documentElement;
  if (doc.getElementsByTagName("parsererror").length) throw new Error(t("The file is damaged: its XML ends early."));
  const all = (of, name) => [...of.getElementsByTagNameNS("*", name)];
  if (root.localName === "gpx") {
    const at = (e) => [Number(e.getAttribute("lon")), Number(e.getAttribute("lat"))];
    const tracks = [...all(root, "trkseg"), ...all(root, "rte")].map((l) => [...all(l, "trkpt"), ...all(l, "rtept")].map(at)).filter((l) => l.length > 1), shut = tracks.map(aroundTrack);
    return { polygons: shut.filter(Boolean).map((s) => [s.ring]), lines: tracks.filter((_, i) => !shut[i]), points: all(root, "wpt").map(at), gap: Math.max(0, ...shut.map((s) => s?.gap ?? 0)) };
  }
  if (root.localName !== "kml") throw noMap();
  const path = (e) => (all(e, "coordinates")[0]?.textContent ?? "").trim().split(/\s+/).filter(Boolean).map((p) => p.split(",").slice(0, 2).map(Number));
  const shut = (ring) => (ring.length && ring[0].join() !== ring.at(-1).join() ? [...ring, ring[0]] : ring);
  return {
    polygons: all(root, "Polygon").map((p) => [...all(p, "outerBoundaryIs"), ...all(p, "innerBoundaryIs")].map((b) => shut(path(b)))).filter((p) => p[0]?.length > 3),
    lines: all(root, "LineString").map(path).filter((l) => l.length > 1), points: all(root, "Point").map((p) => path(p)[0]).filter(Boolean),
  };
}

function checked(shapes) {
  const { polygons, lines, points } = shapes, flat = [...polygons.flat(2), ...lines.flat(), ...points];
  if (!flat.length) throw new Error(t("Nothing is drawn in the file: no polygon, no line, no point."));
  if (flat.length > most.corners) throw new Error(t("The file has {n} corners: at most {most}.", { n: number(flat.length), most: number(most.corners) }));
  const outside = flat.find(([lon, lat]) => !(lon >= 9 && lon <= 17.5 && lat >= 46 && lat <= 49.2));
  if (outside) throw new Error(t("The file has a place outside Austria: longitude {lon}, latitude {lat}.", { lon: number(outside[0], 4), lat: number(outside[1], 4) }));
  return shapes;
}
