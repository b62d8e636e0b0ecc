// The parcel card: what the cadastre says of one parcel, as a reader would want it.
const number = (v, digits = 0) => (v === null || v === undefined ? "not known" : v.toLocaleString("en-GB", { maximumFractionDigits: digits, minimumFractionDigits: digits }));
const status = { E: "E: not in the boundary cadastre", G: "G: boundary cadastre" };

function element(name, text, props = {}) {
  const e = Object.assign(document.createElement(name), props);
  if (text !== undefined) e.textContent = text;
  return e;
}

function rows(pairs) {
  const table = element("table");
  for (const [name, value] of pairs) {
    if (value === undefined || value === null || value === "") continue;
    const tr = table.insertRow();
    tr.append(element("th", name, { scope: "row" }), element("td", value));
  }
  return table;
}

function summary(counts) {
  const entries = Object.entries(typeof counts === "object" && counts ? counts : {});
  return entries.map(([code, n]) => `${code} × ${n}`).join(", ");
}

export function renderCard(card, { parcel: p, kg, buildings }, onClose) {
  const close = element("button", "×", { className: "close", title: "Close", onclick: onClose });
  const where = kg ? `KG ${kg.kg_code} ${kg.kg_name}, ${kg.gemeinde_name}, ${kg.state_name}` : `KG ${p.kg_code}`;
  card.replaceChildren(close, element("h1", `Parcel ${p.gnr}`), element("p", where, { className: "where" }), rows([
    ["Parcel id", p.parcel_id],
    ["Area", `${number(p.area_sqm)} m²`],
    ["Folio (EZ)", p.ez ? String(p.ez) : "not known"],
    ["Status", status[p.status] ?? p.status],
    ["Land use", p.landuse_codes],
    ["Symbols", summary(p.landuse_summary)],
    ["Footprints", p.footprint_count && `${p.footprint_count}, ${number(p.total_building_area_sqm)} m²`],
    ["Floor area ratio", p.far ? number(p.far, 2) : undefined],
    ["Shape", p.shape_class && `${p.shape_class}, ${p.vertex_count} vertices`],
    ["Compactness", p.compactness !== undefined ? number(p.compactness, 2) : undefined],
    ["Centroid", p.lon !== undefined ? `${p.lat.toFixed(6)}, ${p.lon.toFixed(6)}` : undefined],
  ]));
  const addresses = buildings.filter((b) => b.parcel_id === p.parcel_id);
  if (addresses.length) {
    const list = element("ul");
    for (const b of addresses.slice(0, 30)) list.append(element("li", b.full_address));
    card.append(element("h2", addresses.length === 1 ? "Address" : `${addresses.length} addresses`), list);
  }
  const actions = element("p", undefined, { className: "actions" });
  const json = `/cadastre/api/v1/parcels/geometry/batch?ids=${encodeURIComponent(p.parcel_id)}`;
  actions.append(element("a", "Link to this parcel", { href: `/p/${encodeURIComponent(p.parcel_id)}` }),
    element("a", "GeoJSON", { href: `${json}&format=geojson` }), element("a", "JSON", { href: `${json}&pretty=1` }));
  card.append(actions);
  card.dataset.parcel = p.parcel_id;
  card.hidden = false;
}
