// What can be asked of an area: a table. An analysis names the call, the parameters that a reader chooses, which property of a
// feature is its type, its height and its confidence, how it is drawn, the columns of the table and the histogram; form, map,
// legend, table, popup and export follow.

/** Of a parameter: kind "dateA" or "dateB" is one of the dates of the scans, "number" has bounds, "choice" options. */
const dates = [{ name: "date_a", kind: "dateA", title: "Earlier date" }, { name: "date_b", kind: "dateB", title: "Later date" }];
const leastHeight = { name: "min_tree_height", kind: "number", title: "Trees from, m", from: 1.5, to: 60, step: 0.5, usual: 3 };

const large = 1e6; // m²: crowns of a larger area are asked for as points, since their outlines would be tens of megabytes
const crowns = (m2) => ({ crown_geometry: m2 > large ? "point" : "polygon" });
// Some 25,000 objects have 64 MB, more than a page should hold; in the scenes that the service is judged by an object has 170 m²
// in the mean where the least has 30.
const keptObjects = 20_000;
export const leaves = [
  { id: "coniferous", name: "Coniferous", light: "#1f6b3a", dark: "#4fb573" }, { id: "broadleaf", name: "Broadleaf", light: "#9ac23c", dark: "#c4e06a" },
  { id: "dead", name: "Dead tree", light: "#8a5a3a", dark: "#c98e62" }, { id: "unknown", name: "Unknown leaves", light: "#8d8d8d", dark: "#b5b5b5" },
];
const first = (...values) => values.find((v) => v !== null && v !== undefined);

// The types of objects with the colours that the service gives them in QGIS.
export const objects = [
  ["tree", "Tree", "#2e7d32"], ["shrub", "Shrub", "#7cb342"], ["grass", "Grass", "#aed581"], ["hedge", "Hedge", "#558b2f"], ["water", "Water", "#1e88e5"], ["roof", "Roof", "#b71c1c"], ["greenhouse", "Greenhouse", "#80deea"],
  ["solar_panel", "Solar panel", "#283593"], ["fence", "Fence", "#8d6e63"], ["wall", "Wall", "#6d4c41"], ["mast", "Mast", "#212121"], ["wind_turbine", "Wind turbine", "#455a64"], ["substation", "Substation", "#4a148c"],
  ["road", "Road", "#616161"], ["path", "Path", "#bcaaa4"], ["parking", "Parking place", "#9e9e9e"], ["bridge", "Bridge", "#37474f"], ["crop", "Crop", "#fdd835"], ["orchard", "Orchard", "#9ccc65"], ["vineyard", "Vineyard", "#8e24aa"],
  ["garden", "Garden", "#dce775"], ["bare_soil", "Bare soil", "#a1887f"], ["rock", "Rock", "#cfd8dc"], ["excavation", "Excavation", "#e65100"], ["fill", "Fill", "#ffb74d"], ["tree_loss", "Lost trees", "#ff8a65"],
  ["construction", "Construction", "#f4511e"], ["earthwork", "Earthwork", "#fb8c00"], ["unclassified", "Not classified", "#b0b0b0"],
];

