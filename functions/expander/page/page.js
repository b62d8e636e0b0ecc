"use strict";
const $ = (id) => document.getElementById(id);
const form = $("form"), rule = $("rule"), tz = $("tz"), start = $("start");
const dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const monthNames = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const examples = [
  ["every weekday", "rrule", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "Europe/Vienna", ""],
  ["last Friday of the month", "rrule", "FREQ=MONTHLY;BYDAY=-1FR", "America/New_York", ""],
  ["02:30 when clocks go forward", "rrule", "FREQ=DAILY", "Europe/Vienna", "2027-03-27T02:30"],
  ["cron at 01:30 when clocks go back", "cron", "30 1 * * *", "America/New_York", "2026-10-31T00:00"],
];
const fields = { rrule: "rule", cron: "rule", tz: "tz", start: "start" };
const maxShown = 60;
let asked = null; // the rule on show
let shown = [];   // its occurrences so far, each with the wall time that was asked for
let turn = 0;     // of the newest question: the answer to an older one is not shown

function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name in e && name !== "list") e[name] = value; else e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}

// Dates are texts of a wall clock; arithmetic on them is done in UTC, so that this machine's zone has no part.
const dateOf = (local) => local.slice(0, 10);
const utcDay = (date) => new Date(date + "T00:00:00Z");
const weekday = (date) => (utcDay(date).getUTCDay() + 6) % 7;
const clockOf = (local) => (local.slice(17, 19) === "00" ? local.slice(11, 16) : local.slice(11, 19));
const reading = (local) => dayNames[weekday(dateOf(local))] + " " + dateOf(local) + " " + clockOf(local);

function values() {
  const kind = form.elements.kind.value;
  return { kind, rule: rule.value.trim(), tz: tz.value.trim(), start: start.value };
}

function put(v) {
  form.elements.kind.value = v.kind === "cron" ? "cron" : "rrule";
  rule.value = v.rule || "";
  tz.value = v.tz || "";
  start.value = v.start || "";
  hint();
}

function hint() {
  rule.placeholder = form.elements.kind.value === "cron" ? "30 2 * * 1-5" : "FREQ=WEEKLY;BYDAY=MO,WE";
}

function clearErrors() {
  for (const e of document.querySelectorAll(".error")) { e.hidden = true; e.textContent = ""; }
  for (const i of [rule, tz, start]) i.removeAttribute("aria-invalid");
}

function showError(field, message) {
  const id = fields[field.split(/[.[]/)[0]];
  const at = $((id || "other") + "-error");
  at.textContent = at.textContent ? at.textContent + " " + message : message;
  at.hidden = false;
  if (id) $(id).setAttribute("aria-invalid", "true");
}

// What was shown is left out: the start stays where it is, so INTERVAL and COUNT keep their meaning from one page
// of three to the next. A time that occurs twice is named by its instant, for the other may be an occurrence too;
// every other by the wall time the rule asked for, for two of those may fall on one instant.
const leftOut = (o) => (o.flags.some((f) => f.startsWith("ambiguous")) ? o.utc : o.asked);

async function preview(v, leaveOut) {
  const one = { tz: v.tz, start: v.start };
  one[v.kind] = v.rule;
  if (leaveOut.length) one.exdates = leaveOut;
  let r;
  try {
    r = await fetch("v1/preview", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ rules: [one] }) });
  } catch {
    return { errors: [{ field: "", message: "The service cannot be reached." }] };
  }
  const body = await r.json().catch(() => ({ error: "The answer is no JSON (status " + r.status + ")." }));
  if (r.ok) return { body };
  return { errors: body.errors && body.errors.length ? body.errors : [{ field: "", message: body.error }] };
}

// asksFor pairs each occurrence with the anomalies of its instant.
function asksFor(result) {
  const left = result.anomalies.slice();
  return result.occurrences.map((o) => {
    const own = { ...o, asked: o.local, change: null };
    if (o.flags.some((f) => f === "nonexistent_shifted" || f.startsWith("ambiguous"))) {
      const i = left.findIndex((a) => a.chosen_utc === o.utc && /local_time$/.test(a.type));
      if (i >= 0) [own.change] = left.splice(i, 1);
      if (own.change) own.asked = own.change.local;
    }
    return own;
  });
}

function describe(o) {
  const notes = [];
  const c = o.change;
  if (c && c.type === "nonexistent_local_time") {
    notes.push(["gap", clockOf(c.local) + " does not exist on this day: clocks go from " + c.offset_before + " to " + c.offset_after + ". Moved to " + clockOf(o.local) + "."]);
  }
  if (c && c.type === "ambiguous_local_time") {
    const second = o.flags.includes("ambiguous_later");
    notes.push(["overlap", clockOf(c.local) + " occurs twice: clocks go from " + c.offset_before + " to " + c.offset_after + ". This is the " + (second ? "second" : "first") + "; the " + (second ? "first" : "second") + " is " + c.alternatives_utc[0].slice(11, 16) + "Z."]);
  }
  if (o.flags.includes("duplicate_instant")) notes.push(["gap", "The same instant as another one above."]);
  return notes;
}

function row(o) {
  const what = el("td");
  for (const [kind, text] of describe(o)) what.append(el("div", { className: "note " + kind, textContent: text }));
  return el("tr", {},
    el("td", { textContent: reading(o.local) }),
    el("td", { "data-name": "UTC", textContent: o.utc.replace("T", " ") }),
    el("td", { "data-name": "Offset", textContent: o.utc_offset + (o.is_dst ? " DST" : "") }),
    what);
}

