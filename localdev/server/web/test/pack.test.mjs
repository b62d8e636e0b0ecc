// The compressed bundle: the same bytes each time, the files of the bundle and no other, and the sums of its sources.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { pack } from "../pack.mjs";

test("packed/ is in step with the bundle", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "mappe-pack-"));
  t.after(() => rm(folder, { recursive: true }));
  const dist = join(folder, "dist"), packed = join(folder, "packed"), source = join(folder, "main.js"), once = new Date(1e12);
  await mkdir(dist);
  await mkdir(packed);
  await writeFile(join(packed, ".gitkeep"), "");
  await writeFile(source, "1");
  const write = (name, text) => writeFile(join(dist, name), text);
  await write("map.js", "let a = 1;".repeat(100));
  await write("chunk-A.js", "a");
  await pack(dist, packed, [source, source]);
  assert.deepEqual((await readdir(packed)).sort(), [".gitkeep", ".sources", "chunk-A.js.br", "chunk-A.js.gz", "map.js.br", "map.js.gz"]);
  const first = await readFile(join(packed, "map.js.gz"));
  assert.equal(gunzipSync(first).toString(), "let a = 1;".repeat(100));
  assert.ok(first.length < 100);
  assert.equal(brotliDecompressSync(await readFile(join(packed, "map.js.br"))).toString(), "let a = 1;".repeat(100));
  assert.deepEqual([...first.subarray(0, 10)], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255], "neither time nor system");
  const sum = (text) => createHash("sha256").update(text).digest("hex");
  assert.equal(await readFile(join(packed, ".sources"), "utf8"), `${sum("1")}  ${source}\n`);

  await utimes(join(packed, "map.js.gz"), once, once);
  await rm(join(dist, "chunk-A.js"));
  await write("chunk-B.js", "b");
  await writeFile(source, "2");
  await pack(dist, packed, [source]);
  assert.deepEqual((await readdir(packed)).sort(), [".gitkeep", ".sources", "chunk-B.js.br", "chunk-B.js.gz", "map.js.br", "map.js.gz"]);
  assert.deepEqual(await readFile(join(packed, "map.js.gz")), first);
  assert.equal((await stat(join(packed, "map.js.gz"))).mtimeMs, 1e12, "what did not change is not written");
  assert.equal(await readFile(join(packed, ".sources"), "utf8"), `${sum("2")}  ${source}\n`);
  await rm(join(dist, "map.js"));
  await mkdir(join(packed, "folder.gz")); // cannot be removed as a file is
  await assert.rejects(pack(dist, packed, [source]));
  assert.ok(!(await readdir(packed)).includes(".sources"), "what was not made whole is made again");
  assert.deepEqual((await readdir(folder)).sort(), ["dist", "main.js", "packed"], "nothing is left beside it");
});
