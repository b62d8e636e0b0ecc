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

const made = new URL("builder/", folder);
const madeDict = new Uint8Array(readFileSync(new URL("dict.zdict", made)));
const shares = new Map(); // cell_id: the rows of its KGs without kg_share

for (const kg of ["99101", "99102"]) {
  test(`the builder's container of KG ${kg} has the rows that are written down`, async () => {
    const { header, layers } = await readContainer(new Uint8Array(readFileSync(new URL(`${kg}.ne`, made))), madeDict);
    const rows = JSON.parse(readFileSync(new URL(`${kg}.json`, made), "utf8"));
    assert.equal(header.kg_code, kg);
    for (const layer of ["lu", "bev"]) {
      const at = (i) => FIELDS[layer].map((f) => (f.count ? layers[layer][f.name].map((c) => c[i]) : layers[layer][f.name][i]));
      assert.ok(rows[layer].length > 0);
      assert.deepEqual(Array.from({ length: layers[layer].rows }, (_, i) => at(i)), rows[layer]);
    }
    for (const [cell, , ...rest] of rows.lu) {
      if (shares.has(cell)) assert.deepEqual(shares.get(cell), rest, `cell ${cell} differs in the two KGs`);
      shares.set(cell, rest);
    }
  });
}
