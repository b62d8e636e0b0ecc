// The names of municipalities, KGs and localities: one static document of the served generation, or, of a
// generation that has none, the list of KGs.
import { kgList } from "./api.js";
import { fold, score } from "./query.js";
import { t } from "./words.js";

const table = ({ columns, rows }) => rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));

/** Places answers names with what bears them. */
export class Places {
  constructor(municipalities, kgs, localities) {
    this.byGemeinde = new Map(municipalities.map((m) => [m.gemeinde_code, m]));
    this.byKG = new Map(kgs.map((k) => [k.kg_code, k]));
    this.entries = [
      ...municipalities.map((m) => ({ kind: "municipality", name: m.gemeinde_name, gemeinde: m.gemeinde_code, at: [m.lon, m.lat], detail: t("municipality, district {district}", { district: m.district_name }) })),
      ...kgs.map((k) => ({ kind: "kg", name: k.kg_name, code: k.kg_code, gemeinde: k.gemeinde_code, at: [k.lon, k.lat], detail: t("KG {code}, {gemeinde}", { code: k.kg_code, gemeinde: this.gemeindeName(k.gemeinde_code) }) })),
      ...localities.map((l) => ({ kind: "place", name: l.name, code: l.kg_code, gemeinde: l.gemeinde_code, plz: l.plz ?? [], at: [l.lon, l.lat], detail: t("place, {plz} {gemeinde}", { plz: (l.plz ?? []).join(", "), gemeinde: this.gemeindeName(l.gemeinde_code) }) })),
    ];
    for (const e of this.entries) e.folded = fold(e.name);
  }

  gemeindeName(code) { return this.byGemeinde.get(code)?.gemeinde_name ?? ""; }
  kg(code) { return this.byKG.get(code.padStart(5, "0")); }

  /** find lists what the words name, the best first; of equals municipalities before KGs before localities. */
  find(words, limit = 8) {
    const asked = fold(words);
    const hits = [];
    for (const [i, e] of this.entries.entries()) {
      const s = score(e.folded, asked);
      if (s > 0) hits.push([s, i, e]);
    }
    return hits.sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, limit).map((h) => h[2]);
  }

  /** exact lists what has exactly this name, folded. */
  exact(folded) { return folded ? this.entries.filter((e) => e.folded === folded) : []; }

  /** ofPostalCode lists the localities of a postal code. */
  ofPostalCode(plz, limit = 8) { return this.entries.filter((e) => e.plz?.includes(plz)).slice(0, limit); }

  /** kgsOf are the codes of the KGs that an entry lies in or is made of. */
  kgsOf(e) {
    if (e.code) return [e.code];
    return [...this.byKG.values()].filter((k) => k.gemeinde_code === e.gemeinde).map((k) => k.kg_code);
  }

  /** box is [west, south, east, north] around an entry, null where only its position is known. */
  box(e) {
    if (e.kind === "place") return null;
    return this.kgsOf(e).map((code) => this.byKG.get(code)).filter((k) => k?.west != null)
      .reduce((b, k) => (b ? [Math.min(b[0], k.west), Math.min(b[1], k.south), Math.max(b[2], k.east), Math.max(b[3], k.north)] : [k.west, k.south, k.east, k.north]), null);
  }

  /** inBox are the codes of the KGs whose boxes reach into [west, south, east, north], nearest to its middle first. */
  inBox([west, south, east, north]) {
    const far = (k) => Math.hypot(k.lon - (west + east) / 2, k.lat - (south + north) / 2);
    return [...this.byKG.values()].filter((k) => k.west != null && k.west < east && k.east > west && k.south < north && k.north > south)
      .sort((a, b) => far(a) - far(b)).map((k) => k.kg_code);
  }

  /** features are the labels of the map. */
  features() {
    return { type: "FeatureCollection", features: this.entries.filter((e) => e.at[0] != null).map((e) => ({
      type: "Feature", geometry: { type: "Point", coordinates: e.at }, properties: { kind: e.kind, name: e.name, code: e.code ?? "" } })) };
  }
}

/** loadPlaces reads the document that the pointer of the served generation names. */
export async function loadPlaces(pointer) {
  if (pointer.places) {
    const reply = await fetch(`/artefacts/${pointer.places}`);
    if (!reply.ok) throw new Error(t("the service answered {status}", { status: reply.status }));
    const doc = await reply.json();
    if (doc.format === 1) return new Places(table(doc.municipalities), table(doc.kgs), table(doc.localities));
  }
  const kgs = await kgList();
  const municipalities = [...new Map(kgs.map((k) => [k.gemeinde_code, { ...k, lon: null, lat: null }])).values()];
  return new Places(municipalities, kgs.map(({ bbox, centroid, ...k }) => ({ ...k, west: bbox?.[0], south: bbox?.[1], east: bbox?.[2], north: bbox?.[3], lon: centroid?.[0], lat: centroid?.[1] })), []);
}
