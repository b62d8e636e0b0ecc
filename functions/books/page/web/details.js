
// ---- the transmittal: a form of the specification's own fields

const groups = [
  ["The book", ["title", "subtitle", "author", "publisher", "isbn", "rights", "language"]],
  ["Paper", ["trim", "bleed_mm", "inner_mm", "outer_mm", "top_mm", "bottom_mm"]],
  ["Type", ["face", "size_pt", "leading_pt", "hyphenate", "keep_all", "first_line", "scene_mark"]],
  ["Pages", ["openers", "chapter_label", "head_verso", "head_recto", "contents", "notes"]],
  ["Printing", ["printer", "pdf", "page_multiple"]],
];
const choiceWords = {
  recto: "on a right-hand page", next_page: "on the next page", author: "author", title: "title of the book", chapter: "title of the chapter", none: "nothing",
  plain: "plain", drop_cap: "with a drop cap", small_caps: "in small capitals", auto: "where it is of use", yes: "yes", no: "no",
  as_written: "as written", foot: "at the foot of the page", end: "at the end of the book", kdp: "Amazon KDP", ingram: "IngramSpark",
  x1a: "PDF/X-1a", x4: "PDF/X-4", libertine: "Linux Libertine", "stix-two": "STIX Two",
  en: "English", "en-GB": "English (Britain)", "en-US": "English (America)", de: "German", "de-AT": "German (Austria)", "de-CH": "German (Switzerland)", "de-DE": "German (Germany)", "de-1901": "German (old spelling)",
};
const trimNames = ["5x8", "5.25x8", "5.5x8.5", "6x9", "A5", "135x215"];
const form = { data: {}, status: "draft", loaded: 0, changed: false };

// valueWord is a choice in words; "plain" is a printer, a print file and a first line.
function valueWord(field, value) {
  if (value === "plain" && field === "printer") return t("any printer");
  if (value === "plain" && field === "pdf") return t("plain PDF");
  return choiceWords[value] ? t(choiceWords[value]) : value;
}

// languages has one choice more: what nobody has chosen the manuscript says.
function languages(f, id, described) {
  const now = form.data[f.name] || "";
  return el("select", { id, "aria-describedby": described }, el("option", { value: "", selected: !now, textContent: t("as the manuscript says") }),
    ...f.allowed.map((v) => el("option", { value: v, selected: now === v, textContent: valueWord(f.name, v) })));
}

function control(f) {
  const id = "f-" + f.name, described = id + "-hint " + id + "-error";
  const value = form.data[f.name] ?? known.defaults[f.name];
  switch (f.form) {
    case "choice":
      if (f.name === "language") return languages(f, id, described);
      return el("select", { id, "aria-describedby": described }, ...f.allowed.map((v) => el("option", { value: v, selected: String(value) === v, textContent: valueWord(f.name, v) })));
    case "yes_no":
      return el("input", { id, type: "checkbox", checked: Boolean(value), "aria-describedby": described });
    case "number":
      return el("input", { id, type: "text", inputMode: "decimal", autocomplete: "off", value: String(value ?? ""), "aria-describedby": described });
  }
  const input = el("input", { id, type: "text", autocomplete: "off", value: String(value ?? ""), "aria-describedby": described });
  if (f.most > 0) input.maxLength = f.most;
  if (f.name === "trim") input.setAttribute("list", "trims");
  if (f.name === "title" || f.name === "author") input.placeholder = t("as uploaded");
  return input;
}

function hintOf(f) {
  if (f.form === "number") return t(f.doc) + (f.most > 0 ? " (" + t("{least} to {most}", { least: number(f.least), most: number(f.most) }) + ")" : "");
  if (f.name === "trim") return t("Choose one, or width x height in millimetres from 90x140 to 220x300.");
  return f.doc && !/^at most \d+ characters$/.test(f.doc) ? t(f.doc) : "";
}

function drawField(f) {
  const id = "f-" + f.name, hint = hintOf(f);
  const label = el("label", { textContent: t(f.label) });
  label.htmlFor = id;
  const c = control(f);
  return el("div", { className: f.form === "yes_no" ? "field check" : "field" },
    ...(f.form === "yes_no" ? [c, label] : [label, c]),
    el("p", { className: "hint", id: id + "-hint", textContent: hint, hidden: !hint }),
    el("p", { className: "error", id: id + "-error", hidden: true }));
}

