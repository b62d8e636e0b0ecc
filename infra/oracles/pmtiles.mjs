// Reads an archive with the reference JavaScript reader and decodes every vector tile of one zoom.
//   node pmtiles.mjs FILE ZOOM  ->  {header, metadata, tiles, layers: {name: features}, ids: {layer: [first property...]}, badRings}
import { openSync, readSync } from "node:fs";
import { PMTiles } from "pmtiles";
import { VectorTile, classifyRings } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";

const [file, zoom] = [process.argv[2], Number(process.argv[3])];
const fd = openSync(file, "r");
const source = {
  getKey: () => file,
  getBytes: async (offset, length) => {
    const b = new Uint8Array(length);
    const n = readSync(fd, b, 0, length, offset);
    return { data: b.buffer.slice(0, n) };
  },
};
const archive = new PMTiles(source);
const header = await archive.getHeader();
const tileOf = (lon, lat) => {
  const n = 2 ** zoom, r = (lat * Math.PI) / 180;
  return [Math.floor(((lon + 180) / 360) * n), Math.floor(((1 - Math.asinh(Math.tan(r)) / Math.PI) / 2) * n)];
};
const [x0, y1] = tileOf(header.minLon, header.minLat);
const [x1, y0] = tileOf(header.maxLon, header.maxLat);
const out = { header, metadata: await archive.getMetadata(), tiles: 0, layers: {}, ids: {}, badRings: 0 };
for (let x = x0 - 1; x <= x1 + 1; x++) {
  for (let y = y0 - 1; y <= y1 + 1; y++) {
    const found = await archive.getZxy(zoom, x, y);
    if (!found) continue;
    out.tiles++;
    const tile = new VectorTile(new PbfReader(new Uint8Array(found.data)));
    for (const [name, layer] of Object.entries(tile.layers)) {
      out.layers[name] = (out.layers[name] ?? 0) + layer.length;
      for (let i = 0; i < layer.length; i++) {
        const f = layer.feature(i);
        (out.ids[name] ??= new Set()).add(String(Object.values(f.properties)[0]));
        if (f.type === 3) {
          // The first ring must be an exterior: positive area in tile space.
          const r = f.loadGeometry()[0];
          let a = 0;
          for (let k = 0; k + 1 < r.length; k++) a += r[k].x * r[k + 1].y - r[k + 1].x * r[k].y;
          if (a <= 0 || classifyRings(f.loadGeometry()).length === 0) out.badRings++;
        }
      }
    }
  }
}
for (const name of Object.keys(out.ids)) out.ids[name] = [...out.ids[name]].sort();
console.log(JSON.stringify(out));
