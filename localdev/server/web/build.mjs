// Bundles the pages into dist/: a script for each page with what they share and what is loaded only when it is asked for, a style
// sheet each, MapLibre's worker and that of the landscape's rasters beside them. packed/ has the same files compressed.
import { build as esbuild } from "esbuild";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pack } from "./pack.mjs";
import { trimmed } from "./trim.mjs";

// What the bundle is made of. The lock file stands for the packages.
const sources = new Set(["build.mjs", "pack.mjs", "trim.mjs", "package.json", "package-lock.json"]);
const build = async (options) => {
  const { metafile } = await esbuild({ ...options, metafile: true, logLevel: "warning" });
  for (const file of Object.keys(metafile.inputs)) if (!file.includes("node_modules/") && !/^[(<]/.test(file)) sources.add(file);
  return metafile;
};

// What the map needs before its program is there is a small script of its own, which its other scripts import.
const firstFile = "/map/first.js", first = { name: "first", setup: ({ onResolve }) => onResolve({ filter: /\/(first|tiles|view|ranges)\.js$|^pmtiles$/ }, ({ kind }) => (kind === "entry-point" ? null : { path: firstFile, external: true })) };

// What the map loads when it is asked for takes what it has in common with the map's program from there.
const mapFile = "/map/map.js", later = /\/src\/(land|measure|tables)\/(?!ask\.js)/;
const common = {
  name: "common",
  setup: ({ onResolve }) => onResolve({ filter: /^\.\.\/\w+\.js$|^\.\/ask\.js$/ }, ({ importer }) => (later.test(importer) ? { path: mapFile, external: true } : null)),
};

// A page is its HTML, the script beside it and the style sheet of the script's name. Soon: what it imports when it has begun is asked for
// with it, too.
const pages = [
  { html: "src/index.html", to: "index.html", script: "map", from: "src/main.js", style: "src/map.css", apart: [first, common] },
  { html: "src/kgs/national.html", to: "national.html", script: "national", from: "src/kgs/national.js", style: "src/kgs/national.css", soon: true },
  { html: "src/download/download.html", to: "download.html", script: "download", from: "src/download/download.js", style: "src/download/download.css" },
  { html: "src/tables/tables.html", to: "tables.html", script: "tables", from: "src/tables/tables.js", style: "src/tables/tables.css" },
  { html: "src/kgs/kg.html", to: "kg.html", script: "kg", from: "src/kgs/kg.js", style: "src/kgs/kg.css" },
];

// MapLibre is the larger part of a map, and the same for each: files of its own, which browsers keep from page to page. It is bundled of
// its own sources, since its bundles for the page and for the workers hold the same code twice: what both need is one file, the rest
// another.
const library = "maplibre-gl";
const sourceOf = (file) => resolve(`node_modules/${library}/src/${file}`);

await rm("dist", { recursive: true, force: true });
await mkdir("dist", { recursive: true });
const script = { bundle: true, format: "esm", target: "es2022", minify: true, outdir: "dist" };
await build({ ...script, entryPoints: { "land-worker": "src/land/tilepainter.js" } });
const { version } = JSON.parse(await readFile(`node_modules/${library}/package.json`, "utf8"));
const { outputs } = await build({
  ...script, banner: { js: `/*! MapLibre GL JS ${version}, BSD-3-Clause: https://github.com/maplibre/maplibre-gl-js/blob/v${version}/LICENSE.txt */` },
  entryPoints: { [library]: "src/maplibre.js", "maplibre-worker": "src/mapworker.js" }, entryNames: "[name]-[hash]",
  splitting: true, chunkNames: "maplibre-shared-[hash]", plugins: [trimmed],
  alias: { maplibre: sourceOf("index.ts"), "maplibre/worker": sourceOf("source/worker.ts"), "maplibre/begun": resolve("src/mapworker.js") },
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } }, // as MapLibre's own bundles: a field that is declared without a value is not set
});
const written = (name) => Object.keys(outputs).find((file) => file.startsWith(`dist/${name}-`)), pathOf = (file) => `/map/${file.slice("dist/".length)}`;
await rm(written("maplibre-worker")); // it has nothing of its own: the worker is what it imports
const parts = { [library]: pathOf(written(library)), [`${library}/shared`]: pathOf(written("maplibre-shared")) };
const ours = new RegExp(`^${library}(/shared)?$`);
const apart = { name: "apart", setup: ({ onResolve }) => onResolve({ filter: ours }, ({ path }) => ({ path: parts[path], external: true })) };
await build({ ...script, entryPoints: { first: "src/first.js" }, plugins: [apart] });
for (const p of [...pages, { script: "home", from: "src/home/home.js" }]) { // the index page is the server's
  // Pages share little else; a file that each of them asked for would be a request more.
  const metafile = await build({
    ...script, entryPoints: { [p.script]: p.from }, plugins: [apart, ...(p.apart ?? [])], splitting: true, chunkNames: `${p.script}-[name]-[hash]`,
    loader: { ".csv": "text" }, // the table of land uses
  });
  if (!p.html) continue;
  await build({ entryPoints: [p.style], bundle: true, minify: true, outfile: `dist/${p.script}.css` });
  sources.add(p.html);
  // What the script imports is asked for with it, not after it.
  const importsOf = (file) => metafile.outputs[file].imports.filter((i) => i.kind === "import-statement" || (p.soon && i.kind === "dynamic-import"));
  const within = (file) => importsOf(file).flatMap((i) => (i.external ? [i.path] : [pathOf(i.path), ...(p.soon ? within(i.path) : [])]));
  const imports = within(`dist/${p.script}.js`);
  const all = new Set(imports.flatMap((i) => (i === parts[library] ? Object.values(parts).reverse() : [i])));
  const links = [...all].map((path) => `<link rel="modulepreload" href="${path}">`);
  await writeFile(`dist/${p.to}`, (await readFile(p.html, "utf8")).replace("</head>", `${links.join("\n")}\n</head>`));
}
await pack("dist", "packed", sources);
