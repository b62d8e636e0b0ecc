// The map's style keeps to the specification of styles, which the bundle leaves to these tests: a reader's browser checks nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { validateStyleMin } from "@maplibre/maplibre-gl-style-spec";
import { build } from "esbuild";

const source = `
export { style } from "./src/style.js";
export { archives } from "./src/base.js";`;

async function bundled() {
  const { outputFiles: [file] } = await build({
    stdin: { contents: source, resolveDir: new URL("..", import.meta.url).pathname }, bundle: true, write: false, format: "esm", loader: { ".csv": "text" },
    external: ["maplibre-gl"], banner: { js: "const location = { search: '' }, navigator = { language: 'en' };" },
  });
  return import(`data:text/javascript;base64,${Buffer.from(file.text.replace(/^import .*"maplibre-gl";$/gm, "const addProtocol = () => {};")).toString("base64")}`);
}

test("the map's style is valid in both modes, with and without a base map", async () => {
  const { style, archives } = await bundled();
  const base = Object.fromEntries(Object.entries(archives).map(([name, s]) => [name, { ...s, url: `pmtiles://${name}` }]));
  for (const mode of ["light", "dark"]) for (const has of [{}, base]) {
    const made = style("pmtiles://land", "data", mode, has);
    assert.deepEqual(validateStyleMin(made).map((e) => e.message), [], `${mode} ${Object.keys(has)}`);
    assert.ok(made.layers.length > 40);
  }
  const wrong = style("pmtiles://land", "data", "light", base);
  wrong.layers[0].paint["background-color"] = "no colour";
  assert.equal(validateStyleMin(wrong).length, 1);
});
