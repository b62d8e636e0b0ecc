// Runs queries over a file with DuckDB and prints the rows of each as JSON.
//   node duckdb.mjs FILE 'select ... from $FILE' ...  ->  [[[value, ...] per row] per query]
import { DuckDBInstance } from "@duckdb/node-api";

const [file, ...queries] = process.argv.slice(2);
const db = await (await DuckDBInstance.create(":memory:")).connect();
const out = [];
for (const q of queries) {
  const r = await db.runAndReadAll(q.replaceAll("$FILE", `'${file.replaceAll("'", "''")}'`));
  out.push(r.getRowsJson());
}
console.log(JSON.stringify(out));
