// The published vectors: a container with a dictionary and one without, a chunk of two KGs, and what their rows say.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CellsError, FIELDS, columns, digest, frames, readContainer, readFrames, readFront } from "../index.js";

const folder = new URL("../../testdata/vectors/", import.meta.url);
const bytes = (name) => new Uint8Array(readFileSync(new URL(name, folder)));
const want = JSON.parse(readFileSync(new URL("v1.json", folder), "utf8"));
const dict = bytes("v1.zdict");

const plain = (layer) => Object.fromEntries(Object.entries(layer).map(([k, v]) => [k, Array.isArray(v) && typeof v[0] !== "string" ? v.map((c) => [...c]) : typeof v === "number" ? v : [...v]]));

for (const [name, d] of [["v1.ne", dict], ["v1-plain.ne", undefined]]) {
  test(`${name} has the rows that are written down`, async () => {
    const { header, layers } = await readContainer(bytes(name), d);
    assert.equal(header.kg_code, want.kg_code);
    assert.equal(header.generation, want.generation);
    assert.deepEqual(header.sections.map((s) => s.fields), [FIELDS.lu, FIELDS.bev]);
    assert.deepEqual(plain(layers.lu), want.lu);
    assert.deepEqual(plain(layers.bev), want.bev);
  });
}

test("a chunk of two KGs has each cell once, with the larger share", async () => {
  const rows = await readFrames(bytes("v1-chunk.zst"), dict);
  assert.equal(frames(bytes("v1-chunk.zst")).length, 2);
  assert.equal(await digest(rows), want.chunk.digest);
  const c = columns(rows, FIELDS.lu);
  assert.deepEqual([...c.kg_share], want.chunk.kg_share);
});

test("what is damaged is refused", async () => {
  const good = bytes("v1.ne");
  const { start, sections } = readFront(good);
  for (const [name, at] of [["magic", 0], ["header", 20], ["frame", start + sections[0].chunks[0].bytes - 3]]) {
    const b = good.slice();
    b[at] ^= 0x11;
    await assert.rejects(readContainer(b, dict), CellsError, name);
  }
  await assert.rejects(readContainer(good.slice(0, -1), dict), CellsError);
  await assert.rejects(readContainer(good, undefined), CellsError);
});
