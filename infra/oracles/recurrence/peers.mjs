// Reads [{rrule|cron, start: "YYYY-MM-DDTHH:MM:SS", count}] from standard input, all in UTC, and prints for
// each {peer: ["YYYY-MM-DDTHH:MM:SS", ...] | null}; null where a peer refuses. Run with TZ=UTC.
// A rule that takes a peer longer than 3 s is null too: that is meant for a search without an end, not for a busy machine.
import { readFileSync } from "node:fs";
import vm from "node:vm";
import { RRuleTemporal } from "rrule-temporal";
import { Cron } from "croner";
import { CronExpressionParser } from "cron-parser";
import { parseCronExpression } from "cron-schedule";

const attempt = (f) => {
  globalThis.attempted = f;
  try { return vm.runInThisContext("attempted()", { timeout: 3000 }); } catch { return null; }
};
const text = (date) => date.toISOString().slice(0, 19);

function rrule({ rrule, start, count }) {
  const dtstart = start.replaceAll("-", "").replaceAll(":", "");
  const rule = new RRuleTemporal({ rruleString: `DTSTART:${dtstart}Z\nRRULE:${rrule}`, maxIterations: 3000 });
  const list = [];
  for (const d of rule.all((_, i) => i < count)) {
    if (list.length === count) break;
    list.push(new Date(d.epochMilliseconds).toISOString().slice(0, 19));
  }
  return list;
}

function cron({ cron, start, count }) {
  const before = new Date(Date.parse(start + "Z") - 1000);
  const parser = () => {
    const it = CronExpressionParser.parse(cron, { currentDate: before, tz: "UTC" });
    return Array.from({ length: count }, () => text(it.next().toDate()));
  };
  return {
    "croner": attempt(() => new Cron(cron, { timezone: "UTC" }).nextRuns(count, before).map(text)),
    "cron-parser": attempt(parser),
    "cron-schedule": attempt(() => parseCronExpression(cron).getNextDates(count, before).map(text)),
  };
}

const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map((c) => (c.cron ? cron(c) : { "rrule-temporal": attempt(() => rrule(c)) }))));
