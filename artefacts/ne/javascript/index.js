// Reads the cells that Mappe publishes, from their written layout alone: containers of KGs, chunks of several KGs,
// the list of the country. It runs in browsers (with a bundler) and in Node.js 20 or newer.
import { init, decompress, decompressUsingDict, createDCtx } from "@bokuweb/zstd-wasm";

export const MAGIC = "NECELLS1";
export const LU_CLASSES = ["geb", "bau", "acker", "gruen", "wald", "wasser", "verkehr", "alpen", "sonst"];

const SIZES = { u8: 1, u16: 2, u32: 4, u64: 8 };
const MAX_HEADER = 1 << 22;
const MAX_SECTIONS = 16;
const MAX_CHUNKS = 1 << 16;
const MAX_RECORD = 1 << 10;
const CHUNK_CELLS = 343;
const FORMATS = [1, 2];
const LAYERS = ["lu", "bev", "obs"];
const MAX_WINDOW = 17; // exponent of the window of a frame over 2^10: 128 MB
const HEX16 = /^[0-9a-f]{16}$/;

/** What every error of a container, chunk or list is. */
export class CellsError extends Error {}

const fail = (text) => {
  throw new CellsError(text);
};

let context; // of the decompressor, for frames with a dictionary: one for all, because each takes memory that is not given back
let started;
/** Prepares the decompressor; the readers below call it themselves. */
export const ready = () => (started ??= Promise.resolve(init()));

const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

/** SHA-256 in hexadecimal digits. */
export const sha256 = async (bytes) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

/** The short sum by which chunks are compared: 16 digits of the SHA-256 of their rows. */
export const digest = async (rows) => (await sha256(rows)).slice(0, 16);

/** The name of a dictionary. */
export const dictId = async (dict) => (dict && dict.length ? digest(dict) : "");

/** How many bytes the front of a container takes; b are its first 12 bytes at least. */
export function frontLength(b) {
  if (!(b instanceof Uint8Array)) fail("bytes are expected, as a Uint8Array");
  if (b.length < 12 || String.fromCharCode(...b.subarray(0, 8)) !== MAGIC) fail(`it does not begin with ${MAGIC}`);
  const n = new DataView(b.buffer, b.byteOffset, b.byteLength).getUint32(8, true);
  if (n > MAX_HEADER) fail(`a header of ${n} bytes, at most ${MAX_HEADER}`);
  return 12 + n;
}

/** Reads the front of a container. chunks become objects with where their frames lie from the start of the file. */
export function readFront(b) {
  return guarded(() => {
    const start = frontLength(b);
    if (b.length < start) fail(`${b.length} bytes of a front of ${start}`);
    if (start % 8 !== 0) fail(`the sections begin at ${start}, which is no multiple of 8`);
    let header;
    try {
      header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(b.subarray(12, start)));
    } catch (e) {
      fail(`header: ${e.message}`);
    }
    checkHeader(header);
    let at = start;
    for (const s of header.sections) {
      if (start + s.offset !== at) fail(`section ${s.layer} begins at ${s.offset}, not at ${at - start}`);
      let rows = 0;
      let last = "";
      s.chunks = s.chunks.map((c) => {
        checkChunk(s, c, last);
        const [cell, n, bytes, sum] = c;
        const chunk = { cell, rows: n, offset: at, bytes, digest: sum };
        last = cell;
        at += bytes;
        rows += n;
        return chunk;
      });
      if (rows !== s.rows || at !== start + s.offset + s.length) fail(`section ${s.layer}: its chunks are not what it says`);
    }
    return { ...header, start, end: at };
  });
}

// guarded lets nothing out but CellsError: what a damaged file makes of the code below is told as damage.
function guarded(f) {
  const told = (e) => {
    throw e instanceof CellsError ? e : new CellsError(`damaged: ${e?.message ?? e}`);
  };
  try {
    const out = f();
    return out instanceof Promise ? out.catch(told) : out;
  } catch (e) {
    return told(e);
  }
}

const isText = (v, form) => typeof v === "string" && form.test(v);
const isCount = (v, least, most) => Number.isSafeInteger(v) && v >= least && v <= most;
const check = (ok, what) => ok || fail(what);

