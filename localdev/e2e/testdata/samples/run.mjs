// Runs samples in JavaScript, a JSON list of texts: for each {printed} or {bytes} of its file, or {error}.
import { readFileSync } from "node:fs";

const Program = (async () => {}).constructor, log = console.log, out = [];
for (const text of JSON.parse(readFileSync(0, "utf8"))) {
  let printed;
  console.log = (value) => { printed = JSON.stringify(value); };
  try {
    const file = await new Program(`${text}\nreturn typeof file === "undefined" ? null : file;`)();
    out.push(file ? { bytes: file.size } : { printed });
  } catch (e) {
    out.push({ error: String(e) });
  }
}
log(JSON.stringify(out));