function drawDetails() {
  const left = new Map(known.fields.map((f) => [f.name, f]));
  const sets = [];
  const fieldset = (title, list) => el("fieldset", { className: "card" }, el("legend", { textContent: t(title) }), ...list);
  for (const [title, names] of groups) {
    const list = names.filter((n) => left.has(n)).map((n) => { const f = left.get(n); left.delete(n); return drawField(f); });
    if (list.length) sets.push(fieldset(title, list));
  }
  if (left.size) sets.push(fieldset("More", [...left.values()].map(drawField)));
  const note = el("label", { textContent: t("What the studio should know") });
  note.htmlFor = "f-notes_to_studio";
  sets.push(fieldset("Notes", [el("div", { className: "field wide" }, note,
    el("textarea", { id: "f-notes_to_studio", rows: 5, maxLength: 10000, value: String(form.data.notes_to_studio ?? ""), "aria-describedby": "f-notes_to_studio-error" }),
    el("p", { className: "error", id: "f-notes_to_studio-error", hidden: true }))]));
  $("details").replaceChildren(el("datalist", { id: "trims" }, ...trimNames.map((v) => el("option", { value: v }))), ...sets,
    el("div", { className: "saving" }, el("p", { className: "error", id: "details-error", role: "alert", hidden: true }),
      el("p", { className: "actions" }, el("button", { type: "submit", value: "final", className: "first", textContent: t("Save as final") }),
        el("button", { type: "submit", value: "draft", textContent: t("Save as draft") }),
        el("a", { className: "button", id: "template", href: "api/projects/" + session.project + "/word-template", textContent: t("Word template") }))));
  drawDetailsState();
}

function drawDetailsState() {
  $("details-state").textContent = form.status === "final" ? t("The transmittal is final.") : t("The transmittal is a draft.");
  show($("template"), form.status === "final");
}

// loadDetails fetches the form once: drawn a second time it would undo what was typed meanwhile.
async function loadDetails() {
  const project = session.project;
  if (form.loaded === project) return;
  form.loaded = project;
  const a = await ask("GET", "projects/" + project + "/transmittal");
  if (session.project !== project) return;
  if (!a.ok) {
    form.loaded = 0;
    return notice(plain(a));
  }
  form.changed = false;
  form.data = a.body.data || {};
  form.status = a.body.status || "draft";
  drawDetails();
}

// typed is what the form says: members that differ from the default or were set before; those the form does not know stay.
function typed() {
  const data = { ...form.data };
  const put = (name, value) => { if (name in form.data || value !== known.defaults[name]) data[name] = value; };
  for (const f of known.fields) {
    const c = $("f-" + f.name);
    if (f.form === "yes_no") put(f.name, c.checked);
    else if (f.form === "number") { const text = c.value.trim().replace(",", "."); put(f.name, text !== "" && !isNaN(Number(text)) ? Number(text) : c.value.trim()); }
    else if (typeof known.defaults[f.name] === "number") put(f.name, Number(c.value));
    else if (f.name === "language") { if (c.value) data.language = c.value; else delete data.language; }
    else put(f.name, c.value.trim());
  }
  const note = $("f-notes_to_studio").value.trim();
  if (note || form.data.notes_to_studio) data.notes_to_studio = note;
  return data;
}

$("details").addEventListener("submit", async (e) => {
  e.preventDefault();
  const at = e.currentTarget, status = e.submitter && e.submitter.value === "draft" ? "draft" : "final";
  clearErrors(at);
  const data = typed();
  const a = await ask("PUT", "projects/" + session.project + "/transmittal", { status, data });
  if (!a.ok) {
    let any = false;
    if (a.status === 400 || a.status === 422) for (const [name, sentence] of complaints(a.body)) any = wrong("f-" + name.replace(/^data\./, ""), sentence) || any;
    wrong("details", any ? t("Not saved: see the marked fields.") : plain(a));
    return focusWrong(at);
  }
  form.changed = false;
  form.data = a.body.data || data;
  form.status = a.body.status || status;
  drawDetailsState();
  say(form.status === "final" ? t("Saved. The next build follows it.") : t("Saved as a draft."));
  $("details-state").textContent += " " + (form.status === "final" ? t("Saved. The next build follows it.") : t("Saved as a draft."));
});
$("details").addEventListener("input", () => { form.changed = true; });
addEventListener("beforeunload", (e) => { if (form.changed && session.pass) e.preventDefault(); });
