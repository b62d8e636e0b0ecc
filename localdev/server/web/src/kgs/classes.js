// Classes of a column for a choropleth: where each begins, and which one a value is in.

/** ways of dividing values into classes. */
export const ways = [
  { id: "quantiles", name: "Quantiles: as many KGs in each class" },
  { id: "equal", name: "Equal steps" },
];

/** classesOf divides the values that are known into at most n classes: {from: [where each begins], least, most}. Fewer where
 * values are alike; none where no value is known. */
export function classesOf(values, n, way = "quantiles") {
  const known = values.filter((v) => Number.isFinite(v)).sort((a, b) => a - b);
  if (!known.length) return { from: [], least: null, most: null };
  const [least, most] = [known[0], known.at(-1)];
  const begins = Array.from({ length: n }, (_, i) => (way === "equal" ? least + ((most - least) * i) / n : known[Math.floor((i * known.length) / n)]));
  return { from: begins.filter((v, i) => i === 0 || v > begins[i - 1]), least, most };
}

/** classIn is the class of a value, -1 where it is not known. */
export const classIn = ({ from }, value) => (Number.isFinite(value) ? Math.max(from.findLastIndex((f) => value >= f), 0) : -1);

/** namesIn are the values of a column of names that occur, in the order of the column. */
export const namesIn = (column, values) => { const seen = new Set(values); return column.values.filter((v) => seen.has(v)); };

/** spread picks n of a row of colours, the first and the last among them. */
export const spread = (colours, n) => Array.from({ length: n }, (_, i) => colours[n === 1 ? Math.floor(colours.length / 2) : Math.round((i * (colours.length - 1)) / (n - 1))]);

/** left is the state of a KG that the filter leaves out, unknown of one whose value is not known; others are classes. */
export const left = -2, unknown = -1;
const dim = { light: "#d9d9d4", dark: "#3a4341" };
export const unknownColour = (mode) => dim[mode];
