// Finder turns what is typed into suggestions: parcels, places, streets, addresses. Each says what it is and
// what the map has to show: {parcel} to open, or {box} or {at} to go to.
import { coordinatesIn } from "./coordinates.js";
import { number } from "./dom.js";
import { fold, parse, score, splits } from "./query.js";
import { t } from "./words.js";

const most = 8; // suggestions
const streetKGs = 8; // KGs whose addresses a search reads
const viewKGs = 32; // of more KGs in view the nearest are no answer

// areaOf is a KG or a municipality as an area of the landscape panel.
const areaOf = (e) => ({ kg: `kg:${e.code}`, municipality: `municipality:${e.gemeinde}` })[e.kind];

export class Finder {
  /** view gives {box, kg}: what is seen and the code of the KG in its middle or of the open parcel. */
  constructor({ places, addresses, view }) {
    Object.assign(this, { places, addresses, view });
  }

  /** suggest gives {list, hint}: hint says what to add where nothing was found. */
  async suggest(text) {
    const asked = parse(text);
    if (!asked.words) return { list: [], hint: "" };
    const positions = coordinatesIn(text);
    if (positions.length) return { list: positions.slice(0, most).map(({ at, system }) => ({ kind: "position", title: asked.words, detail: t("{lat}° N, {lon}° E ({system})", { lat: number(at[1], 5), lon: number(at[0], 5), system }), at, zoom: 17 })), hint: "" };
    const list = this.parcels(asked);
    if (asked.digits) list.push(...this.codes(asked.digits));
    const named = asked.gnr && asked.name ? [] : this.places.find(asked.words, most);
    list.push(...named.map((e) => this.place(e)));
    const certain = asked.kg || asked.digits || (asked.gnr && !asked.name) || asked.gnr?.startsWith("."); // no house has a dot
    if (!certain && list.length < most && fold(asked.words).length >= 3) list.push(...(await this.streets(asked.words)));
    return { list: unique(list).slice(0, most), hint: list.length ? "" : this.hint(asked) };
  }

  hint(asked) {
    if (asked.gnr && !asked.name) return t("{text} is a parcel number; add its KG, for example {kg} {text}", { text: asked.gnr, kg: this.places.byKG.keys().next().value ?? "01004" });
    const text = `“${asked.words}”`;
    const everywhere = this.places.inBox(this.view().box).length >= this.places.byKG.size;
    return everywhere ? t("nothing is named {text}", { text }) : t("nothing is named {text} in the KGs in view; add the place, or zoom in", { text });
  }

  parcel(kg, gnr) {
    const known = this.places.kg(kg);
    const code = known?.kg_code ?? kg.padStart(5, "0");
    return { kind: "parcel", title: `${code}-${gnr}`, detail: t("parcel in KG {code} {name}", { code, name: known?.kg_name ?? "" }).trim(), parcel: `${code}-${gnr}` };
  }

  // parcels are those that the text can mean: with the KG's code, with its name, or in the KG in view.
  parcels({ kg, gnr, name, words }) {
    if (!gnr) return [];
    if (kg) return [this.parcel(kg, gnr)];
    if (name) {
      const plain = !/[./]/.test(gnr);
      const kgs = this.places.find(name, 20).filter((e) => e.code && (!plain || score(e.folded, fold(name)) >= 80));
      return [...new Set(kgs.map((e) => e.code))].slice(0, plain ? 2 : 4).map((code) => this.parcel(code, gnr));
    }
    const here = this.view().kg;
    return here && words ? [this.parcel(here, gnr)] : [];
  }

  codes(digits) {
    const kg = this.places.kg(digits);
    const out = kg ? [this.place(this.places.entries.find((e) => e.kind === "kg" && e.code === kg.kg_code))] : [];
    if (digits.length === 4) out.push(...this.places.ofPostalCode(digits).map((e) => this.place(e)));
    return out;
  }

  place(e) {
    return { kind: e.kind, title: e.name, detail: e.detail, box: this.places.box(e), at: e.at[0] == null ? null : e.at, zoom: 15.5, ...(areaOf(e) && { area: areaOf(e) }) };
  }

  // streets are streets and addresses: of the place that is named with them, else of the KGs in view.
  async streets(words) {
    const out = [];
    const tries = splits(words).map((s) => ({ ...s, entries: this.places.exact(s.place) })).filter((s) => !s.place || s.entries.length);
    tries.sort((a, b) => b.place.length - a.place.length);
    for (const s of tries) {
      if (s.street.length < 2) continue;
      const codes = s.place ? [...new Set(s.entries.flatMap((e) => this.places.kgsOf(e)))] : this.places.inBox(this.view().box);
      const kgs = codes.slice(0, streetKGs).map((code) => this.places.byKG.get(code)).filter(Boolean);
      if (!kgs.length || (!s.place && codes.length > viewKGs)) continue;
      const rows = (await Promise.all(kgs.map((kg) => this.addresses.ofKG(kg)))).flat();
      out.push(...matching(rows, s));
      if (out.length >= most) break;
    }
    return out;
  }
}

// matching gives the streets that answer, and where a house number is given their houses with it.
function matching(rows, { street, house }) {
  const byStreet = new Map();
  for (const a of rows) {
    if (!a.street) continue;
    const s = score(fold(a.street), street);
    if (s === 0) continue;
    const key = `${a.street}|${a.ort ?? ""}`;
    const hit = byStreet.get(key) ?? { s, street: a.street, ort: a.ort ?? "", plz: a.postal_code ?? "", rows: [] };
    hit.rows.push(a);
    byStreet.set(key, hit);
  }
  const hits = [...byStreet.values()].sort((a, b) => b.s - a.s || a.street.localeCompare(b.street, "de"));
  const out = [];
  for (const h of hits) {
    const place = `${h.plz} ${h.ort}`.trim();
    const houses = house ? h.rows.filter((a) => (a.house_number ?? "").toLowerCase().replace(/\s/g, "") === house) : [];
    for (const a of houses) {
      out.push({ kind: "address", title: `${a.street} ${a.house_number}`, detail: t("address in {place}", { place }), parcel: a.parcel_id ?? undefined, at: [a.lon, a.lat], zoom: 18 });
    }
    if (houses.length || fold(h.street) === fold(h.ort)) continue; // a place whose streets have no names is found as a place
    const lon = h.rows.map((a) => a.lon), lat = h.rows.map((a) => a.lat);
    out.push({ kind: "street", title: h.street, detail: t("street in {place}", { place }), box: [Math.min(...lon), Math.min(...lat), Math.max(...lon), Math.max(...lat)] });
  }
  return out;
}

function unique(list) {
  const seen = new Set();
  return list.filter((s) => {
    const key = `${s.kind}|${s.title}|${s.detail}`;
    return !seen.has(key) && seen.add(key);
  });
}
