// What the profile of a KG makes of an answer: figures in groups, losses year by year.

const pixel = 900; // m² of a cell of the map of forest loss

// The figures by what they are about; what no group names stands in the last.
const groups = [
  { title: "Cadastre", of: /^(parcel_count|building_count|total_area)/ },
  { title: "Terrain", of: /^(elevation|slope|aspect|steepness|tri_|terrain|roughness)/ },
  { title: "Vegetation", of: /^(vegetated|ndvi|tree_|shannon|phenology|dominant)/ },
  { title: "Buildings and infrastructure", of: /^(building_|new_building|infrastructure)/ },
  { title: "Change between scans", of: /^(net_volume|temporal|dtm_change|n_changed|total_disturbed)/ },
  { title: "Analysis and quality", of: /./ },
];
const elsewhere = /^(kg_|gemeinde_|district_|state_|zenodo_)|^(bbox|centroid|processed)$/;

/** grouped are the columns of each group, in the order of the record; those that the page says elsewhere are left out. */
export function grouped(columns) {
  const out = groups.map((g) => ({ title: g.title, columns: [] }));
  for (const c of columns) if (!elsewhere.test(c.name)) out[groups.findIndex((g) => g.of.test(c.name))].columns.push(c);
  return out.filter((g) => g.columns.length);
}

/** lossByYear are the years from the first with a loss to the last, each with its hectares. */
export function lossByYear(list) {
  const of = new Map(list.filter((l) => l.loss_pixels > 0).map((l) => [l.loss_year, l.loss_pixels]));
  if (!of.size) return [];
  const from = Math.min(...of.keys()), to = Math.max(...of.keys());
  return Array.from({ length: to - from + 1 }, (_, i) => ({ label: String(from + i), value: ((of.get(from + i) ?? 0) * pixel) / 1e4 }));
}
