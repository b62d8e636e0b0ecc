// ZIP archives as far as workbooks need them, packed and unpacked by the browser's own DEFLATE.

const directoryEnd = 0x06054b50, directoryEntry = 0x02014b50, localEntry = 0x04034b50, wideEnd = 0x06064b50, wideLocator = 0x07064b50;
const mostEntries = 10_000;

/** entriesOf are the files of an archive by their names in lower case: {method, packed}. It throws where the bytes are no archive. */
export function entriesOf(bytes) {
  const v = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), found = new Map();
  let { at, count, end } = directoryOf(v);
  if (count > mostEntries) throw new Error("too many files");
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || v.getUint32(at, true) !== directoryEntry) throw new Error("a damaged directory");
    const [nameLength, extra, comment] = [28, 30, 32].map((o) => v.getUint16(at + o, true)), { local, size } = placeOf(v, at, at + 46 + nameLength, extra);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    if (local + 30 > bytes.length || v.getUint32(local, true) !== localEntry) throw new Error("a damaged file");
    const from = local + 30 + v.getUint16(local + 26, true) + v.getUint16(local + 28, true);
    if (from + size > bytes.length) throw new Error("an archive that ends early");
    found.set(name.replace(/^\//, "").toLowerCase(), { method: v.getUint16(at + 10, true), packed: bytes.subarray(from, from + size) });
    at += 46 + nameLength + extra + comment;
  }
  return found;
}

// directoryOf is where the directory begins, how many entries it has and where its end record stands: the one of the 64-bit form (ZIP64,
// which streaming writers use for archives of any size) where there is one.
function directoryOf(v) {
  let end = v.byteLength - 22;
  while (end >= 0 && end >= v.byteLength - 22 - 0xffff && v.getUint32(end, true) !== directoryEnd) end--;
  if (end < 0 || v.getUint32(end, true) !== directoryEnd) throw new Error("no archive");
  if (end >= 20 && v.getUint32(end - 20, true) === wideLocator) {
    const wide = Number(v.getBigUint64(end - 12, true));
    if (wide + 56 > end || v.getUint32(wide, true) !== wideEnd) throw new Error("a damaged directory");
    return { at: Number(v.getBigUint64(wide + 48, true)), count: Number(v.getBigUint64(wide + 32, true)), end: wide };
  }
  return { at: v.getUint32(end + 16, true), count: v.getUint16(end + 10, true), end };
}

// placeOf is where a file begins and how long it is packed: numbers that do not fit 32 bits stand in its further fields, in this order.
function placeOf(v, at, fields, length) {
  const wide = 0xffffffff, told = { unpacked: v.getUint32(at + 24, true), size: v.getUint32(at + 20, true), local: v.getUint32(at + 42, true) };
  for (let f = fields; f + 4 <= fields + length; f += 4 + v.getUint16(f + 2, true)) {
    if (v.getUint16(f, true) !== 1) continue;
    let next = f + 4;
    for (const name of ["unpacked", "size", "local"]) if (told[name] === wide) { told[name] = Number(v.getBigUint64(next, true)); next += 8; }
  }
  return told;
}

/** unpacked gives an entry in parts; whoever reads may stop at any of them. */
export async function* unpacked({ method, packed }) {
  if (method === 0) { yield packed; return; }
  if (method !== 8) throw new Error("a compression that is not read");
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {}); // a damaged stream has failed before
  }
}

const table = Uint32Array.from({ length: 256 }, (_, n) => { let c = n; for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1; return c >>> 0; });

/** crc32 is the checksum of archives. */
export function crc32(bytes) {
  let c = 0xffffffff;
  for (const b of bytes) c = table[(c ^ b) & 0xff] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** zipped packs [name, Blob] pairs into an archive. Times are left at 1980, so that the same table is the same file. */
export async function zipped(files, type) {
  const parts = [], directory = [];
  let offset = 0;
  for (const [name, blob] of files) {
    const bytes = new Uint8Array(await blob.arrayBuffer()), packed = new Uint8Array(await new Response(blob.stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
    const label = new TextEncoder().encode(name), common = new DataView(new ArrayBuffer(26));
    [[0, 20], [2, 0x800], [4, 8], [6, 0], [8, 0x21]].forEach(([at, value]) => common.setUint16(at, value, true)); // version, UTF-8, DEFLATE, time, date
    [[10, crc32(bytes)], [14, packed.length], [18, bytes.length]].forEach(([at, value]) => common.setUint32(at, value, true));
    common.setUint16(22, label.length, true);
    const head = new Uint8Array(30), entry = new DataView(new ArrayBuffer(46));
    new DataView(head.buffer).setUint32(0, localEntry, true);
    head.set(new Uint8Array(common.buffer), 4);
    entry.setUint32(0, directoryEntry, true);
    entry.setUint16(4, 20, true);
    new Uint8Array(entry.buffer).set(new Uint8Array(common.buffer).subarray(0, 24), 6);
    entry.setUint32(42, offset, true);
    parts.push(head, label, packed);
    directory.push(new Uint8Array(entry.buffer), label);
    offset += 30 + label.length + packed.length;
  }
  const tail = new DataView(new ArrayBuffer(22)), size = directory.reduce((n, b) => n + b.length, 0);
  tail.setUint32(0, directoryEnd, true);
  for (const at of [8, 10]) tail.setUint16(at, files.length, true);
  tail.setUint32(12, size, true);
  tail.setUint32(16, offset, true);
  return new Blob([...parts, ...directory, new Uint8Array(tail.buffer)], { type });
}
