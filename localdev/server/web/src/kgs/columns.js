// What the landscape service says of its index in its description (openapi.json): the columns of a KG's record with units, and
// the filters that /query/compound takes. The national page and the profile are made from it; a column or a filter that the
// service gains appears in both.

const compound = "/api/v1/query/compound";

/** resolved follows a reference of a description. */
function resolved(doc, shape) {
  for (let i = 0; shape?.$ref && i < 8; i++) shape = shape.$ref.replace(/^#\//, "").split("/").reduce((at, step) => at?.[step], doc);
  return shape ?? {};
}

/** unitIn is the unit that a sentence ends with, "" for none. */
export const unitIn = (text = "") => /\bUnit: ([^\s]+?)\.(?:\s|$)/.exec(text)?.[1] ?? "";

const unitEnding = /_(?:sqm|m3|m|deg|pct|db)$/;

// Parts of names that a reader knows by another word, or in capitals.
const spelled = { gemeinde: "municipality", processed: "analysed", harm: "harmonic", stories: "storeys", ndvi: "NDVI", sar: "SAR", vv: "VV", vh: "VH", rf: "model", dtm: "terrain", tri: "TRI" };

/** titleOf is a name of the service as words: "tree_mean_height_m" is "Tree mean height". */
export function titleOf(name) {
  const words = name.replace(/^n_/, "number_of_").replace(unitEnding, "").split("_").map((w) => spelled[w] ?? w).join(" ");
  return words[0].toUpperCase() + words.slice(1);
}

const operation = (doc) => doc.paths?.[compound]?.get ?? {};

/** recordOf are the columns of a KG's record: {name, title, unit, doc, type, values}; values are those of a closed set. */
export function recordOf(doc) {
  const answer = resolved(doc, operation(doc).responses?.["200"]?.content?.["application/json"]?.schema), row = resolved(doc, answer.properties?.results?.items);
  return Object.entries(row.properties ?? {}).map(([name, shape]) => {
    const types = [shape.type].flat().filter((t) => t && t !== "null"), text = shape.description ?? "";
    return { name, title: titleOf(name), unit: unitIn(text), doc: text.replace(/\s*Unit: \S+?\.(?=\s|$)/, ""), type: types[0] ?? "", values: (shape.enum ?? []).filter((v) => v !== null) };
  });
}

/** filtersOf are the filters of KGs that a form can ask for, in the order of the description:
 *  {kind: "range", name, column}      a numeric column, from min_<name> to max_<name>
 *  {kind: "list", name, column, values}   one of some values
 *  {kind: "place", name, code, label}     one KG's state, district or municipality: its columns with code and name
 *  {kind: "flag", name, doc}
 *  {kind: "types", name, parts, doc}      rows of a type and numbers, written type:number:number */
export function filtersOf(doc) {
  const columns = new Map(recordOf(doc).map((c) => [c.name, c])), all = operation(doc).parameters ?? [], named = new Set(all.map((p) => p.name)), out = [];
  for (const p of all) {
    const { name, schema = {}, description = "" } = p, low = /^min_(.+)$/.exec(name)?.[1], parts = /^Filters type((?::\w+)+)/.exec(description)?.[1];
    if (low && columns.has(low) && named.has(`max_${low}`)) out.push({ kind: "range", name: low, column: columns.get(low) });
    else if (parts) out.push({ kind: "types", name, parts: parts.slice(1).split(":").map((n) => ({ name: n, title: titleOf(n), unit: n.endsWith("_sqm") ? "m²" : "" })), doc: description });
    else if (columns.has(`${name}_code`) && columns.has(`${name}_name`)) out.push({ kind: "place", name, title: titleOf(name), code: `${name}_code`, label: `${name}_name` });
    else if (schema.type === "array" && schema.items?.enum) out.push({ kind: "list", name, title: titleOf(name), values: schema.items.enum });
    else if (schema.type === "boolean" && columns.has(name.replace(/_only$/, ""))) out.push({ kind: "flag", name, title: titleOf(name), doc: description });
  }
  return out;
}

/** numbersOf are the columns that are numbers, in the order in which the service sorts by them. */
export function numbersOf(doc) {
  const ranges = new Map(filtersOf(doc).filter((f) => f.kind === "range").map((f) => [f.name, f.column]));
  const order = operation(doc).parameters?.find((p) => p.name === "sort")?.schema?.enum ?? [...ranges.keys()];
  return order.filter((name) => ranges.has(name)).map((name) => ranges.get(name));
}

/** namedOf are the columns that name one of some values: the type with the largest area, the class of the terrain. */
export const namedOf = (doc) => recordOf(doc).filter((c) => c.type === "string" && c.values.length > 1);

/** typesOf are the types of objects: the values of the column that names the largest. */
export const typesOf = (doc) => recordOf(doc).find((c) => c.name === "dominant_type")?.values ?? [];

/** asked are the members of an address that are filters, as parameters of the service; what the service does not know is left out. */
export function asked(filters, members) {
  const names = filters.flatMap((f) => (f.kind === "range" ? [`min_${f.name}`, `max_${f.name}`] : [f.name]));
  return Object.fromEntries(names.filter((n) => members[n]).map((n) => [n, members[n]]));
}
