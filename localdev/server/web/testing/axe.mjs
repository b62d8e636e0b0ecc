// What axe-core says of a page: rules of WCAG 2.2 A and AA and good practice, with the elements that break them.
import { readFile } from "node:fs/promises";

const source = await readFile(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** findings are the rules that a page breaks, each with the places; MapLibre's canvas is a picture and is not looked into. */
export async function findings(page) {
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(" ")} (${n.any.concat(n.all, n.none)[0]?.message ?? v.help})`));
  });
}
