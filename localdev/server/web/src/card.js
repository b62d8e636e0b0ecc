// The parcel card: what the cadastre says of one parcel, as a reader would want it.
import { parcelFile, parcelSheet } from "./api.js";
import { element, number, rows } from "./dom.js";
import { grip } from "./sheet.js";
import { useName } from "./uses.js";
import { locale, t } from "./words.js";

const status = { E: "not in the boundary cadastre (E)", G: "held in the boundary cadastre (G)" };
const most = 30; // addresses that are listed

/** landUse is the uses of a parcel in words, with how often a use is drawn where it is drawn more than once. */
export function landUse(p) {
  const counts = typeof p.landuse_summary === "object" && p.landuse_summary ? p.landuse_summary : {};
  const codes = Object.keys(counts).length ? Object.keys(counts) : (p.landuse_codes ?? "").split(",").filter(Boolean);
  const said = codes.map((code, i) => {
    const name = useName(code.trim());
    const inside = i === 0 || /^\p{Lu}\p{Lu}/u.test(name) ? name : lower(name);
    return counts[code] > 1 ? `${inside} (${counts[code]} ×)` : inside;
  });
  return said.join(", ");
}

// lower begins an English name small; German nouns keep their capital.
const lower = (name) => (locale.startsWith("de") ? name : name[0].toLowerCase() + name.slice(1));

/** closer is the button that closes a card. */
export function closer(onClose) {
  const close = element("button", "×", { className: "close", title: t("Close"), type: "button", onclick: onClose });
  close.setAttribute("aria-label", t("Close"));
  return close;
}

/** areaButton is a button that makes something an area of the landscape panel: "parcel:99101-1", "kg:99101", "municipality:59902",
 * "site:AT3299001", "protected:Lorfachauen". */
export function areaButton(area, text) {
  const b = element("button", text, { type: "button", className: "quiet" });
  b.dataset.area = area;
  return b;
}

/** heading is the title of a card. */
export const heading = (text) => element("h1", text, { tabIndex: -1, id: "card-title" });

/** opened shows a card from its beginning. */
export function opened(card) {
  card.prepend(grip(card));
  card.hidden = false;
  card.scrollTop = 0;
}

/** renderPlace is the card of a point in no parcel. */
export function renderPlace(card, { lng, lat }, onClose) {
  card.replaceChildren(closer(onClose), heading(t("Place")), element("p", `${lat.toFixed(6)}, ${lng.toFixed(6)}`, { className: "where" }), element("p", t("no parcel here")), around());
  delete card.dataset.parcel;
  delete card.dataset.cell;
  opened(card);
}

// around is the part of the card that says what surrounds the place, filled when the service has answered.
const around = () => element("section", undefined, { id: "around" });

/** renderCard is the card of a parcel. */
export function renderCard(card, { parcel: p, kg, buildings }, onClose) {
  const where = kg ? t("KG {code} {name}, {gemeinde}, {state}", { code: kg.kg_code, name: kg.kg_name, gemeinde: kg.gemeinde_name, state: kg.state_name }) : `KG ${p.kg_code}`;
  card.replaceChildren(closer(onClose), heading(t("Parcel {gnr}", { gnr: p.gnr })), element("p", where, { className: "where" }), rows([
    [t("Parcel id"), p.parcel_id],
    [t("Area"), `${number(p.area_sqm)} m²`],
    [t("Folio (EZ)"), p.ez ? String(p.ez) : t("not known")],
    [t("Boundary"), status[p.status] ? t(status[p.status]) : p.status],
    [t("Land use"), landUse(p)],
    [t("Buildings"), p.footprint_count > 0 && t("{n} ({area} m² of ground)", { n: p.footprint_count, area: number(p.total_building_area_sqm) })],
    [t("Built-over share"), p.far ? `${number(p.far * 100)} %` : undefined],
    [t("Shape"), p.shape_class && t("{shape}, {n} corners", { shape: t(p.shape_class), n: p.vertex_count })],
    [t("Compactness"), p.compactness != null ? number(p.compactness, 2) : undefined],
    [t("Position"), p.lon != null ? `${p.lat.toFixed(6)}, ${p.lon.toFixed(6)}` : undefined],
  ]));
  card.append(element("section", undefined, { id: "price" }), element("section", undefined, { id: "terrain" }));
  const addresses = buildings.filter((b) => b.parcel_id === p.parcel_id);
  if (addresses.length) {
    const list = element("ul");
    for (const b of addresses.slice(0, most)) list.append(element("li", b.full_address));
    if (addresses.length > most) list.append(element("li", t("and {n} more", { n: addresses.length - most })));
    card.append(element("h2", addresses.length === 1 ? t("Address") : t("{n} addresses", { n: addresses.length })), list);
  }
  const actions = element("p", undefined, { className: "actions" });
  actions.append(element("a", t("Link to this parcel"), { href: `/p/${encodeURIComponent(p.parcel_id)}` }),
    element("a", t("Sheet to print"), { href: parcelSheet(p.parcel_id) }), element("a", "PDF", { href: parcelSheet(p.parcel_id, { format: "pdf" }) }),
    element("a", "GeoJSON", { href: parcelFile(p.parcel_id, { format: "geojson" }) }), element("a", "JSON", { href: parcelFile(p.parcel_id, { pretty: 1 }) }));
  const areas = element("p", undefined, { className: "actions" });
  areas.append(`${t("What lies in")} `, areaButton(`parcel:${p.parcel_id}`, t("the parcel")), " ", areaButton(`kg:${p.kg_code}`, t("the KG")));
  if (kg?.gemeinde_code) areas.append(" ", areaButton(`municipality:${kg.gemeinde_code}`, t("the municipality")));
  card.append(actions, areas, around());
  delete card.dataset.cell;
  card.dataset.parcel = p.parcel_id;
  opened(card);
}
