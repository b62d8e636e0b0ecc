// Bundles the map page into dist/: one script, what it loads only when it is asked for in scripts of their own, one style
// sheet, MapLibre's worker beside them.
import { build } from "esbuild";
import { copyFile, mkdir, rm } from "node:fs/promises";

await rm("dist", { recursive: true, force: true });
await mkdir("dist", { recursive: true });
await build({
  entryPoints: { map: "src/main.js" },
  bundle: true,
  splitting: true,
  chunkNames: "[name]-[hash]",
  format: "esm",
  target: "es2022",
  minify: true,
  loader: { ".csv": "text" }, // the table of land uses
  outdir: "dist",
  logLevel: "warning",
});
await build({ entryPoints: ["src/map.css"], bundle: true, minify: true, outfile: "dist/map.css", logLevel: "warning" });
await copyFile("src/index.html", "dist/index.html");
await copyFile("node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs", "dist/maplibre-gl-worker.mjs");
