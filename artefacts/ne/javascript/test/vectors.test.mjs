// The published vectors: a container with a dictionary and one without, a chunk of two KGs, and what their rows say.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CellsError, FIELDS, columns, digest, frames, readContainer, readFrames, readFront, unpack } from "../index.js";

const folder = new URL("../../testdata/vectors/", import.meta.url);
const bytes = (name) => new Uint8Array(readFileSync(new URL(name, folder)));
const told = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const want = told("v1.json");
const dict = bytes("v1.zdict");

const plain = (layer) => Object.fromEntries(Object.entries(layer).map(([k, v]) => [k, Array.isArray(v) && typeof v[0] !== "string" ? v.map((c) => [...c]) : typeof v === "number" ? v : [...v]]));

for (const [name, d] of [["v1.ne", dict], ["v1-plain.ne", undefined], ["v2.ne", dict], ["v2-plain.ne", undefined]]) {
  test(`${name} has the rows that are written down`, async () => {
    const { header, layers } = await readContainer(bytes(name), d);
    const want = told(name.replace(".ne", ".json"));
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
  for (const name of ["v1.ne", "v2.ne"]) {
    const good = bytes(name);
    const { start, sections } = readFront(good);
    for (const [what, at] of [["magic", 0], ["header", 20], ["frame", start + sections[0].chunks[0].bytes - 3]]) {
      const b = good.slice();
      b[at] ^= 0x11;
      await assert.rejects(readContainer(b, dict), CellsError, what);
    }
    await assert.rejects(readContainer(good.slice(0, -1), dict), CellsError);
    await assert.rejects(readContainer(good, undefined), CellsError);
  }
});

// flips are bytes with one bit changed, at every step-th byte from one offset to another.
function* flips(good, from, to, step = 1) {
  for (let at = from; at < to; at += step) {
    const b = good.slice();
    b[at] ^= 1 << (at % 8);
    yield [at, b];
  }
}

test("a container is refused or has its rows, whatever bit is changed; format 2 is refused for any byte of its header", async () => {
  for (const name of ["v1.ne", "v2.ne"]) {
    const good = bytes(name);
    const whole = await readContainer(good, dict);
    for (const [at, b] of flips(good, 0, good.length)) {
      try {
        assert.deepEqual((await readContainer(b, dict)).layers, whole.layers, `byte ${at}`);
        assert.ok(name === "v1.ne" || at >= whole.header.start, `byte ${at} of the header`);
      } catch (e) {
        if (!(e instanceof CellsError)) throw e;
      }
    }
  }
});

// withHeader is a container whose header is changed; its generation is not made anew.
function withHeader(good, change) {
  const { start } = readFront(good);
  const header = JSON.parse(new TextDecoder().decode(good.subarray(12, start)));
  change(header);
  let text = JSON.stringify(header);
  text += " ".repeat((8 - ((12 + text.length) % 8)) % 8);
  const b = new Uint8Array(12 + text.length + good.length - start);
  b.set(good.subarray(0, 8));
  new DataView(b.buffer).setUint32(8, text.length, true);
  b.set(new TextEncoder().encode(text), 12);
  b.set(good.subarray(start), 12 + text.length);
  return b;
}

test("a header that is not as the layout has it is refused as damaged", async () => {
  const odd = [null, undefined, 0, -1, 1.5, 1e300, "", "x", true, [], {}, [null], [[]], [{}]];
  const members = [
    (h, v) => (h.format = v), (h, v) => (h.kg_code = v), (h, v) => (h.generation = v), (h, v) => (h.sections = v), (h, v) => (h.pending_kgs = v === undefined || Array.isArray(v) && !v.length ? 7 : v),
    (h, v) => (h.sections[0] = v), (h, v) => (h.sections[0].layer = v), (h, v) => (h.sections[0].encoding = v), (h, v) => (h.sections[0].record_bytes = v),
    (h, v) => (h.sections[0].fields = v), (h, v) => (h.sections[0].fields[0] = v), (h, v) => (h.sections[0].fields[1].name = v), (h, v) => (h.sections[0].fields[1].type = v),
    (h, v) => (h.sections[0].rows = v), (h, v) => (h.sections[1].offset = v), (h, v) => (h.sections[0].length = v), (h, v) => (h.sections[0].sha256 = v), (h, v) => (h.sections[0].chunks = v),
    (h, v) => (h.sections[0].chunks[0] = v), (h, v) => (h.sections[0].chunks[0][0] = v), (h, v) => (h.sections[0].chunks[0][1] = v), (h, v) => (h.sections[0].chunks[0][2] = v),
    (h, v) => (h.sections[0].chunks[0][3] = v), (h) => h.sections.push(h.sections[0]), (h) => (h.sections[0].fields[4].name = "lu2"), (h) => (h.sections[0].fields[7].type = "u8"),
    (h) => ([h.sections[0].fields[1], h.sections[0].fields[2]] = [h.sections[0].fields[2], h.sections[0].fields[1]]), (h) => h.sections[0].chunks.reverse(),
  ];
  for (const name of ["v1.ne", "v2.ne"]) {
    const good = bytes(name);
    for (const [i, set] of members.entries()) {
      for (const v of odd) {
        if (i === 3 && Array.isArray(v) && v.length === 0) continue; // a container without sections
        const b = withHeader(good, (h) => set(h, v));
        assert.throws(() => readFront(b), CellsError, `${name}, member ${i}: ${JSON.stringify(v)}`);
      }
    }
  }
  for (const b of [null, undefined, "NECELLS1", [], new Uint8Array(0), new Uint8Array(11), new Uint8Array(12)]) {
    await assert.rejects(async () => readContainer(b, dict), CellsError);
    if (b?.length !== 0 || Array.isArray(b)) await assert.rejects(async () => readFrames(b, dict), CellsError);
  }
});

test("frames are held to the layout, and with digests to their last bit", async () => {
  const good = bytes("v1-chunk.zst");
  const digests = [];
  for (const f of frames(good)) digests.push(await digest(await unpack(f.bytes, dict)));
  assert.deepEqual(await readFrames(good, dict, FIELDS.lu, digests), await readFrames(good, dict));
  let passed = 0;
  let all = 0;
  for (const [at, b] of flips(good, 0, good.length)) {
    all++;
    let changed = false;
    try {
      changed = Buffer.compare(await readFrames(b, dict), await readFrames(good, dict)) !== 0;
    } catch (e) {
      if (!(e instanceof CellsError)) throw e;
    }
    if (!changed) continue;
    passed++;
    await assert.rejects(readFrames(b, dict, FIELDS.lu, digests), CellsError, `byte ${at}`);
  }
  assert.ok(passed * 5 < all, `${passed} of ${all} flips are values that the layout allows`);
  await assert.rejects(readFrames(good, dict, FIELDS.lu, digests.slice(1)), CellsError);
  await assert.rejects(readFrames(good, dict, FIELDS.bev), CellsError);
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