export const analyses = [
  {
    id: "changes", kinds: ["changes"], path: "/api/v1/changes", title: "What changed", parameters: [...dates, { name: "min_change", kind: "number", title: "Changes from, m", from: 0.5, to: 20, step: 0.5, usual: 1 }],
    drawn: "areas", one: "{n} event", many: "{n} events",
    type: (p) => p.type, confidence: (p) => p.confidence, height: (p) => Math.max(p.height_before_m ?? 0, p.height_after_m ?? 0),
    classes: [
      { id: "growth", name: "Trees and growth", types: ["tree_growth", "new_tree", "vegetation_growth"], light: "#4f9d3f", dark: "#7fce6c" },
      { id: "loss", name: "Trees and growth lost", types: ["tree_felling", "forest_clearcut", "vegetation_loss"], light: "#8c4a1f", dark: "#d08a55" },
      { id: "built", name: "Built", types: ["new_building", "construction"], light: "#d7301f", dark: "#ff6a55" },
      { id: "demolished", name: "Demolished", types: ["demolition"], light: "#f08a6a", dark: "#ffb59c" },
      { id: "filled", name: "Filled", types: ["earthwork_fill", "earthwork_dam"], light: "#e6b800", dark: "#ffd84a" },
      { id: "dug", name: "Dug", types: ["earthwork_cut", "earthwork_trench", "earthwork_pond"], light: "#3f6fb8", dark: "#79a5ea" },
      { id: "levelled", name: "Levelled or sealed", types: ["earthwork_grading", "surface_change"], light: "#c7a76b", dark: "#e2c995" },
      { id: "roads", name: "Roads", types: ["road_new", "road_resurfaced", "road_widened"], light: "#555555", dark: "#bdbdbd" },
      { id: "other", name: "Other", types: ["unclassified_change"], light: "#8f78c8", dark: "#b7a3ec" },
    ],
    columns: [
      { title: "Type", of: (p) => p.type, words: true }, { title: "Area", of: (p) => p.area_sqm, unit: "m²" }, { title: "Change", of: (p) => p.change_m, unit: "m", digits: 1 },
      { title: "Sure", of: (p) => p.confidence, digits: 2 },
    ],
    sorted: { column: 1, down: true },
    histogram: { title: "Change of height, m", of: (p) => p.change_m, step: 2 },
  },
  {
    id: "trees", kinds: ["trees-v2", "trees"], path: "/api/v2/trees", title: "Single trees", parameters: [{ name: "dataset", kind: "date", title: "Date" }, leastHeight], fixed: crowns,
    drawn: "crowns", one: "{n} tree", many: "{n} trees",
    type: (p) => p.leaf_type, confidence: (p) => first(p.detection_conf, p.tree_likelihood), height: (p) => first(p.height_m, p.height_max_m), apex: (p) => (p.apex_lon == null ? null : [p.apex_lon, p.apex_lat]),
    classes: leaves.map((c) => ({ ...c, types: [c.id] })),
    columns: [
      { title: "Height", of: (p) => first(p.height_m, p.height_max_m), unit: "m", digits: 1 }, { title: "Crown", of: (p) => p.crown_area_sqm, unit: "m²" },
      { title: "Stem", of: (p) => p.dbh_est_cm, unit: "cm" }, { title: "Species", of: (p) => first(p.species_hint, p.leaf_type), words: true },
    ],
    sorted: { column: 0, down: true },
    histogram: { title: "Heights, m", of: (p) => first(p.height_m, p.height_max_m), step: 2 },
  },
  {
    id: "changes-trees", kinds: ["changes-trees"], path: "/api/v1/changes/trees", title: "What became of the trees", parameters: [...dates, leastHeight], fixed: crowns,
    drawn: "crowns", one: "{n} tree", many: "{n} trees",
    type: (p) => p.status, confidence: () => null, height: (p) => first(p.height_after_m, p.height_before_m),
    classes: [
      { id: "grown", name: "Grown", light: "#1a8a3f", dark: "#52c878" }, { id: "stable", name: "Stable", light: "#a6cf5a", dark: "#cdeb8c" },
      { id: "felled", name: "Felled", light: "#c8321c", dark: "#ff7a63" }, { id: "new", name: "New", light: "#2b6fba", dark: "#78b0f2" },
    ].map((c) => ({ ...c, types: [c.id] })),
    columns: [
      { title: "Status", of: (p) => p.status, words: true }, { title: "Before", of: (p) => p.height_before_m, unit: "m", digits: 1 },
      { title: "After", of: (p) => p.height_after_m, unit: "m", digits: 1 }, { title: "Change", of: (p) => p.height_change_m, unit: "m", digits: 1 },
    ],
    sorted: { column: 1, down: true },
    histogram: { title: "Heights, m", of: (p) => first(p.height_after_m, p.height_before_m), step: 2 },
  },
  {
    id: "segments", kinds: ["segment"], path: "/api/v1/segment", title: "Objects", parameters: [{ name: "dataset", kind: "date", title: "Date" }, { name: "min_object_size", kind: "number", title: "Objects from, m²", from: 1, to: 10000, step: 1, usual: 30 }],
    fixed: (m2) => (m2 > large ? {} : { explain: true }), // each says why it is what it is; of many that would be too long
    most: ({ min_object_size: least = 30 } = {}) => keptObjects * Math.max(150, 1.5 * least),
    drawn: "areas", one: "{n} object", many: "{n} objects",
    type: (p) => p.type, confidence: (p) => p.confidence, height: (p) => p.height_max_m,
    classes: objects.map(([id, name, colour]) => ({ id, name, types: [id], light: colour, dark: colour })),
    columns: [
      { title: "Type", of: (p) => p.type, words: true }, { title: "Area", of: (p) => p.area_sqm, unit: "m²" },
      { title: "Sure", of: (p) => p.confidence, digits: 2 }, { title: "Told by", of: (p) => p.classifier_source, words: true },
    ],
    sorted: { column: 1, down: true },
    histogram: { title: "Heights, m", of: (p) => p.height_max_m, step: 2 },
  },
];

