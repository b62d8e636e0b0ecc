// Answers the bench's requests with other expanders, one per path: POST /rrule-temporal, /rrule-rust,
// /rrule-rust-instants and /cron-parser take a body of the expander and answer with what the library gives of it. GET /cpu is the
// CPU time used so far in seconds. Prints its port.
import { createServer } from "node:http";
import { RRuleTemporal } from "rrule-temporal";
import rust from "rrule-rust";
import { CronExpressionParser } from "cron-parser";
import { DateTime as Luxon } from "luxon";

const { RRule, RRuleSet, DtStart, DateTime } = rust;
const two = (n) => (n < 10 ? "0" + n : n);

// Wall time, instant and offset: the same members that the service gives.
function temporal({ rrule, tz, start, count }) {
  const dtstart = start.replaceAll("-", "").replaceAll(":", "");
  const rule = new RRuleTemporal({ rruleString: `DTSTART;TZID=${tz}:${dtstart}\nRRULE:${rrule}`, maxIterations: 100000 });
  const list = [];
  rule.all((z, i) => {
    if (i >= count) return false;
    list.push({ local: z.toPlainDateTime().toString(), utc: new Date(z.epochMilliseconds).toISOString(), utc_offset: z.offset });
    return list.length < count;
  });
  return list;
}

// The library knows wall times only: it gives neither instants nor offsets.
function rrust({ rrule, tz, start, count }) {
  const [y, m, d, h, min, s] = start.match(/\d+/g).map(Number);
  const set = new RRuleSet({ dtstart: new DtStart(DateTime.local(y, m, d, h, min, s), tz), rrules: [RRule.fromString(rrule)] });
  return set.all(count).map((t) => ({ local: `${t.year}-${two(t.month)}-${two(t.day)}T${two(t.time.hour)}:${two(t.time.minute)}:${two(t.time.second)}` }));
}

// The same with the instants and offsets that a caller has to find himself, by luxon.
function rrustInstants(rule) {
  return rrust(rule).map(({ local }) => {
    const t = Luxon.fromISO(local, { zone: rule.tz });
    return { local, utc: t.toUTC().toISO(), utc_offset: t.toFormat("ZZ") };
  });
}

// Instants only; asking its dates for the wall time and offset would cost more.
function cron({ cron, tz, start, count }) {
  const it = CronExpressionParser.parse(cron, { currentDate: `${start}`, tz });
  const list = [];
  for (let i = 0; i < count; i++) list.push({ utc: it.next().toISOString() });
  return list;
}

const peers = { "/rrule-temporal": temporal, "/rrule-rust": rrust, "/rrule-rust-instants": rrustInstants, "/cron-parser": cron };
const server = createServer(async (request, response) => {
  if (request.url === "/cpu") {
    const { user, system } = process.cpuUsage();
    response.end(String((user + system) / 1e6));
    return;
  }
  const chunks = [];
  for await (const c of request) chunks.push(c);
  const { rules } = JSON.parse(Buffer.concat(chunks));
  const body = Buffer.from(JSON.stringify({ results: rules.map((r) => ({ tz: r.tz, occurrences: peers[request.url](r) })) }));
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Content-Length", body.length);
  response.end(body);
});
server.keepAliveTimeout = 600000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
