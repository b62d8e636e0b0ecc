// Several files of tests in one process, with one browser: as `node --test` runs them, but for the processes.
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

/** together runs the files of test/ that need no page, or those that drive one. */
export async function together(pages) {
  // The hooks after all tests run as soon as no test is left: none ends before the last file is read.
  let read;
  const all = new Promise((done) => { read = done; });
  test("the files of tests are read", () => all);
  const folder = new URL("../test/", import.meta.url);
  for (const name of (await readdir(folder)).sort()) {
    const file = new URL(name, folder);
    if (/^import .* from "\.\.\/testing\//m.test(await readFile(file, "utf8")) === pages) await import(file);
  }
  read();
}