/** analysisOf is that of a kind of share, or of an id. */
export const analysisOf = (name) => analyses.find((a) => a.id === name || a.kinds.includes(name));

// Colours for types that the table does not know: told apart as far as twelve are.
export const wheel = ["#1f78b4", "#33a02c", "#e31a1c", "#ff7f00", "#6a3d9a", "#b15928", "#a6cee3", "#b2df8a", "#fb9a99", "#fdbf6f", "#cab2d6", "#777777"];

/** classesOf are the classes of an answer's features, each with how many it has, those that occur. What no class names is a class. */
export function classesOf(analysis, features) {
  const counts = new Map(), out = [];
  for (const f of features) counts.set(analysis.type(f.properties) ?? "unknown", (counts.get(analysis.type(f.properties) ?? "unknown") ?? 0) + 1);
  for (const c of analysis.classes) {
    const n = c.types.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
    for (const id of c.types) counts.delete(id);
    if (n) out.push({ ...c, n });
  }
  for (const [id, n] of [...counts].sort((a, b) => b[1] - a[1])) out.push({ id, name: plain(id), types: [id], n, light: wheel[out.length % wheel.length], dark: wheel[out.length % wheel.length] });
  return out;
}

/** plain is a name of the service as words: "forest_clearcut" is "forest clearcut". */
export const plain = (name) => String(name ?? "").replace(/_unspecified$/, "").replaceAll("_", " ");

/** mostOf is the largest area in m² that an analysis is asked of with some parameters, below the services' limit. */
export const mostOf = (analysis, params, limit) => Math.min(analysis.most?.(params) ?? limit, limit);

/** warningsOf are the warnings of a result in the service's words, but for those that the panel says in its own. */
export const warningsOf = (meta) => (meta?.warnings ?? []).filter((text) => !/^(the|no) height model\b.* covers |^footprints of buildings /.test(text));

/** rowsOf are the features of an answer as rows: what the table, the map and the histogram need of each. */
export function rowsOf(analysis, features, classes) {
  const byType = new Map(classes.flatMap((c, i) => c.types.map((id) => [id, i])));
  return features.map((f, i) => {
    const p = f.properties ?? {};
    return { i, properties: p, geometry: f.geometry, class: byType.get(analysis.type(p) ?? "unknown") ?? 0, cells: analysis.columns.map((c) => c.of(p) ?? null), height: analysis.height(p) ?? null, confidence: analysis.confidence(p) ?? null };
  });
}

/** sorted orders rows by a column; what is not known stands last both ways. */
export function sorted(rows, column, down) {
  const way = down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [a.cells[column], b.cells[column]];
    if (x === null || y === null) return (x === null) - (y === null) || a.i - b.i;
    return (typeof x === "string" ? way * x.localeCompare(y) : way * (x - y)) || a.i - b.i;
  });
}

/** bins count values in steps from a multiple of the step on: {from, to, n}; at most 60, of wider steps where there are more. */
export function bins(values, step) {
  const known = values.filter((v) => Number.isFinite(v));
  if (!known.length) return [];
  let [low, high] = [Infinity, -Infinity];
  for (const v of known) { low = Math.min(low, v); high = Math.max(high, v); }
  while ((high - low) / step > 60) step *= 2;
  const from = Math.floor(low / step), out = Array.from({ length: Math.floor(high / step) - from + 1 }, (_, i) => ({ from: (from + i) * step, to: (from + i + 1) * step, n: 0 }));
  for (const v of known) out[Math.floor(v / step) - from].n++;
  return out;
}

const plainNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** csv is rows as RFC 4180 has it: all properties, and the middle of each shape if it has no position. */
export function csv(rows, middle) {
  const names = [...new Set(rows.flatMap((r) => Object.keys(r.properties)))], cell = (v) => {
    const text = v === null || v === undefined ? "" : typeof v === "object" ? JSON.stringify(v) : String(v);
    const safe = /^[=+\-@\t\r]/.test(text) && !plainNumber.test(text) ? `'${text}` : text; // spreadsheets would take it for a formula
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = [[...names, "lon", "lat"].map(cell).join(",")];
  for (const r of rows) lines.push([...names.map((n) => cell(r.properties[n])), ...middle(r).map((v) => v.toFixed(7))].join(","));
  return `${lines.join("\r\n")}\r\n`;
}

/** geojson is rows as a collection. */
export const geojson = (rows) => ({ type: "FeatureCollection", features: rows.map((r) => ({ type: "Feature", geometry: r.geometry, properties: r.properties })) });
