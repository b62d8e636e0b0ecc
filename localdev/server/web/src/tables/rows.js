// What a row asks for, and what is known of it: the same rules and columns as localdev/table.
import { number as figure } from "../dom.js";
import { systems } from "../crs.js";
import { t } from "../words.js";

const mostAddress = 200; // letters that the search for addresses takes
const inAustria = ([lon, lat]) => lon >= 9 && lon <= 17.5 && lat >= 46 && lat <= 49.5;

/** degreesOf reads positions of a system, "4326" or an EPSG code of ../crs.js. */
export const degreesOf = (system) => (system === "4326" ? (x, y) => [x, y] : systems[system].inverse);

// numberOf reads a number with a decimal point or comma.
const numberOf = (v) => {
  if (typeof v === "number") return v;
  const text = v.includes(".") ? v : v.replace(",", ".");
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
};

/** kgCode is a KG's code in five digits, "" if the text has none. */
const kgCode = (text) => (/^\d{1,5}$/.test(text) && Number(text) > 0 ? text.padStart(5, "0") : "");
const gnrOf = (text) => /^(\.?)0*(\d{1,6})(?:\/0*(\d{1,6}))?$/.exec(text.replace(/\s/g, ""));

/** parcelOf is the id of a parcel from its KG and number, "" where they are none. */
export function parcelOf(kg, gnr) {
  const code = kgCode(kg), m = gnrOf(gnr);
  return code && m && Number(m[2]) > 0 ? `${code}-${m[1]}${m[2]}${m[3] && Number(m[3]) ? `/${m[3]}` : ""}` : "";
}

/** asked reads a row: its parcel, else its position, else its address; {parcel}, {at} or {address}, each with how it is matched, or
 * {problem}. */
export function asked(row, columns, system) {
  const raw = (id) => row[columns[id]] ?? "", cell = (id) => String(raw(id)).trim();
  if (cell("parcel_id")) {
    const [, kg, gnr] = /^(\d{1,5})\s*[-–\s]\s*(.+)$/.exec(cell("parcel_id")) ?? [], parcel = kg ? parcelOf(kg, gnr) : "";
    return parcel ? { parcel, match: "parcel" } : { problem: t("{text} is no parcel id such as 09901-.45", { text: `“${cell("parcel_id")}”` }) };
  }
  if (cell("kg") && cell("gnr")) {
    const parcel = parcelOf(cell("kg"), cell("gnr"));
    return parcel ? { parcel, match: "parcel" } : { problem: t("{kg} and {gnr} are no KG code and parcel number", { kg: `“${cell("kg")}”`, gnr: `“${cell("gnr")}”` }) };
  }
  if (cell("lon") && cell("lat")) return position(raw("lon"), raw("lat"), system);
  const street = `${cell("street")} ${cell("house_number")}`.trim(), place = `${cell("plz")} ${cell("place")}`.trim();
  let text = cell("address") || street;
  if (!text) return { problem: t("the row has no parcel, no position and no street") };
  if (place && !text.toLowerCase().includes(place.toLowerCase())) text += `, ${place}`;
  return new TextEncoder().encode(text).length > mostAddress ? { problem: t("the address is longer than {n} letters", { n: figure(mostAddress) }) } : { address: text };
}

function position(textX, textY, system) {
  const x = numberOf(textX), y = numberOf(textY);
  if (Number.isNaN(x) || Number.isNaN(y)) return { problem: t("{text} is no number", { text: `“${Number.isNaN(x) ? textX : textY}”` }) };
  const degrees = degreesOf(system), at = degrees(x, y);
  if (inAustria(at)) return { at, match: "coordinates" };
  if (inAustria(degrees(y, x))) return { problem: t("the position is not in Austria; with its two numbers swapped it is: exchange the two columns") };
  if (system === "4326" && (Math.abs(x) > 180 || Math.abs(y) > 90)) return { problem: t("the position is not in degrees: choose its coordinate system") };
  return { problem: t("the position is not in Austria") };
}

/** systemsOf are the coordinate systems in which nearly all of some positions lie in Austria, "4326" first where it is one. */
export function systemsOf(rows, columns) {
  const pairs = rows.slice(0, 200).map((r) => [numberOf(r[columns.lon] ?? ""), numberOf(r[columns.lat] ?? "")]).filter((p) => p.every(Number.isFinite));
  if (!pairs.length) return ["4326"];
  const found = ["4326", ...Object.keys(systems)].filter((code) => pairs.filter(([x, y]) => { const at = degreesOf(code)(x, y); return at.every(Number.isFinite) && inAustria(at) && near(code, at); }).length >= 0.9 * pairs.length);
  return found.length ? found : ["4326"];
}

// near says whether a place lies in the strip that a system is used for.
const strips = { 31254: 10.33, 31255: 13.33, 31256: 16.33, 31257: 10.33, 31258: 13.33, 31259: 16.33 };
const near = (code, [lon]) => !strips[code] || Math.abs(lon - strips[code]) <= 1.6;

/** added are the columns that a table gets, with where their values are in a result. */
export const added = [
  ["parcel_id", "parcel"], ["kg_code", "kg"], ["kg_name", "kgName"],
  ["gemeinde_code", "gemeinde"], ["gemeinde_name", "gemeindeName"], ["district_code", "district"], ["district_name", "districtName"],
  ["area_sqm", "area"], ["landuse", "uses"], ["buildings", "buildings"], ["building_area_sqm", "built"],
  ["price_eur_per_sqm", "perSqm"], ["price_total_eur", "total"], ["price_class", "priceClass"], ["price_confidence", "confidence"], ["natura2000", "natura"], ["protected_areas", "areas"], ["laws", "laws"],
  ["dist_road_m", "road"], ["road_name", "roadName"], ["dist_major_road_m", "major"], ["dist_transit_m", "transit"], ["dist_train_station_m", "station"], ["dist_water_m", "water"], ["dist_settlement_m", "settlement"],
  ["surroundings_licence", "licence"],
  ["lon", "lon"], ["lat", "lat"], ["match", "match"], ["found_address", "found"], ["not_found", "reason"],
];

/** joined are the rows of the result with their header: each of the table's own cells, and what was added. A name that the table has
 * already gets a prefix. */
export function joined(head, rows, results) {
  const taken = new Set(head.map((h) => h.toLowerCase())), name = (n) => { let free = n; while (taken.has(free)) free = `mappe_${free}`; return free; };
  return [[...head, ...added.map(([n]) => name(n))], ...rows.map((r, i) => [...head.map((_, k) => r[k] ?? ""), ...added.map(([, field]) => results[i]?.[field] ?? "")])];
}
