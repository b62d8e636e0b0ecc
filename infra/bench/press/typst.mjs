// Sets a Typst source: node typst.mjs in.typ out.pdf. The fonts lie beside it.
import { writeFileSync } from "node:fs";
import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";

const [source, out] = process.argv.slice(2);
const compiler = NodeCompiler.create({ workspace: ".", fontArgs: [{ fontPaths: ["."] }] });
writeFileSync(out, compiler.pdf({ mainFilePath: source }));
