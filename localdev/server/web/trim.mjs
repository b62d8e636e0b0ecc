// What the pages' maps use of MapLibre. What they do not use is left out of the bundle, a sixth of its bytes on the line: each of those
// modules is replaced by one with the same names, which says so where it is used after all.
import { readFile } from "node:fs/promises";

// The globe and other views from space, terrain in three dimensions, layers and sources that no page has, debugging aids.
const unused = [
  /geo\/projection\/(globe|vertical_perspective)\w*\.ts$/, // but for the utilities below
  /render\/terrain\.ts$/, /tile\/terrain_tile_manager\.ts$/, /webgl\/render_to_texture\.ts$/,
  /style\/style_layer\/(heatmap|fill_extrusion|color_relief|custom)_style_layer\.ts$/,
  /webgl\/draw\/draw_(heatmap|fill_extrusion|color_relief|custom|terrain|debug|collision_debug)\.ts$/,
  /webgl\/program\/(heatmap|fill_extrusion|color_relief|sky|debug)_program\.ts$/,
  /source\/((video|image|canvas)_source|vector_tile_mlt)\.ts$/, // tiles are MVT
];
const used = /globe_utils\.ts$/;
const kinds = "heatmap|collision_|color_relief|debug|depth|fill_extrusion|terrain|atmosphere|sky|_projection_globe|line_gradient|line_pattern|background_pattern";
const unusedShaders = new RegExp(`glsl/(${kinds})\\w*\\.(vertex|fragment)\\.glsl\\.g\\.ts$`);

/** absent is a module with the names of another, of which nothing may be used; whether a layer is of its kind is answered with no. */
export function absent(source, name) {
  const classes = [...source.matchAll(/^export (?:abstract )?class (\w+)/gm)].map((m) => m[1]);
  const listed = [...source.matchAll(/^export \{([^}]*)\};/gm)].flatMap((m) => m[1].split(",")).map((n) => n.trim())
    .filter((n) => n && !n.startsWith("type "));
  const others = [...source.matchAll(/^export (?:function|const) (\w+)/gm)].map((m) => m[1]).concat(listed);
  return [
    `const absent = () => { throw new Error("${name} is left out of this bundle"); };`,
    ...classes.map((n) => `export class ${n} { constructor() { absent(); } }`),
    ...others.map((n) => `export const ${n} = ${/^is[A-Z]/.test(n) ? "() => false" : "absent"};`),
  ].join("\n");
}

// Styles are checked by the tests, not by each reader's browser; an expression that is not valid throws there, too.
const unchecked = `
const none = () => [], no = () => false;
const parts = ["source", "sprite", "glyphs", "layer", "light", "sky", "terrain", "filter", "paintProperty", "layoutProperty"];
export const validateStyle = Object.assign(() => [], Object.fromEntries(parts.map((part) => [part, none])));
export const SPEC_SOURCE_TYPES = new Set(["vector", "raster", "raster-dem", "geojson"]);
export { no as validateStyleAndEmit, no as emitValidationErrors, no as validateAndEmit };`;

// Names are written from the left to the right: a line is what stands between two breaks.
const leftToRight = `
function lines(text, breaks) {
  const ends = [...breaks, ...[...text.matchAll(/\\n/g)].map((m) => m.index + 1)].filter((n) => n > 0 && n < text.length);
  const at = [...new Set([0, ...ends, text.length])].sort((a, b) => a - b);
  return at.slice(1).map((end, i) => [at[i], end]);
}
export const processBidirectionalText = (text, breaks) => lines(text, breaks).map(([a, b]) => text.slice(a, b));
export const processStyledBidirectionalText = (text, sections, breaks) =>
  lines(text, breaks).map(([a, b]) => [text.slice(a, b), sections.slice(a, b)]);`;

// No view is so low that the sky is in it, which is painted over the whole map all the same.
const noSky = "export const drawSky = () => {}, drawAtmosphere = () => {};";

// The reference of styles names every property of every layer; what checks it and what describes layers that are left out goes.
const kept = /^(\$version|(layout|paint)_(background|circle|fill|line|raster|symbol|hillshade)|light|sky|projection|property-type)$/;
async function reference(path) {
  const { default: all } = await import(path);
  return `export default ${JSON.stringify(Object.fromEntries(Object.entries(all).filter(([name]) => kept.test(name))))};`;
}

// A name of gl-matrix is taken from its own file: through the index, everything of it is in the bundle.
const matrices = (source) => source.replace(/^import \{([^}]*)\} from 'gl-matrix';/gm, (_, names) => names.split(",").map((n) => n.trim())
  .filter((n) => !n.startsWith("type ")).map((n) => `import * as ${n} from 'gl-matrix/esm/${n}.js';`).join(" "));

/** trimmed is the plugin of the bundler. */
export const trimmed = {
  name: "trimmed",
  setup({ onLoad }) {
    const text = (path) => readFile(path, "utf8");
    onLoad({ filter: /maplibre-gl\/src\/style\/validate_style\.ts$/ }, () => ({ contents: unchecked }));
    onLoad({ filter: /maplibre-gl\/src\/symbol\/bidi\.ts$/ }, () => ({ contents: leftToRight }));
    onLoad({ filter: /maplibre-gl\/src\/symbol\/arabic_shaping\.ts$/ }, () => ({ contents: "export const applyArabicShaping = (text) => text;" }));
    onLoad({ filter: /maplibre-gl\/src\/webgl\/draw\/draw_sky\.ts$/ }, () => ({ contents: noSky }));
    onLoad({ filter: /maplibre-gl-style-spec\/dist\/reference\/v8\.mjs$/ }, async ({ path }) => ({ contents: await reference(path) }));
    onLoad({ filter: /maplibre-gl\/src\/util\/web_worker\.ts$/ }, () => ({ contents: `export { workerFactory } from "maplibre/begun";` }));
    onLoad({ filter: unusedShaders }, () => ({ contents: `export default "#error left out of this bundle\\n";` }));
    onLoad({ filter: /maplibre-gl\/src\/.*\.ts$/ }, async ({ path }) => {
      const source = await text(path), name = path.replace(/.*\/maplibre-gl\/src\//, "");
      if (!used.test(name) && unused.some((u) => u.test(name))) return { contents: absent(source, name) };
      return { contents: matrices(source), loader: "ts" };
    });
    // Of the package's description the version alone is asked for.
    onLoad({ filter: /maplibre-gl\/package\.json$/ }, async ({ path }) => ({ contents: JSON.stringify({ version: JSON.parse(await text(path)).version }), loader: "json" }));
  },
};
