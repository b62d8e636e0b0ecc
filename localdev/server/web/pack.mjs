// Writes the bundle compressed into packed/, where localdev/server/web takes the pages from. The same bundle gives the same bytes.
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** The sources of the bundle with their SHA-256, a line each as sha256sum writes it: the program compares them with what there is. */
const list = ".sources";

// The codings by the ending of what is packed: gzip for everybody, Brotli, which is a sixth smaller, for browsers that ask for it.
const codings = {
  gz: (bytes) => {
    const out = gzipSync(bytes, { level: 9 });
    out[9] = 255; // the operating system is not told
    return out;
  },
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
};
const ending = /\.(gz|br)$/;

/**
 * pack makes the folder packed hold each file of the folder bundle as NAME.gz and as NAME.br, and nothing of earlier bundles. Readers find every
 * file whole: it is written beside the folder and moved there. What is there already stays, so that a program can be compiled
 * meanwhile. The list of sources comes last; it is written each time, for make.
 */
export async function pack(bundle, packed, sources) {
  const names = [], changed = new Map();
  await mkdir(packed, { recursive: true });
  for (const file of await readdir(bundle)) for (const [form, compressed] of Object.entries(codings)) {
    const name = `${file}.${form}`, bytes = compressed(await readFile(`${bundle}/${file}`));
    names.push(name);
    if (!await readFile(`${packed}/${name}`).then((is) => is.equals(bytes), () => false)) changed.set(name, bytes);
  }
  const stale = (await readdir(packed)).filter((name) => ending.test(name) && !names.includes(name));
  const lines = await Promise.all([...new Set(sources)].sort().map(async (file) => `${createHash("sha256").update(await readFile(file)).digest("hex")}  ${file}\n`));
  if (changed.size + stale.length > 0) await rm(`${packed}/${list}`, { force: true });
  const fresh = await mkdtemp(`${packed}-`);
  try {
    const write = async (name, bytes) => {
      await writeFile(`${fresh}/${name}`, bytes);
      await rename(`${fresh}/${name}`, `${packed}/${name}`);
    };
    for (const [name, bytes] of changed) await write(name, bytes);
    for (const name of stale) await rm(`${packed}/${name}`);
    await write(list, lines.join(""));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
