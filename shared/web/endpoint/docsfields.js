// The members of an answer as rows of a table: {path, type, unit, text, depth}, read from its JSON schema.
const mostDepth = 5, mostFields = 400; // of an answer: the description names them all

// Units that names of members carry.
const unitOf = { sqm: "m²", m: "m", km: "km", m2: "m²", ha: "ha", ms: "ms", s: "s", deg: "°", eur: "EUR", bytes: "bytes", cm: "cm", m3: "m³", pct: "%" };
const pairOf = [[/_eur_per_sqm(_|$)/, "EUR/m²"], [/_eur_per_ha_year(_|$)/, "EUR/ha/a"], [/_eur_per_year(_|$)/, "EUR/a"], [/(^|_)(lon|lat)$/, "° WGS84"]];

// resolved follows $ref; seen are the names on the way, so that a schema that holds itself ends.
function resolved(doc, schema, seen) {
  while (schema && schema.$ref) {
    const name = schema.$ref.split("/").pop();
    if (seen.has(name)) return {description: schema.description, type: "object"};
    seen = new Set(seen).add(name);
    schema = Object.assign({}, doc.components.schemas[name], schema.description ? {description: schema.description} : {});
  }
  return Object.assign({seen}, schema);
}

const notNull = (list) => list.filter((s) => s.type !== "null");

// merged are the members of an object, those of allOf, anyOf and oneOf among them.
function merged(doc, schema, seen) {
  const s = resolved(doc, schema, seen), all = new Map(Object.entries(s.properties || {}).map(([name, p]) => [name, [p, s.seen]]));
  for (const part of notNull((s.allOf || []).concat(s.anyOf || [], s.oneOf || []))) for (const [name, p] of merged(doc, part, s.seen)) if (!all.has(name)) all.set(name, p);
  return all;
}

// itemsOf is what a list holds; a schema that is no list is itself.
function kindOf(doc, schema, seen) {
  let s = resolved(doc, schema, seen), list = 0;
  const parts = () => notNull((s.anyOf || []).concat(s.oneOf || []));
  for (;;) {
    const types = [].concat(s.type || []).filter((x) => x !== "null");
    if (types[0] === "array" && s.items) { list++; s = Object.assign({outer: s.outer || s}, resolved(doc, s.items, s.seen)); continue; }
    if (!types.length && parts().length === 1) { s = Object.assign({outer: s.outer || s}, resolved(doc, parts()[0], s.seen)); continue; }
    return {schema: s, list, type: types.join(" | ") || (s.properties || s.allOf || parts().length ? "object" : "any")};
  }
}

function fieldsOf(doc, schema) {
  const rows = [];
  const walk = (schema, seen, path, depth) => {
    for (const [name, [p, from]] of merged(doc, schema, seen)) {
      if (rows.length >= mostFields) return;
      const first = resolved(doc, p, from), {schema: s, list, type} = kindOf(doc, p, from);
      const told = first.description || s.description || "", unit = /\s*\bUnit: ([^.]+)\.?/.exec(told);
      const byName = (pairOf.find(([pattern]) => pattern.test(name)) || [])[1] || (/number|integer/.test(type) ? unitOf[name.split("_").pop()] : "");
      const values = (s.enum || []).filter((v) => v !== null);
      rows.push({path: path + name + "[]".repeat(list), depth, type: (list ? "list of " : "") + type, null: [].concat(first.type || []).includes("null"), unit: unit ? unit[1] : byName || "",
        text: [told.replace(/\s*\bUnit: [^.]+\.?/, "").trim(), values.length > 1 && values.length <= 40 ? t("One of {list}.", {list: values.map((v) => "`" + v + "`").join(", ")}) : ""].join(" ").trim()});
      if (depth < mostDepth) walk(s, s.seen, path + name + "[]".repeat(list) + ".", depth + 1);
    }
  };
  const top = kindOf(doc, schema, new Set());
  walk(top.schema, top.schema.seen, top.list ? "[]".repeat(top.list) + "." : "", 0);
  return rows;
}