function checkHeader(h) {
  check(h !== null && typeof h === "object" && !Array.isArray(h), "the header is no object");
  if (!FORMATS.includes(h.format)) fail(`format ${h.format}, this program reads ${FORMATS.join(" and ")}`);
  check(isText(h.kg_code, /^[0-9]{5}$/), "kg_code is no code of a KG");
  check(isText(h.generation, HEX16), "generation is not 16 hexadecimal digits");
  check(isText(h.stichtag, /^([0-9]{4}-[0-9]{2}-[0-9]{2})?$/), "stichtag is no date");
  check(h.dict === undefined || isText(h.dict, HEX16), "dict is no id of a dictionary");
  check(Array.isArray(h.pending_kgs) && h.pending_kgs.every((k) => isText(k, /^[0-9]{5}$/)), "pending_kgs are no codes of KGs");
  check(Array.isArray(h.sections) && h.sections.length <= MAX_SECTIONS, "sections are no list");
  const seen = new Set();
  for (const s of h.sections) {
    check(s !== null && typeof s === "object", "a section is no object");
    check(LAYERS.includes(s.layer) && !seen.has(s.layer), `layer ${s.layer}`);
    seen.add(s.layer);
    checkSection(s);
  }
}

function checkSection(s) {
  const at = `section ${s.layer}: `;
  check(s.encoding === "zstd", `${at}encoding ${s.encoding}`);
  check(isCount(s.record_bytes, 8, MAX_RECORD), `${at}record_bytes ${s.record_bytes}`);
  checkFields(s.fields, at);
  if (recordBytes(s.fields) !== s.record_bytes) fail(`${at}its fields are not ${s.record_bytes} bytes`);
  const known = FIELDS[s.layer];
  if (known && JSON.stringify(known) !== JSON.stringify(s.fields.map(({ name, type, count }) => (count ? { name, type, count } : { name, type })))) {
    fail(`${at}its fields are not those of the layout`);
  }
  check(isCount(s.rows, 0, MAX_CHUNKS * CHUNK_CELLS) && isCount(s.offset, 0, Number.MAX_SAFE_INTEGER) && isCount(s.length, 0, Number.MAX_SAFE_INTEGER), `${at}rows, offset or length`);
  check(isText(s.sha256, /^[0-9a-f]{64}$/), `${at}sha256 is not 64 hexadecimal digits`);
  check(Array.isArray(s.chunks) && s.chunks.length <= MAX_CHUNKS, `${at}chunks are no list`);
}

function checkFields(fields, at) {
  check(Array.isArray(fields) && fields.length > 0, `${at}fields are no list`);
  const names = new Set();
  fields.forEach((f, i) => {
    check(f !== null && typeof f === "object" && isText(f.name, /^[a-z][a-z0-9_]*$/) && f.name !== "rows" && !names.has(f.name), `${at}field ${i} has no name of its own`);
    check(Object.hasOwn(SIZES, f.type), `${at}type ${f.type}`);
    check(f.count === undefined || isCount(f.count, 1, MAX_RECORD), `${at}count of ${f.name}`);
    names.add(f.name);
  });
  check(fields[0].name === "cell_id" && fields[0].type === "u64" && !fields[0].count, `${at}the first field is not cell_id`);
}

function checkChunk(s, c, last) {
  const ok = Array.isArray(c) && c.length === 4 && isText(c[0], /^[0-9a-f]{15}$/) && resolution(BigInt(`0x${c[0]}`)) === 9 && c[0] > last &&
    isCount(c[1], 1, CHUNK_CELLS) && isCount(c[2], 1, s.length) && isText(c[3], HEX16);
  if (!ok) fail(`section ${s.layer}: ${JSON.stringify(c)} is no chunk behind ${last || "the start"}`);
}

