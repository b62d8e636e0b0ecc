// The samples of the reference as its page writes them: node samples.mjs FOLDER BASE SERVICE < openapi.json gives a JSON list of
// {id, request, samples: {language: text}}, each operation with its example. FOLDER has the page's scripts, which are run without a page.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [folder, base, service] = process.argv.slice(2), doc = JSON.parse(readFileSync(0, "utf8"));
const nothing = { getAttribute: () => `${base}/${service}/openapi.json`, dataset: {} };
const page = vm.createContext({
  document: { getElementById: () => nothing, documentElement: {}, body: nothing }, location: { search: "", href: `${base}/${service}/docs` }, navigator: { language: "en" },
  URL, URLSearchParams, fetch: async () => { throw new Error("the page is not drawn"); }, addEventListener: () => {},
});
const scripts = ["docswords.js", "docssamples.js", "docsfields.js", "docs.js"].map((name) => readFileSync(`${folder}/${name}`, "utf8")).join("\n");
const { samples, requestOf, exampleValues } = vm.runInContext(`${scripts}\n;({ samples, requestOf, exampleValues })`, page);

const list = [];
for (const [path, item] of Object.entries(doc.paths)) for (const [method, op] of Object.entries(item)) {
  if (!op["x-example"] || op.security?.length) continue; // nothing to ask, or a token first
  const values = { ...exampleValues(path, op), "request body": op["x-example-body"] ?? "" };
  const request = requestOf(path, method, op, { elements: { namedItem: (name) => (name in values ? { value: values[name] } : null) } });
  list.push({ id: `${service} ${op.operationId}`, request, samples: Object.fromEntries(Object.entries(samples).map(([language, write]) => [language, write(request)])) });
}
process.stdout.write(JSON.stringify(list));
