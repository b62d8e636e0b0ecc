// Figures of KGs as a reader wants them: digits by their size, units behind, what is not known said.
import { number } from "../dom.js";
import { plain } from "../land/analyses.js";
import { t } from "../words.js";

const digitsOf = (v) => (Math.abs(v) >= 1000 ? 0 : Math.abs(v) >= 10 ? 1 : Math.abs(v) >= 1 ? 2 : 3);

/** figure is a value of a column without its unit: "–" where it is not known. */
export function figure(column, v) {
  if (v === null || v === undefined) return "–";
  if (typeof v === "number") return /year/.test(column.name) ? String(v) : number(v, column.type === "integer" || Number.isInteger(v) ? 0 : digitsOf(v));
  if (typeof v === "boolean") return t(v ? "yes" : "no");
  return t(plain(v));
}

/** withUnit is a figure with its unit: shares as per cent, large areas in hectares and square kilometres. */
export function withUnit(column, v) {
  if (v === null || v === undefined) return t("not known");
  if (typeof v !== "number") return figure(column, v);
  if (column.unit === "m²" && v >= 1e6) return `${number(v / 1e6, 2)} km²`;
  if (column.unit === "m²" && v >= 1e4) return `${number(v / 1e4, 2)} ha`;
  if (!column.unit && /_fraction$|_stability$/.test(column.name)) return `${number(v * 100, 1)} %`;
  return column.unit === "°" ? `${figure(column, v)}°` : `${figure(column, v)}${column.unit ? ` ${column.unit === "d" ? t("day of the year") : column.unit}` : ""}`;
}

/** titled is the title of a column with its unit. */
export const titled = (column) => t(column.title) + (column.unit ? `, ${column.unit}` : "");
