// Reads a FlatGeobuf with the format's own JavaScript reader: all of it, then a box by its index through ranges.
//   node flatgeobuf.mjs FILE MINX MINY MAXX MAXY  ->  {header, features, found, ranges}
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { deserialize } from "flatgeobuf/lib/mjs/geojson.js";

console.log = console.info = console.debug = () => {}; // the reader tells of its requests
const body = readFileSync(process.argv[2]);
const [minX, minY, maxX, maxY] = process.argv.slice(3).map(Number);
const out = { header: null, features: [], found: [], ranges: 0, bytes: 0 };
const note = (h) => {
  out.header = { title: h.title, metadata: h.metadata, count: h.featuresCount, crs: h.crs?.code, columns: h.columns?.map((c) => c.name) };
};
for await (const f of deserialize(new Uint8Array(body), { headerMetaFn: note })) out.features.push(f);

// The reader asks for ranges as it does of a server of files.
const server = createServer((q, r) => {
  const [, from, to] = /bytes=(\d+)-(\d+)/.exec(q.headers.range ?? "") ?? [];
  if (from === undefined) return r.writeHead(200).end(body);
  const part = body.subarray(Number(from), Number(to) + 1);
  out.ranges++;
  out.bytes += part.length;
  r.writeHead(206, { "Content-Range": `bytes ${from}-${Number(from) + part.length - 1}/${body.length}` }).end(part);
}).listen(0, "127.0.0.1");
await new Promise((done) => server.on("listening", done));
for await (const f of deserialize(`http://127.0.0.1:${server.address().port}/`, { rect: { minX, minY, maxX, maxY } })) out.found.push(f);
server.close();
server.closeAllConnections();
process.stdout.write(JSON.stringify(out));