// resolution is that of an H3 cell, -1 where the number is not a cell: mode 1, a base cell of 0 to 121, digits of 0 to 6 down to
// the resolution and 7 below.
function resolution(cell) {
  if (cell >> 59n !== 1n || ((cell >> 56n) & 7n) !== 0n || ((cell >> 45n) & 127n) > 121n) return -1;
  const res = Number((cell >> 52n) & 15n);
  for (let r = 1; r <= 15; r++) {
    if (((cell >> BigInt(3 * (15 - r))) & 7n) === 7n !== r > res) return -1;
  }
  return res;
}

// parent9 is the cell of resolution 9 above a cell.
const parent9 = (cell) => (cell & ~(15n << 52n)) | (9n << 52n) | ((1n << 18n) - 1n);

// checkRows holds rows to the layout: cells of the layer's resolution below one cell of resolution 9, rising. It gives the
// cell of resolution 9.
function checkRows(rows, fields, layer, chunk) {
  const size = recordBytes(fields);
  if (rows.length === 0 || rows.length % size !== 0 || rows.length > size * CHUNK_CELLS) fail(`${rows.length} bytes are no rows of ${size}`);
  const v = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
  const res = layer === "bev" ? 10 : 12;
  let last = 0n;
  for (let at = 0; at < rows.length; at += size) {
    const cell = v.getBigUint64(at, true);
    if (cell <= last) fail(`cell ${cell.toString(16)} does not stand behind ${last.toString(16)}`);
    chunk ??= parent9(cell);
    if ((layer ? resolution(cell) !== res : ![10, 12].includes(resolution(cell))) || parent9(cell) !== chunk) fail(`${cell.toString(16)} is no cell of resolution ${res} below ${chunk.toString(16)}`);
    last = cell;
  }
  return chunk;
}

// The values that the layout allows, for rows that no digest speaks for.
function checkLU(v, at) {
  let sum = 0;
  for (let i = 12; i < 21; i++) sum += v.getUint8(at + i);
  const [land, flags, coherence, axis] = [9, 11, 28, 29].map((i) => v.getUint8(at + i));
  if (sum !== land) fail(`the nine shares sum to ${sum}, land is ${land}`);
  if (flags > 3) fail(`flags ${flags}`);
  if (axis > 89 && axis !== 0xff || (axis === 0xff) !== (coherence === 0xff)) fail(`directions ${coherence}, ${axis}`);
}

function checkK(v, at) {
  const units = v.getUint16(at + 8, true);
  const [p10, p50, p90] = [10, 14, 18].map((i) => v.getUint32(at + i, true));
  if (units < 5 || p50 === 0) fail(`${units} parcels with a median of ${p50} m²`);
  if (units < 10 ? p10 !== 0 || p90 !== 0 : p10 > p50 || p50 > p90 || p10 === 0) fail(`percentiles ${p10}, ${p50}, ${p90} of ${units} parcels`);
  if ((v.getUint16(at + 22, true) === 0) !== (v.getUint8(at + 24) === 0xff)) fail("parcels per folio without folios");
}

const recordBytes = (fields) => fields.reduce((n, f) => n + (Object.hasOwn(SIZES, f.type) ? SIZES[f.type] : fail(`type ${f.type}`)) * (f.count || 1), 0);

/** The zstd frames that bytes are made of, as views: [{bytes, content}], content is the unpacked length. */
export function frames(b) {
  if (!(b instanceof Uint8Array)) fail("bytes are expected, as a Uint8Array");
  const out = [];
  const v = new DataView(b.buffer, b.byteOffset, b.byteLength);
  for (let at = 0; at < b.length; ) {
    const from = at;
    if (at + 6 > b.length || v.getUint32(at, true) !== 0xfd2fb528) fail(`no frame at byte ${at}`);
    const d = b[at + 4];
    if (d & 8) fail("a frame with a reserved bit");
    const single = (d >> 5) & 1;
    const dictBytes = [0, 1, 2, 4][d & 3];
    const sizeBytes = [single, 2, 4, 8][d >> 6];
    if (!single && (at + 6 > b.length || b[at + 5] >> 3 > MAX_WINDOW)) fail("a frame with a window that no reader has");
    at += 5 + (1 - single) + dictBytes;
    if (at + sizeBytes > b.length) fail("a frame that is cut");
    let content = -1;
    if (sizeBytes === 1) content = b[at];
    if (sizeBytes === 2) content = v.getUint16(at, true) + 256;
    if (sizeBytes === 4) content = v.getUint32(at, true);
    if (sizeBytes === 8) content = Number(v.getBigUint64(at, true));
    at += sizeBytes;
    for (let last = false; !last; ) {
      if (at + 3 > b.length) fail("a frame that is cut");
      const h = b[at] | (b[at + 1] << 8) | (b[at + 2] << 16);
      last = (h & 1) === 1;
      if (((h >> 1) & 3) === 3) fail("a block of a reserved type");
      at += 3 + (((h >> 1) & 3) === 1 ? 1 : h >> 3);
    }
    if ((d >> 2) & 1) at += 4;
    if (at > b.length) fail("a frame that is cut");
    out.push({ bytes: b.subarray(from, at), content });
  }
  return out;
}

