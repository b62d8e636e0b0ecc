
// ---- the index editor

const terms = { entries: null, shown: [], from: 0, changed: false, edits: 0, saving: false, errors: new Map(), asked: 0 };
const onePage = 50;

function forgetIndex() {
  Object.assign(terms, { entries: null, shown: [], from: 0, changed: false, errors: new Map() });
  terms.asked++;
  show($("index-editor"), false);
}

function takeIndex(body) {
  terms.entries = (body.entries || []).map((x) => ({ ...x, see: x.see || [], see_also: x.see_also || [], locators: x.locators || [] }));
  terms.changed = false;
  terms.errors.clear();
  terms.status = body.status;
  terms.revision = body.revision;
  terms.carried = body.carried;
  drawIndex();
}

async function loadIndex() {
  if (terms.entries || !state.book) return;
  const turn = ++terms.asked;
  const a = await ask("GET", "books/" + state.book.id + "/index");
  if (turn !== terms.asked) return;
  const none = a.ok && !a.body.exists;
  show($("index-draft"), none || a.ok);
  $("index-draft").textContent = none ? t("Make a draft") : t("Make a new draft");
  if (none) {
    $("index-state").textContent = t("There is no index yet. A draft takes the marked entries of your file and the names that come up again and again.");
    return;
  }
  if (!a.ok) { $("index-state").textContent = plain(a); return; }
  takeIndex(a.body);
}

$("index-draft").addEventListener("click", async () => {
  if (terms.entries && terms.entries.length && !confirm(t("A new draft takes the place of this index. Go on?"))) return;
  $("index-draft").disabled = true;
  $("index-state").textContent = t("The draft is being made.");
  const a = await ask("POST", "books/" + state.book.id + "/index/draft");
  $("index-draft").disabled = false;
  if (!a.ok) { $("index-state").textContent = plain(a); return; }
  forgetIndex();
  await loadIndex();
});

function drawIndexState() {
  const kept = terms.entries.filter((x) => x.keep !== false).length;
  const from = terms.carried ? " " + t("Taken over from an earlier upload: {places} places were found again, {lost} were not.", { places: number(terms.carried.places), lost: number(terms.carried.lost) }) : "";
  $("index-state").textContent = t("{n} entries, {kept} kept.", { n: number(terms.entries.length), kept: number(kept) }) + from + " " +
    (terms.changed ? t("There are changes that are not saved.") : terms.status === "reviewed" ? t("Saved: a build can set it.") : t("A draft: look through it and save it."));
}

function drawIndex() {
  drawIndexState();
  show($("index-editor"), true);
  $("index-draft").textContent = t("Make a new draft");
  show($("index-draft"), true);
  const wanted = $("index-filter").value.trim().toLowerCase();
  terms.shown = terms.entries.map((x, i) => i).filter((i) => {
    const x = terms.entries[i];
    return !wanted || [x.term, x.sub, ...x.see, ...x.see_also].some((s) => String(s || "").toLowerCase().includes(wanted));
  });
  terms.from = Math.max(0, Math.min(terms.from, Math.floor((terms.shown.length - 1) / onePage) * onePage));
  const page = terms.shown.slice(terms.from, terms.from + onePage);
  $("entries").start = terms.from + 1;
  $("entries").replaceChildren(...page.map(entryRow));
  show($("entries-turn"), terms.shown.length > onePage);
  $("entries-at").textContent = t("{from} to {to} of {n}", { from: terms.from + 1, to: terms.from + page.length, n: number(terms.shown.length) });
  $("entries-back").disabled = terms.from === 0;
  $("entries-forth").disabled = terms.from + onePage >= terms.shown.length;
}

const list = (text) => text.split(";").map((s) => s.trim()).filter(Boolean);

function changed() {
  terms.changed = true;
  terms.edits++;
  drawIndexState();
}

