// Reads OpenAPI documents, a path each, and says which of two validators refuses which of them, and why.
import { readFile } from "node:fs/promises";
import SwaggerParser from "@apidevtools/swagger-parser";
import { Validator } from "@seriousme/openapi-schema-validator";

let wrong = 0;
const complain = (path, validator, why) => {
  wrong++;
  console.log(`${path}: ${validator}: ${why}`);
};
for (const path of process.argv.slice(2)) {
  const read = async () => JSON.parse(await readFile(path, "utf8"));
  try {
    await SwaggerParser.validate(await read());
  } catch (e) {
    complain(path, "swagger-parser", e.message);
  }
  const { valid, errors } = await new Validator().validate(await read());
  if (!valid) complain(path, "openapi-schema-validator", JSON.stringify(errors).slice(0, 2000));
}
process.exit(wrong ? 1 : 0);