/** Unpacks one frame of at most so many bytes (small frames do not say how many); dict is undefined where the header names none. */
export const unpack = (frame, dict, most = MAX_RECORD * CHUNK_CELLS) =>
  guarded(async () => {
    const all = frames(frame);
    if (all.length !== 1) fail(`${all.length} frames, expected one`);
    if (all[0].content > most) fail(`a frame of ${all[0].content} bytes, at most ${most}`);
    await ready();
    const heap = { defaultHeapSize: Math.max(most, 1) };
    const rows = dict && dict.length ? decompressUsingDict((context ??= createDCtx()), frame, dict, heap) : decompress(frame, heap);
    if (rows.length > most || all[0].content >= 0 && rows.length !== all[0].content) fail(`a frame of ${rows.length} bytes, it says ${all[0].content}`);
    return rows;
  });

/** The rows of one chunk of a container, held to its digest. file holds the whole container or is (offset, length) => bytes. */
export const readChunk = (file, section, chunk, dict) =>
  guarded(async () => {
    const bytes = typeof file === "function" ? await file(chunk.offset, chunk.bytes) : file.subarray(chunk.offset, chunk.offset + chunk.bytes);
    if (bytes.length !== chunk.bytes) fail(`chunk ${chunk.cell}: ${bytes.length} bytes, expected ${chunk.bytes}`);
    const rows = await unpack(bytes, dict, chunk.rows * section.record_bytes);
    if (rows.length !== chunk.rows * section.record_bytes) fail(`chunk ${chunk.cell}: ${rows.length} bytes for ${chunk.rows} rows`);
    if ((await digest(rows)) !== chunk.digest) fail(`chunk ${chunk.cell}: its rows have another digest than the header says`);
    checkRows(rows, section.fields, section.layer === "obs" ? undefined : section.layer, BigInt(`0x${chunk.cell}`));
    return rows;
  });

// generationOf computes the generation of a container from the bytes of its header.
async function generationOf(file, header) {
  if (header.format === 1) return digest(new TextEncoder().encode(header.sections.map((s) => `${s.layer} ${s.sha256}\n`).join("")));
  const text = file.slice(12, header.start);
  const name = `"generation":"`;
  const at = String.fromCharCode(...text.subarray(0, 1 << 10)).indexOf(name);
  if (at < 0) fail("its header has no generation in front");
  text.fill(0x30, at + name.length, at + name.length + 16);
  return digest(text);
}

/** A whole container: its header, and of each layer the columns of all its rows. */
export const readContainer = (file, dict) =>
  guarded(async () => {
    const header = readFront(file);
    if (header.end !== file.length) fail(`${header.end} bytes, the file has ${file.length}`);
    if ((await generationOf(file, header)) !== header.generation) fail("its header is of another generation than it says");
    if (header.dict && (await dictId(dict)) !== header.dict) fail(`it needs the dictionary ${header.dict}`);
    const layers = {};
    for (const s of header.sections) {
      const all = new Uint8Array(s.rows * s.record_bytes);
      let at = 0;
      for (const c of s.chunks) {
        const rows = await readChunk(file, s, c, header.dict ? dict : undefined);
        all.set(rows, at);
        at += rows.length;
      }
      if ((await sha256(all)) !== s.sha256) fail(`section ${s.layer}: its rows have another sum than the header says`);
      layers[s.layer] = columns(all, s.fields);
    }
    return { header, layers };
  });

