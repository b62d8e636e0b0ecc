// The price of a parcel in its card: the estimate with its interval, what it starts from, the factors, what would
// change it.
import { element, english, fold, number, rows } from "./dom.js";
import { locale, t } from "./words.js";

const titles = { bauland_built: "building land, built on", bauland_zoned: "building land, not built on", ackerland: "arable land", gruenland: "grassland", wald: "forest", other: "other land" };
const sources = { gemeinde: "of the municipality", bezirk: "of the district", state: "of the state", national: "of the country", literature_state: "indicative figure for the state" };
const methods = { observed: "published", interpolated: "interpolated", extrapolated: "continued" };
const trust = { none: "none", low: "low", medium: "medium", high: "high" };
const factors = { size: "size", shape: "shape", typology: "settlement type" };
const inputs = { typology: "settlement type", compactness: "shape", building_count: "buildings on the parcel", landuse_codes: "land use", landuse_areas: "areas of the land uses", building_period: "construction period", baseline: "starting value", year: "year of the price" };
const said = (table, value) => (table[value] ? t(table[value]) : value);

/** perSqm is a price per m² with about three digits: more would say more than is known. */
export const perSqm = (v) => `${number(v, v >= 99.5 ? 0 : v >= 9.95 ? 1 : 2)} €/m²`;

/** sum is an amount of money with three digits. */
export const sum = (v) => `${v.toLocaleString(locale, { maximumSignificantDigits: 3 })} €`;

const times = (v) => `× ${number(v, 2)}`;
const between = (low, high, form) => t("{low} to {high}", { low: form(low), high: form(high) });

// span draws the interval with the estimate and the value it starts from, as text for who does not see it.
function span(p) {
  const { low_eur_per_sqm: low, high_eur_per_sqm: high } = p.interval;
  const most = Math.max(high, p.baseline_eur_per_sqm ?? 0) * 1.08, box = element("div", undefined, { className: "span" });
  const place = (name, from, to) => {
    const i = element("i", undefined, { className: name });
    i.style.left = `${(from / most) * 100}%`;
    if (to !== undefined) i.style.width = `${((to - from) / most) * 100}%`;
    box.append(i);
  };
  place("interval", low, high);
  if (p.baseline_eur_per_sqm !== null) place("baseline", p.baseline_eur_per_sqm);
  place("estimate", p.buy_eur_per_sqm);
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", t("{price}, between {low} and {high}", { price: perSqm(p.buy_eur_per_sqm), low: perSqm(low), high: perSqm(high) }));
  return box;
}

function figures(p) {
  const b = p.building, applied = Object.entries(p.factors ?? {}).filter(([, v]) => v !== 1).map(([k, v]) => `${said(factors, k)} ${times(v)}`);
  if (p.calibration !== null && p.calibration !== 1) applied.push(`${t("calibration")} ${times(p.calibration)}`);
  return rows([
    [t("Land"), p.buy_total_eur !== null && sum(p.buy_total_eur)],
    [t("Buildings"), b?.value_eur != null && `${sum(b.value_eur)} (${between(b.low_eur, b.high_eur, sum)})`],
    [t("Together"), p.combined_value_eur != null && sum(p.combined_value_eur)],
    [t("Rent"), p.rent_eur_per_ha_year != null && t("{eur} € per ha and year", { eur: number(p.rent_eur_per_ha_year) })],
    [t("Priced as"), said(titles, p.class)],
    [t("Starts from"), p.baseline_eur_per_sqm !== null && [perSqm(p.baseline_eur_per_sqm), said(sources, p.baseline_source), `${p.baseline_year}, ${said(methods, p.baseline_method)}`].join(", ")],
    [t("Factors"), applied.join(", ")],
    [t("Confidence"), said(trust, p.confidence)],
  ]);
}

// basis says what an interval rests on: a sentence of the service's in the page's language, as it came where that is not known.
function basis(text) {
  const [, year, level, from, own = text] = /^not validated for (\d+): the (\w+) value of (\d+) is continued, 3 percent wider a year; its own year: (.+)$/.exec(text) ?? [];
  const known = t(own) !== own || locale.startsWith("en");
  if (!known) return english(text, "p");
  return element("p", year ? t("not validated for {year}: the value {level} of {from} is continued, 3 % wider a year; in its own year: {own}", { year, from, level: said(sources, level), own: t(own) }) : t(own));
}

function reasons(why) {
  const listed = (items) => {
    const ul = element("ul");
    ul.append(...items);
    return ul;
  };
  const list = (texts) => listed(texts.map((text) => english(text, "li")));
  const parts = [];
  const change = why?.what_would_change_it ?? [];
  if (change.length) {
    parts.push(fold(t("What would change it"), "", listed(change.map((c) => {
      const li = element("li"), by = c.factor_low != null && c.factor_high != null ? ` (${between(c.factor_low, c.factor_high, times)})` : "";
      li.append(`${said(inputs, c.input)}: `, english(c.why), by);
      return li;
    }))));
  }
  const steps = [...(why?.steps ?? []), ...(why?.building ? [`Buildings: ${why.building}.`] : []), ...(why?.notes ?? [])];
  if (steps.length) parts.push(fold(t("How it is made"), "", list(steps)));
  return parts;
}

/** renderPrice puts the estimate into a part of the card. */
export function renderPrice(section, { price: p, meta }) {
  if (!p || p.error) { section.replaceChildren(element("h2", t("Price estimate")), p?.error ? english(p.error, "p") : element("p", t("not known"))); return; }
  const source = element("p", `${t("Source")}: `, { className: "source" });
  const licence = String(meta.license ?? "");
  source.append(english(meta.price_series ?? ""), ", ", english(licence));
  const parts = [element("h2", t("Price estimate {year}", { year: p.year }))];
  if (p.buy_eur_per_sqm === null) parts.push(element("p", t("No price is estimated for {class}.", { class: said(titles, p.class) })), ...reasons(p.explanation));
  else {
    const main = element("p", undefined, { className: "price" });
    main.append(element("b", perSqm(p.buy_eur_per_sqm)));
    if (p.interval) main.append(` ${between(p.interval.low_eur_per_sqm, p.interval.high_eur_per_sqm, perSqm)}`);
    parts.push(main);
    if (p.interval) parts.push(span(p), basis(p.interval.basis));
    parts.push(figures(p), ...reasons(p.explanation), element("p", t("An estimate from published means, no appraisal."), { className: "source" }));
  }
  section.replaceChildren(...parts, source);
}
