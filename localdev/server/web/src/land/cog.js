// Reads the rasters of the project (artefacts/cog): TIFFs whose directories stand in front, in tiles of 512 cells, of bytes,
// whole numbers of 16 bits or float32, packed by zstd or deflate with predictor 2 or 3. A file is opened by one request for its
// front; a tile costs one more. No page is needed: the worker and a test read with it.
import { decompress } from "fzstd";

const front = 32_768; // bytes that are asked for first: the directories of 5 km at 1 m take 3,500
const sizes = { 1: 1, 2: 1, 3: 2, 4: 4, 11: 4, 12: 8, 13: 4, 16: 8 };
const getters = { 1: "getUint8", 3: "getUint16", 4: "getUint32", 11: "getFloat32", 12: "getFloat64", 13: "getUint32" };

class Front {
  constructor(bytes) {
    this.view = new DataView(bytes);
    if (bytes.byteLength < 16 || this.view.getUint16(0, true) !== 0x4949) throw new Error("no little-endian TIFF");
    this.big = this.view.getUint16(2, true) === 43;
    if (!this.big && this.view.getUint16(2, true) !== 42) throw new Error("no TIFF");
  }

  offset(at, wide = this.big) { return wide ? Number(this.view.getBigUint64(at, true)) : this.view.getUint32(at, true); }

  // directories are the tags of each image: numbers, or a text. null where a part lies behind what was read.
  directories() {
    const out = [];
    for (let at = this.offset(this.big ? 8 : 4); at; ) {
      if (at + 8 > this.view.byteLength || out.length > 64) return null;
      const n = this.big ? this.offset(at) : this.view.getUint16(at, true), first = at + (this.big ? 8 : 2), size = this.big ? 20 : 12, tags = new Map();
      if (first + n * size + 8 > this.view.byteLength) return null;
      for (let i = 0; i < n; i++) {
        const value = this.tag(first + i * size);
        if (value === null) return null;
        tags.set(this.view.getUint16(first + i * size, true), value);
      }
      out.push(tags);
      at = this.offset(first + n * size);
    }
    return out;
  }

  tag(at) {
    const type = this.view.getUint16(at + 2, true), count = this.offset(at + 4), size = sizes[type];
    if (!size) return [];
    const place = at + (this.big ? 12 : 8), from = count * size <= (this.big ? 8 : 4) ? place : this.offset(place);
    if (from + count * size > this.view.byteLength) return null;
    if (type === 2) return new TextDecoder().decode(new Uint8Array(this.view.buffer, from, Math.max(count - 1, 0)));
    return Array.from({ length: count }, (_, i) => (type === 16 ? this.offset(from + i * 8, true) : this.view[getters[type]](from + i * size, true)));
  }
}

function imageOf(tags, first) {
  const one = (tag, without) => tags.get(tag)?.[0] ?? without;
  const image = { width: one(256), height: one(257), side: one(322), packing: one(259), predictor: one(317, 1), bits: one(258), form: one(339, 1), bands: one(277, 1), offsets: tags.get(324), lengths: tags.get(325) };
  if (!image.offsets || image.side !== one(323) || ![8, 50000].includes(image.packing) || image.width > first.width) throw new Error("a raster of another form");
  image.across = Math.ceil(image.width / image.side);
  return image;
}

/** Raster is an opened file. ask(from, length) gives bytes as an ArrayBuffer. */
export class Raster {
  static async open(ask) {
    let bytes = await ask(0, front), directories = new Front(bytes).directories();
    for (let n = front * 8; !directories && n <= front * 512; n *= 8) {
      bytes = await ask(0, n);
      directories = new Front(bytes).directories();
    }
    if (!directories?.length) throw new Error("a raster without directories");
    return new Raster(ask, directories);
  }

  constructor(ask, directories) {
    const [first] = directories, scale = first.get(33550), tie = first.get(33922);
    if (!scale || !tie) throw new Error("a raster without a place");
    this.ask = ask;
    this.step = scale[0];
    this.west = tie[3] - tie[0] * this.step;
    this.north = tie[4] + tie[1] * this.step;
    this.none = first.has(42113) ? Number(first.get(42113)) : NaN;
    const whole = { width: first.get(256)[0] };
    this.images = directories.map((d) => imageOf(d, whole)); // the full resolution, then each half of the one before
    for (const i of this.images) i.step = this.step * 2 ** Math.round(Math.log2(whole.width / i.width));
    this.width = whole.width;
    this.height = this.images[0].height;
  }

  /** level is the coarsest image whose cells are no larger than a step in metres. */
  level(step) {
    return this.images.findLast((i) => i.step <= step * 1.01) ?? this.images[0];
  }

  /** tile is the cells of a tile of an image, row after row, of all bands beside each other; null where nothing is known. */
  async tile(image, col, row) {
    const i = row * image.across + col, length = image.lengths[i];
    if (!length) return null;
    const packed = new Uint8Array(await this.ask(image.offsets[i], length));
    return decoded(image, image.packing === 50000 ? decompress(packed) : await inflate(packed));
  }
}

async function inflate(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// decoded undoes the predictor: 2 adds the number before, 3 the byte before of bytes that are sorted by their weight.
function decoded({ side, bands, bits, form, predictor }, raw) {
  const n = side * bands, cells = n * side;
  if (raw.length < cells * (bits / 8)) throw new Error("a tile that ends early");
  if (bits === 32 && form === 3) {
    const out = new Float32Array(cells), bytes = new Uint8Array(out.buffer);
    for (let r = 0; r < side; r++) {
      const line = raw.subarray(r * n * 4, (r + 1) * n * 4);
      if (predictor === 3) {
        for (let i = bands; i < line.length; i++) line[i] = (line[i] + line[i - bands]) & 255;
        for (let i = 0, to = r * n * 4; i < n; i++, to += 4) for (let b = 0; b < 4; b++) bytes[to + 3 - b] = line[b * n + i];
      } else bytes.set(line, r * n * 4);
    }
    return out;
  }
  const Kind = bits === 8 ? Uint8Array : form === 2 ? Int16Array : Uint16Array, out = new Kind(raw.slice(0, cells * (bits / 8)).buffer);
  if (predictor === 2) for (let r = 0; r < side; r++) for (let i = r * n + bands; i < (r + 1) * n; i++) out[i] += out[i - bands];
  return out;
}