/**
 * Rows as columns: {rows, cell_id: ["8c…", …], kg_share: Uint8Array, …}. A field that is repeated becomes an array of
 * columns. Missing values are as in the bytes: 0xFF, 0xFFFF.
 */
export function columns(rows, fields) {
  const size = recordBytes(fields);
  if (rows.length % size !== 0) fail(`${rows.length} bytes are no rows of ${size}`);
  const n = rows.length / size;
  const v = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
  const out = { rows: n };
  let at = 0;
  for (const f of fields) {
    const list = [];
    for (let k = 0; k < (f.count || 1); k++) {
      list.push(column(v, n, size, at, f));
      at += SIZES[f.type];
    }
    out[f.name] = f.count ? list : list[0];
  }
  return out;
}

function column(v, n, size, at, f) {
  if (f.type === "u64") return Array.from({ length: n }, (_, i) => v.getBigUint64(i * size + at, true).toString(16));
  const out = new { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array }[f.type](n);
  for (let i = 0; i < n; i++) {
    out[i] = f.type === "u8" ? v.getUint8(i * size + at) : f.type === "u16" ? v.getUint16(i * size + at, true) : v.getUint32(i * size + at, true);
  }
  return out;
}

/** The fields of the two layers that the layout defines. */
export const FIELDS = {
  lu: [
    ["cell_id", "u64"], ["kg_share", "u8"], ["land", "u8"], ["cov", "u8"], ["flags", "u8"], ["lu", "u8", 9], ["str_cover", "u8"], ["str_n", "u16"],
    ["gk", "u8"], ["n_units", "u8"], ["edge_m_ha", "u16"], ["orient_coh", "u8"], ["orient_axis", "u8"],
  ].map(([name, type, count]) => (count ? { name, type, count } : { name, type })),
  bev: [
    ["cell_id", "u64"], ["n_units", "u16"], ["unit_p10", "u32"], ["unit_p50", "u32"], ["unit_p90", "u32"], ["reg_n", "u16"], ["units_per_reg", "u8"],
    ["str_n", "u16"], ["str_p50", "u16"],
  ].map(([name, type]) => ({ name, type })),
};

/**
 * The rows of a chunk in the form zstd: one frame for each KG. Border cells stand in several of them with equal bytes
 * but for kg_share; the one with the largest share is kept. Answers the bytes of the rows by rising cell. digests are those
 * of the chunk in the headers of its KGs (/ne/{kg}/head): with them every frame is held to one.
 */
export const readFrames = (bytes, dict, fields = FIELDS.lu, digests = undefined) =>
  guarded(async () => {
    checkFields(fields, "");
    const size = recordBytes(fields);
    const layer = Object.keys(FIELDS).find((l) => JSON.stringify(FIELDS[l]) === JSON.stringify(fields));
    const kept = new Map();
    let chunk;
    for (const f of frames(bytes)) {
      const rows = await unpack(f.bytes, dict, size * CHUNK_CELLS);
      if (digests && ![...digests].includes(await digest(rows))) fail("the rows of a frame have none of the digests");
      chunk = checkRows(rows, fields, layer, chunk);
      const v = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
      for (let at = 0; at < rows.length; at += size) {
        if (layer === "lu") checkLU(v, at);
        if (layer === "bev") checkK(v, at);
        const id = v.getBigUint64(at, true);
        const row = rows.subarray(at, at + size);
        const known = kept.get(id);
        if (known && layer === "lu" && known.some((b, i) => i !== 8 && b !== row[i])) fail(`cell ${id.toString(16)} differs in two KGs`);
        if (!known || known[8] < row[8]) kept.set(id, row);
      }
    }
    const ids = [...kept.keys()].sort((a, b) => (a < b ? -1 : 1));
    const out = new Uint8Array(ids.length * size);
    ids.forEach((id, i) => out.set(kept.get(id), i * size));
    return out;
  });
