// The German of the pages: a text that several pages have stands in one file, so that it is said in one way.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

const folder = new URL("../src/", import.meta.url);

/** told are the texts of a file of words with their German. */
const told = async (file) => [...(await readFile(new URL(file, folder), "utf8")).matchAll(/^ {2}("(?:[^"\\]|\\.)+"): ("(?:[^"\\]|\\.)*"),?$/gm)].map(([, text, german]) => [JSON.parse(text), JSON.parse(german)]);

test("no text stands twice with the same German", async () => {
  const pages = (await readdir(folder, { withFileTypes: true })).filter((e) => e.isDirectory()).map((e) => `${e.name}/words.js`), seen = new Map(), twice = [];
  let files = 0;
  for (const file of ["words.js", ...pages]) {
    const words = await told(file).catch((e) => { assert.equal(e.code, "ENOENT", file); return []; });
    files += words.length > 10 ? 1 : 0;
    for (const [text, german] of words) {
      if (seen.get(text)?.german === german) twice.push(`${text}: ${seen.get(text).file} and ${file}`);
      seen.set(text, { german, file });
    }
  }
  assert.ok(files >= 6 && seen.size > 600, `${files} files of words and ${seen.size} texts were read`);
  assert.deepEqual(twice, []);
});