function entryRow(i) {
  const x = terms.entries[i], faults = terms.errors.get(i) || [];
  const name = (x.term || t("new entry")) + (x.sub ? ": " + x.sub : "");
  const field = (key, label, value, set) => {
    const mine = faults.filter(([f]) => f.split(/[[.]/)[0] === key).map(([, s]) => s).join(" ");
    const id = "e" + i + "-" + key;
    const input = el("input", { id, type: "text", value, maxLength: 2000, autocomplete: "off", oninput: (e) => { set(e.target.value); changed(); } });
    if (mine) { input.setAttribute("aria-invalid", "true"); input.setAttribute("aria-describedby", id + "-error"); }
    const l = el("label", { textContent: t(label) });
    l.htmlFor = id;
    return el("div", { className: "field" }, l, input, mine ? el("p", { className: "error", id: id + "-error", textContent: mine }) : "");
  };
  const keys = ["term", "sub", "see", "see_also"];
  const other = faults.filter(([f]) => !keys.includes(f.split(/[[.]/)[0])).map(([f, s]) => (f ? f + ": " : "") + s).join(" ");
  const keep = el("input", { type: "checkbox", checked: x.keep !== false, onchange: (e) => { x.keep = e.target.checked; row.classList.toggle("off", !x.keep); changed(); } });
  const places = x.locators.length;
  const row = el("li", { className: x.keep === false ? "entry off" : "entry" },
    el("div", { className: "entry-fields" },
      field("term", "Term", x.term || "", (v) => { x.term = v.trim(); }),
      field("sub", "Subject below it", x.sub || "", (v) => { x.sub = v.trim(); }),
      field("see", "see", x.see.join("; "), (v) => { x.see = list(v); }),
      field("see_also", "see also", x.see_also.join("; "), (v) => { x.see_also = list(v); })),
    el("div", { className: "entry-acts" },
      el("label", { className: "pick" }, keep, " ", el("span", { textContent: t("keep") }), el("span", { className: "sr", textContent: " " + name })),
      el("span", { className: "soft", textContent: !places && x.see.length ? "" : places === 1 ? t("1 place") : t("{n} places", { n: number(places) }) }),
      el("button", { type: "button", className: "quiet", "aria-label": t("Delete {name}", { name }), textContent: t("Delete"), onclick: () => removeEntry(i) })),
    other ? el("p", { className: "error", textContent: other }) : "");
  return row;
}

function removeEntry(i) {
  terms.entries.splice(i, 1);
  terms.errors.clear();
  changed();
  drawIndex();
  const rows = $("entries").querySelectorAll("input[type=text]");
  if (rows.length) rows[0].focus(); else $("index-add").focus();
  say(t("The entry was deleted."));
}

$("index-add").addEventListener("click", () => {
  let n = terms.entries.length + 1;
  while (terms.entries.some((x) => x.id === "own" + n)) n++;
  terms.entries.unshift({ id: "own" + n, term: "", sub: "", see: [], see_also: [], locators: [], keep: true });
  terms.errors.clear();
  terms.from = 0;
  $("index-filter").value = "";
  changed();
  drawIndex();
  $("e0-term").focus();
});
$("index-sort").addEventListener("click", () => {
  const order = new Intl.Collator(locale, { sensitivity: "base", numeric: true });
  terms.entries.sort((a, b) => order.compare(a.term, b.term) || order.compare(a.sub || "", b.sub || ""));
  terms.errors.clear();
  changed();
  drawIndex();
});
$("index-filter").addEventListener("input", () => { terms.from = 0; drawIndex(); });
$("entries-back").addEventListener("click", () => { terms.from -= onePage; drawIndex(); });
$("entries-forth").addEventListener("click", () => { terms.from += onePage; drawIndex(); });

// together makes one of kept entries that say the same term and subject: their places and references join.
function together() {
  const first = new Map(), before = terms.entries.length;
  const union = (a, b, key) => { const has = new Set(a.map(key)); return a.concat(b.filter((x) => !has.has(key(x)))); };
  terms.entries = terms.entries.filter((x) => {
    if (x.keep === false || !x.term) return true;
    const name = x.term + "\n" + (x.sub || ""), one = first.get(name);
    if (!one) { first.set(name, x); return true; }
    one.locators = union(one.locators, x.locators, (l) => l.anchor + "\n" + (l.end_anchor || ""));
    one.see = union(one.see, x.see, (s) => s);
    one.see_also = union(one.see_also, x.see_also, (s) => s);
    return false;
  });
  return before - terms.entries.length;
}

$("index-save").addEventListener("click", async () => {
  if (terms.saving) return;
  const id = state.book.id, joined = together(), edits = terms.edits;
  show($("index-error"), false);
  terms.errors.clear();
  terms.saving = true;
  const a = await ask("PUT", "books/" + id + "/index", { entries: terms.entries, revision: terms.revision });
  terms.saving = false;
  if (!state.book || state.book.id !== id) return;
  if (a.ok) {
    if (terms.edits === edits) takeIndex(a.body);
    else {
      terms.revision = a.body.revision; // what was typed meanwhile stays, and is not saved
      if (joined) drawIndex();
    }
    return say(t("The index was saved.") + (joined ? " " + t("Entries of the same words were put together: {n}.", { n: joined }) : ""));
  }
  for (const [name, sentence] of complaints(a.body)) {
    const m = /^entries\[(\d+)\]\.?(.*)$/.exec(name);
    if (!m) continue;
    const i = Number(m[1]);
    const inner = m[2] ? [m[2], sentence] : (/^([\w[\]]+): (.*)$/s.exec(sentence) || ["", "", sentence]).slice(1);
    if (!terms.errors.has(i)) terms.errors.set(i, []);
    terms.errors.get(i).push(inner);
  }
  if (terms.errors.size) {
    $("index-filter").value = "";
    terms.from = Math.floor(Math.min(...terms.errors.keys()) / onePage) * onePage;
  }
  drawIndex();
  $("index-error").textContent = terms.errors.size ? t("Not saved: see the marked entries.")
    : a.status === 409 ? t("Somebody else has saved the index in the meantime. Load the page again to see it; your changes are lost then.") : plain(a);
  show($("index-error"), true);
  const first = $("entries").querySelector("[aria-invalid=true]");
  if (first) first.focus();
});
addEventListener("beforeunload", (e) => { if (terms.changed) e.preventDefault(); });