// The days of a month that are marked: date -> {on, gap, overlap, times}.
function marks() {
  const days = new Map();
  const mark = (date) => { if (!days.has(date)) days.set(date, { times: [] }); return days.get(date); };
  for (const o of shown) {
    const day = mark(dateOf(o.local));
    day.on = true;
    day.times.push(clockOf(o.local));
    if (o.change) mark(dateOf(o.asked))[o.change.type === "ambiguous_local_time" ? "overlap" : "gap"] = true;
  }
  return days;
}

function month(key, days) {
  const [y, m] = key.split("-").map(Number);
  const grid = el("div", { className: "grid" }, ...dayNames.map((n) => el("span", { className: "head", textContent: n[0], title: n })));
  const first = weekday(key + "-01");
  for (let i = 0; i < first; i++) grid.append(el("span"));
  const length = new Date(Date.UTC(y, m, 0)).getUTCDate();
  for (let d = 1; d <= length; d++) {
    const date = key + "-" + String(d).padStart(2, "0");
    const c = days.get(date);
    const cell = el("span", { className: "day", textContent: String(d) });
    if (c) {
      const words = [];
      if (c.on) { cell.classList.add("on"); words.push(c.times.join(", ")); }
      if (c.gap) { cell.classList.add("gap"); words.push("a time of this day does not exist"); }
      if (c.overlap) { cell.classList.add("overlap"); words.push("a time of this day occurs twice"); }
      cell.title = words.join("; ");
      cell.setAttribute("aria-label", date + ": " + cell.title);
    }
    grid.append(cell);
  }
  return el("div", { className: "month" }, el("h3", { textContent: monthNames[m - 1] + " " + y }), grid);
}

const remarks = {
  start_adjusted: (a) => "The start " + clockOf(a.local) + " does not exist on that day: clocks go from " + a.offset_before + " to " + a.offset_after + ".",
  until_local: (a) => "UNTIL has no Z and is read on that zone's clock: " + reading(a.local) + ".",
  before_1970: () => "Before 1970 the zone data is coarse: many zones have the clock of their largest city.",
  blanks_ignored: () => "Blanks between the parts of the rule are ignored.",
  x_parts_ignored: (a) => "Parts of private meaning are ignored: " + a.parts.join(", ") + ".",
  nonexistent_local_time: (a) => (a.chosen_utc ? "" : reading(a.local) + " does not exist: clocks go from " + a.offset_before + " to " + a.offset_after + ". An hourly rule goes on with the next time there is."),
  start_not_in_rule: () => "The start itself does not match the rule; the first occurrence comes after it.",
  no_occurrences: () => (shown.length ? "There are no more." : "This rule never happens."),
  horizon_reached: (a) => "The search ended at " + a.local.slice(0, 10) + ": what comes later was not looked for.",
};

function draw(result) {
  const first = shown[0];
  const zone = result.tz + (result.tz_canonical === result.tz ? "" : " (" + result.tz_canonical + ")");
  $("summary").textContent = first ? "From " + reading(first.local) + " in " + zone : "No occurrences in " + zone;
  $("rows").replaceChildren(...shown.map(row));
  const days = marks();
  const months = [...new Set([...days.keys()].map((d) => d.slice(0, 7)))].sort();
  $("months").replaceChildren(...months.map((k) => month(k, days)));
  $("remarks").replaceChildren(...result.anomalies.map((a) => (remarks[a.type] ? remarks[a.type](a) : "")).filter(Boolean).map((text) => el("li", { textContent: text })));
  const more = Boolean(result.truncated);
  $("more").hidden = !more || shown.length >= maxShown;
  $("end").textContent = !more && shown.length ? "That is all of them." : shown.length >= maxShown ? "The page stops here; the paid route lists 500." : "";
  $("result").hidden = false;
}

async function show(fresh) {
  const v = fresh ? values() : asked;
  clearErrors();
  if (fresh) {
    const missing = [["rule", v.rule, "Type a rule."], ["tz", v.tz, "Choose a time zone."], ["start", v.start, "Choose when it starts."]].filter((m) => !m[1]);
    for (const [field, , message] of missing) showError(field === "rule" ? "rrule" : field, message);
    if (missing.length) return;
    history.replaceState(null, "", "#" + new URLSearchParams(v));
  }
  const own = ++turn;
  document.body.dataset.busy = "true";
  const answer = await preview(v, fresh ? [] : shown.map(leftOut));
  if (own !== turn) return;
  document.body.dataset.busy = "false";
  if (answer.errors) {
    for (const e of answer.errors) showError(e.field || "", e.message);
    if (fresh) $("result").hidden = true;
    return;
  }
  const result = answer.body.results[0];
  asked = v;
  shown = fresh ? asksFor(result) : shown.concat(asksFor(result));
  $("release").textContent = answer.body.meta.tzdata_version;
  draw(result);
}

form.addEventListener("submit", (e) => { e.preventDefault(); show(true); });
form.addEventListener("change", hint);
$("more").addEventListener("click", () => show(false));

function today() {
  const d = new Date(), two = (n) => String(n).padStart(2, "0");
  return d.getFullYear() + "-" + two(d.getMonth() + 1) + "-" + two(d.getDate()) + "T09:00";
}

// Browsers name zones as they were called decades ago (Asia/Calcutta); the service takes every name there is.
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

for (const [text, kind, r, zone, at] of examples) {
  $("examples").append(el("button", { type: "button", textContent: text, onclick: () => { put({ kind, rule: r, tz: zone, start: at || today() }); show(true); } }));
}
const given = new URLSearchParams(location.hash.slice(1));
if (given.get("rule")) {
  put(Object.fromEntries(given));
  show(true);
} else {
  put({ kind: "rrule", rule: "", tz: ownZone(), start: today() });
}
document.body.dataset.ready = "true";
