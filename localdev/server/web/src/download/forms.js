// What can be downloaded: the forms of /export with their layers and systems, and the requests for them.
export const layerNames = {
  parcels: "Parcels", buildings: "Address points", building_footprints: "Building footprints", labels: "Parcel numbers of the map",
  landuse_polygons: "Land-use areas", landuse_points: "Land-use symbols", kgs: "Outlines of the KGs", municipalities: "Outlines of the municipalities",
};
const six = ["parcels", "buildings", "building_footprints", "labels", "landuse_polygons", "landuse_points"];

// layers are those to choose from; fixed: the file has all of them; one: it has one. system is the one that is used unless another is asked for.
export const forms = [
  { id: "gpkg", name: "GeoPackage", about: "QGIS, ArcGIS, GDAL", layers: six, usual: six, fixed: true },
  { id: "shapefile", name: "Shapefile", about: "a zip; ArcGIS, AutoCAD Map and older programs", layers: six, usual: six, system: 4326 },
  { id: "dxf", name: "DXF", about: "AutoCAD and other CAD, with the layers of the survey office", layers: six.filter((l) => l !== "labels"), usual: six.filter((l) => l !== "labels"), system: 31287 },
  { id: "geojson", name: "GeoJSON", about: "web maps and scripts", layers: six, usual: ["parcels"], system: 4326 },
  { id: "flatgeobuf", name: "FlatGeobuf", about: "large areas, read by box", layers: six, usual: ["parcels"], one: true, system: 4326 },
  { id: "kml", name: "KML", about: "Google Earth", layers: [...six, "kgs", "municipalities"], usual: ["parcels"] },
  { id: "csv", name: "CSV", about: "tables; several layers in a zip", layers: six, usual: ["parcels"], system: 4326 },
  { id: "xlsx", name: "XLSX", about: "Excel and LibreOffice, a sheet for each layer", layers: six, usual: ["parcels"], system: 4326 },
];

export const systems = [
  [4326, "WGS 84, degrees"], [31287, "MGI / Austria Lambert"], [3416, "ETRS89 / Austria Lambert"], [31254, "MGI / Austria GK West (M28)"], [31255, "MGI / Austria GK Central (M31)"],
  [31256, "MGI / Austria GK East (M34)"], [31257, "MGI / Bundesmeldenetz M28"], [31258, "MGI / Bundesmeldenetz M31"], [31259, "MGI / Bundesmeldenetz M34"], [3035, "ETRS89 / LAEA Europe"], [3857, "Web Mercator"],
  [25832, "ETRS89 / UTM 32N"], [25833, "ETRS89 / UTM 33N"], [32632, "WGS 84 / UTM 32N"], [32633, "WGS 84 / UTM 33N"],
];

// Of the streamed forms the service has the systems of all its lists, which are without UTM.
const withoutUTM = ["geojson", "flatgeobuf"];

/** systemsOf are the systems that a form has. */
export const systemsOf = (form) => systems.filter(([code]) => !withoutUTM.includes(form.id) || !/^(258|326)/.test(code));

// What a place is named by in a request.
const parameters = { kg: "kg", municipality: "gemeinde_code", district: "district", state: "state", plz: "plz" };

/** placeIn reads a place of the address, "kg:99101": {kind, code}; null if the text names no place. */
export function placeIn(text) {
  const m = /^(?:(kg|municipality|district):(\d{3,5})|(state):([1-9])|(plz):(\d{4}))$/.exec(text ?? "")?.filter(Boolean);
  return m ? { kind: m[1], code: m[2] } : null;
}

/** The states by code, 1 to 9. */
export const states = ["Burgenland", "Kärnten", "Niederösterreich", "Oberösterreich", "Salzburg", "Steiermark", "Tirol", "Vorarlberg", "Wien"];

const plain = (text) => text.toLowerCase().replaceAll("ae", "a").replaceAll("oe", "o").normalize("NFD").replace(/\p{M}/gu, "");

/** statesNamed are the codes of the states whose name begins with a text, or whose code it is. */
export function statesNamed(text) {
  const asked = plain(text.trim());
  return states.flatMap((name, i) => (asked && (plain(name).startsWith(asked) || asked === String(i + 1)) ? [String(i + 1)] : []));
}

/** chosen reads the members of an address: what they do not say, or say wrongly, is as usual. */
export function chosen(members) {
  const form = forms.find((f) => f.id === members.form) ?? forms[0];
  let layers = form.layers.filter((l) => (members.layers ?? "").split(",").includes(l));
  if (!layers.length || form.fixed) layers = form.usual;
  if (form.one) layers = layers.slice(0, 1);
  const system = form.system && systemsOf(form).some(([code]) => String(code) === members.crs) ? Number(members.crs) : form.system;
  return { place: placeIn(members.place), form, layers, system };
}

/** membersOf is what of a choice stands in an address: what is as usual is left out. */
export function membersOf({ place, form, layers, system }) {
  const same = layers.length === form.usual.length && layers.every((l) => form.usual.includes(l));
  return { place: place ? `${place.kind}:${place.code}` : "", form: form.id, layers: same ? "" : layers.join(","), crs: !system || system === form.system ? "" : String(system) };
}

const api = "/cadastre/api/v1";

/** request is the address of the file. */
export function request({ place, form, layers, system }) {
  const asked = new URLSearchParams({ [parameters[place.kind]]: place.code });
  if (!form.fixed) asked.set(form.one ? "layer" : "layers", layers.join(","));
  if (system && system !== form.system) asked.set("crs", system);
  return `${api}/export/${form.id}?${asked}`.replaceAll("%2C", ",");
}

/** sizeRequest is the address of what is known of the file before it is made. */
export function sizeRequest({ place, form, layers }) {
  const asked = new URLSearchParams({ [parameters[place.kind]]: place.code, form: form.id });
  if (!form.fixed) asked.set("layers", layers.join(","));
  return `${api}/export/size?${asked}`;
}

/** bytes is a size as people say it: [number, unit], with as many digits as an estimate deserves. */
export function bytes(n) {
  const units = ["bytes", "kB", "MB", "GB"];
  let i = 0;
  for (; n >= 1000 && i < units.length - 1; i++) n /= 1000;
  return [i && n < 10 ? Math.round(n * 10) / 10 : Math.round(n), units[i]];
}
