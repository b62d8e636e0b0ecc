// What the legend and the cards of cells say alike.
import { moves } from "./cellrows.js";
import { element, number } from "./dom.js";
import { classes, statuses } from "./palette.js";
import { t } from "./words.js";

/** areas is an area as people say it. */
export const areas = (m2) => (m2 >= 100_000 ? `${number(m2 / 1e6, 2)} km²` : m2 >= 10_000 ? `${number(m2 / 10_000, 1)} ha` : `${number(m2, m2 < 10 ? 1 : 0)} m²`);

/** useOf is a class of land use in words. */
export const useOf = (id) => t(classes.find((c) => c.id === id)?.name ?? "no declared use");

/** moved is a move of ground from a use to another in words. */
export const moved = ({ from, to, area }) => `${useOf(from)} → ${useOf(to)}: ${areas(area)}`;

/** sumsOf is what changed in KGs, {confirmed, candidate}, as parts of a page with at most so many moves each. */
export function sumsOf(change, listed, mode) {
  return statuses.flatMap((s) => {
    const { cells, transitions_m2: by } = change[s.id];
    if (!cells) return [];
    const all = moves(by), ul = element("ul", "", { className: "moves" }), title = element("p", undefined, { className: "status" }), swatch = element("i");
    swatch.style.background = s[mode];
    title.append(swatch, `${t(s.name)}: ${areas(all.reduce((sum, m) => sum + m.area, 0))}, ${t("{n} cells", { n: number(cells) })}`);
    for (const m of all.slice(0, listed)) ul.append(element("li", moved(m)));
    if (all.length > listed) ul.append(element("li", t("and {n} more", { n: all.length - listed })));
    return [title, ul];
  });
}
