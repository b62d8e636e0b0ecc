// Bundles the map page into dist/: one script and what it shares with those that it loads only when they are asked for, one
// style sheet, MapLibre's worker and that of the landscape's rasters beside them.
import { build } from "esbuild";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";

await rm("dist", { recursive: true, force: true });
await mkdir("dist", { recursive: true });
const script = { bundle: true, format: "esm", target: "es2022", minify: true, outdir: "dist", logLevel: "warning" };
const { metafile } = await build({
  ...script,
  entryPoints: { map: "src/main.js" },
  splitting: true,
  chunkNames: "[name]-[hash]",
  loader: { ".csv": "text" }, // the table of land uses
  metafile: true,
});
await build({ ...script, entryPoints: { "land-worker": "src/land/tilepainter.js" } });
await build({ entryPoints: ["src/map.css"], bundle: true, minify: true, outfile: "dist/map.css", logLevel: "warning" });
// What the script imports is asked for with it, not after it.
const shared = metafile.outputs["dist/map.js"].imports.filter((i) => i.kind === "import-statement").map((i) => `<link rel="modulepreload" href="/map/${i.path.slice("dist/".length)}">`);
await writeFile("dist/index.html", (await readFile("src/index.html", "utf8")).replace("</head>", `${shared.join("\n")}\n</head>`));
await copyFile("node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs", "dist/maplibre-gl-worker.mjs");
