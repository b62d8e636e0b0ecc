// What surrounds a place: the blocks of /context, each folded, with its source and its licence; what is missing, with
// the reason.
import { element, english, fold, link, metres, number, rows } from "./dom.js";
import { areaButton } from "./card.js";
import { targets } from "./nearest.js";
import { t } from "./words.js";

/** blocks are those that are asked for, in the order of the card. The price of a parcel has its own part of the card. */
export const blocks = ["municipality", "osm", "natura2000", "protected_area", "toponyms", "legal", "ne"];

const most = 12; // rows of a list in a block

const titles = { municipality: "Municipality", osm: "Nearest", natura2000: "Natura 2000", protected_area: "Protected areas", toponyms: "Names around", legal: "Legal references", land_price: "Land price", ne: "Land statistics" };
const title = (block) => (titles[block] ? t(titles[block]) : block);

const words = (text) => (text ?? "").replaceAll("_", " ");
const named = (block, target) => target.names.map((n) => block[n]).find(Boolean);

/** said is how the name of a target is told: its name, else its class. */
export const said = (block, target) => words(named(block, target));

function list(items, draw) {
  const ul = element("ul");
  for (const item of items.slice(0, most)) {
    const li = element("li");
    li.append(...[draw(item)].flat());
    ul.append(li);
  }
  if (items.length > most) ul.append(element("li", t("and {n} more", { n: items.length - most })));
  return ul;
}

// Each drawer gives [gist, ...parts] of a block.
const drawers = {
  municipality: (b) => [b.name, rows([[t("Code"), b.gemeinde_code], [t("District"), `${b.district_name} (${b.district_code})`], [t("State"), b.state]])],
  osm: (b) => {
    const known = targets.filter((x) => b[x.distance] !== null && b[x.distance] !== undefined);
    const pairs = known.map((x) => [t(x.title), [said(b, x), metres(b[x.distance])].filter(Boolean).join(", ")]);
    const first = known.toSorted((a, c) => b[a.distance] - b[c.distance])[0];
    return [first ? `${said(b, first) || t(first.title)}, ${metres(b[first.distance])}` : t("nothing near"), rows([...pairs, [t("Remoteness"), t("{n} of 100", { n: number(b.remoteness, 1) })]])];
  },
  natura2000: (b) => sites(b.in_natura2000, b.sites, (s) => [element("b", s.sitename), ` ${s.sitecode}, ${s.site_type_label}${s.area_ha ? `, ${number(s.area_ha)} ha` : ""} `, areaButton(`site:${s.sitecode}`, t("What lies in it"))]),
  protected_area: (b) => sites(b.in_protected_area, b.sites, (s) => [element("b", s.name), ` ${s.desig}${s.iucn_cat ? `, IUCN ${s.iucn_cat}` : ""} `, areaButton(`protected:${s.name}`, t("What lies in it"))]),
  toponyms: (b) => [b.rows.length ? b.rows.slice(0, 2).map((r) => r.name).join(", ") : t("none within {far}", { far: metres(b.radius_m) }),
    list(b.rows, (r) => [element("b", [r.name, ...(r.minority_names ?? [])].join(" / ")), ` ${r.f_name}, ${metres(r.distance_m)}`])],
  legal: (b) => (b.total_refs === 0 ? [t("none in KG {kg}", { kg: b.kg_code })] : [t("{n} in KG {kg}", { n: number(b.total_refs), kg: b.kg_code }),
    list(b.refs, (r) => [link(r.law, r.ris_url), ` ${[words(r.legal_context), r.grundstueck ? t("parcel {gnr}", { gnr: r.grundstueck }) : t("whole KG")].join(", ")}`])]),
};

function sites(inside, list_, draw) {
  if (!inside) return [t("none here")];
  return [list_.map((s) => s.sitename ?? s.name).slice(0, 2).join(", "), list(list_, draw)];
}

// A block that this page knows no drawer for is told as it comes: its plain members, one below the other.
function plain(value) {
  const pairs = [];
  const walk = (v, path) => {
    if (pairs.length >= 40 || v === null || v === undefined) return;
    if (typeof v !== "object") pairs.push([words(path), typeof v === "number" ? number(v, Number.isInteger(v) ? 0 : 2) : String(v)]);
    else for (const [k, x] of Object.entries(v)) walk(x, path ? `${path} ${k}` : k);
  };
  walk(value, "");
  return ["", rows(pairs)];
}

function source(s) {
  const p = element("p", `${t("Source")}: `, { className: "source" });
  p.append(english(s.dataset), s.attribution ? `, ` : "", english(s.attribution ?? ""), ", ", link(s.license, s.license_url));
  return p;
}

/** renderAround puts the blocks of an answer into a part of the card. What was open stays open. */
export function renderAround(section, { data }) {
  const open = new Set([...section.querySelectorAll("details[open]")].map((d) => d.dataset.block));
  const sources = new Map((data.sources ?? []).map((s) => [s.block, s]));
  const parts = [...new Set([...blocks, ...sources.keys()])].filter((b) => data[b] !== undefined && data[b] !== null).map((block) => {
    const [gist, ...held] = (drawers[block] ?? plain)(data[block]);
    const details = fold(title(block), gist, ...held, ...(sources.has(block) ? [source(sources.get(block))] : []));
    details.dataset.block = block;
    details.open = open.has(block);
    return details;
  });
  const missing = Object.entries(data.missing ?? {});
  if (missing.length) {
    const details = fold(t("Not at hand"), missing.map(([b]) => title(b)).join(", "), rows(missing.map(([block, why]) => [title(block), english(why)])));
    details.dataset.block = "missing";
    details.open = open.has("missing");
    parts.push(details);
  }
  section.replaceChildren(element("h2", t("Around this place")), ...parts);
}
