
// ---- the preflight report

// showReport shows one of the three: the report, that it is due, that no book is chosen.
function showReport(which) {
  for (const name of ["some", "due", "none"]) show($("report-" + name), name === which);
}
function clearReport() { showReport("none"); }

async function loadReport() {
  const id = state.book.id;
  const a = await ask("GET", "projects/" + session.project + "/preflight?book_id=" + id + "&lang=" + (german ? "de" : "en"));
  if (!state.book || state.book.id !== id || !a.ok) return;
  if (a.body.exists !== false) drawReport(a.body); else showReport("due");
}

// examine has the manuscript looked through anew.
async function examine() {
  const id = state.book.id;
  for (const name of ["check", "check-first"]) $(name).disabled = true;
  document.body.dataset.busy = "true";
  say(t("The press looks through the manuscript."));
  const a = await ask("POST", "projects/" + session.project + "/preflight?lang=" + (german ? "de" : "en"), { book_id: id });
  document.body.dataset.busy = "false";
  for (const name of ["check", "check-first"]) $(name).disabled = false;
  if (!state.book || state.book.id !== id) return;
  if (!a.ok) {
    showReport("some");
    told($("report-error"), plain(a));
    return;
  }
  drawReport(a.body);
}
$("check").addEventListener("click", examine);
$("check-first").addEventListener("click", async () => {
  await examine();
  $("report-title").focus();
});

const severityWords = { high: "to decide", medium: "to look at", low: "mended for you", preserved: "kept" };

function drawReport(r) {
  showReport("some");
  $("report-of").textContent = [r.source_filename, when(r.updated_at)].filter(Boolean).join(", ");
  show($("report-error"), false);
  if (r.status === "error") told($("report-error"), r.error || (r.book_map && r.book_map.summary) || t("The manuscript could not be read."));
  const s = r.summary || {};
  $("counts").replaceChildren(...Object.keys(severityWords).map((k) => el("li", { className: "count " + k },
    el("b", { textContent: number(s[k] || 0) }), el("span", { textContent: t(severityWords[k]) }))));
  const full = $("report-full");
  show(full, r.status !== "error");
  full.href = "api/projects/" + session.project + "/preflight/report?book_id=" + state.book.id + "&lang=" + (german ? "de" : "en");
  drawKinds(s.by_type || {});
  drawMap(r.book_map || {});
  drawHistory(r.history || []);
  say(t("The report is here: {high} to decide, {medium} to look at.", { high: number(s.high || 0), medium: number(s.medium || 0) }));
}

function drawKinds(byType) {
  const order = ["high", "medium", "low"];
  const rows = Object.entries(byType).map(([name, n]) => ({ name, n, ...(known.findings[name] || { title: name.replaceAll("_", " "), severity: "medium" }) }));
  const faults = rows.filter((r) => r.severity !== "preserved" && r.n > 0);
  faults.sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity) || b.n - a.n || (a.name < b.name ? -1 : 1));
  $("kinds").tBodies[0].replaceChildren(...faults.map((r) => el("tr", {},
    el("td", {}, el("span", { className: "dot " + r.severity, title: t(severityWords[r.severity]) }), el("b", { textContent: t(r.title) }),
      r.does ? el("span", { className: "soft does", textContent: german ? r.german.does : r.does }) : ""),
    el("td", { className: "n", textContent: number(r.n) }))));
  show($("kinds"), faults.length > 0);
  const keptRows = rows.filter((r) => r.severity === "preserved" && r.n > 0);
  $("kept-list").replaceChildren(...keptRows.map((r) => el("li", { textContent: t(r.title) + ": " + number(r.n) })));
  show($("kept"), keptRows.length > 0);
}

function drawMap(map) {
  const sections = map.sections || [];
  $("sections").replaceChildren(...sections.map((s) => el("tr", {},
    el("td", { textContent: s.title || "—" }), el("td", { textContent: t(String(s.kind || "").replaceAll("_", " ")) }),
    el("td", { className: "n", textContent: number(s.paras || 0) }), el("td", { className: "n", textContent: number(s.words || 0) }))));
  const texts = (v) => (Array.isArray(v) ? v : v ? [v] : []).map(String);
  $("map-notes").replaceChildren(...texts(map.warnings).concat(texts(map.notes)).map((x) => el("li", { textContent: x })));
  show($("map"), sections.length > 0);
}

function drawHistory(history) {
  $("history").replaceChildren(...history.map((h) => el("li", { textContent: when(h.updated_at || h.updated || h.created_at) +
    (h.status === "error" ? ": " + t("could not be read") : h.total === undefined && !h.summary ? "" : ": " + countsOf(h.summary || h)) })));
  show($("past"), history.length > 1);
}

function countsOf(s) {
  return ["high", "medium", "low"].map((k) => number(s[k] || 0) + " " + t(severityWords[k])).join(", ");
}
