
// ---- building, following a build, files

const buildForm = $("build");
const picked = (name) => buildForm.elements[name].value;
const isFinal = () => picked("kind") === "final" && picked("format") !== "epub";

function drawCost() {
  const p = session.pass || {}, left = p.credits_remaining ?? 0, final = isFinal();
  const epub = picked("format") === "epub";
  $("cost").textContent = epub && picked("kind") === "final" ? t("An EPUB alone is always a proof: it costs nothing.")
    : !final ? t("A proof costs nothing. 30 proofs can be built in 24 hours.")
      : left > 0 ? t("This final costs 1 credit; {n} are left. A final that fails gives it back.", { n: number(left) })
        : t("No finals are left on your pass. Ask the studio for more; proofs are still free.");
  $("build-go").textContent = final ? t("Build the final (1 credit)") : t("Build the proof");
  const addons = p.addons;
  $("index-hint").textContent = Array.isArray(addons) && !addons.includes("index") ? t("needs the index add-on of the pass") : t("needs a draft of the index");
  const busy = Boolean(state.book && state.book.status === "converting");
  $("build-go").disabled = busy || !p.live || (final && left < 1);
  buildForm.elements.index.disabled = epub;
}
buildForm.addEventListener("change", drawCost);

buildForm.addEventListener("submit", async (e) => {
  e.preventDefault();
  if ($("build-go").disabled) return;
  const id = state.book.id;
  const order = { kind: isFinal() ? "final" : "proof", format: picked("format") };
  if (buildForm.elements.index.checked && !buildForm.elements.index.disabled) order.index = true;
  clearErrors(buildForm);
  $("build-go").disabled = true;
  const a = await ask("POST", "books/" + id + "/convert", order);
  if (!a.ok) {
    drawCost();
    wrong("build", plain(a));
    if (a.status === 402 || a.status === 403) refreshPass();
    return;
  }
  if (state.book && state.book.id === id) {
    Object.assign(state.book, { status: "converting", progress: null });
    drawBook();
    watch();
  }
  refreshPass();
});

// ---- the status: asked after a second, then every 3 s, after a minute more and more seldom, not at all while nobody looks

const soon = 1000, firstWait = 3000, longestWait = 15000;
let watching = null, wait = firstWait, began = 0;

function watch() {
  stopWatching();
  wait = firstWait;
  began = Date.now();
  watching = setTimeout(look, soon);
}
function stopWatching() {
  clearTimeout(watching);
  watching = null;
}

async function look() {
  if (document.hidden) { watching = setTimeout(look, firstWait); return; }
  const id = state.book.id, asked = watching;
  const a = await ask("GET", "books/" + id);
  if (watching !== asked || !state.book || state.book.id !== id) return;
  if (!a.ok) {
    if (a.status === 0 || a.status >= 500) $("status").textContent = plain(a);
    else if (a.status !== 401) { notice(plain(a)); return stopWatching(); }
  } else {
    state.book = a.body;
    drawBook();
    if (a.body.status !== "converting") return ended();
  }
  if (Date.now() - began > 60000) wait = Math.min(longestWait, wait * 1.3);
  watching = setTimeout(look, wait);
}
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && watching) { clearTimeout(watching); watching = setTimeout(look, 0); }
});

async function ended() {
  stopWatching();
  say(state.book.status === "ready" ? t("The book is built.") : t("The build failed."));
  forgetPages();
  await Promise.all([loadOutputs(), refreshPass(), loadBooks()]);
  drawPart();
}

const steps = {
  "": "The build begins", "waiting for the press": "Waiting for the press", "drawing the preview": "Drawing the preview", "reading the manuscript": "Reading the manuscript", "setting the pages": "Setting the pages", "writing the print file": "Writing the print file",
  "checking the print file": "Checking the print file", "writing the e-book": "Writing the e-book", "checking the e-book": "Checking the e-book", done: "Putting the files away",
};

function drawBook() {
  const b = state.book, busy = b.status === "converting";
  const { step = "", done = 0 } = b.progress || {};
  $("status").textContent = busy ? (steps[step] ? t(steps[step]) : step) + " …"
    : b.status === "ready" ? t("The last build is ready.") : b.status === "error" ? t("The last build failed.") + " " + t("A failed final costs no credit.")
      : t("Not built yet.");
  show($("way"), busy);
  if (done > 0) $("way-bar").value = done; else $("way-bar").removeAttribute("value");
  if (b.status === "error" && b.error) told($("fault"), b.error); else show($("fault"), false);
  drawCost();
}

async function loadOutputs() {
  const id = state.book.id;
  const a = await ask("GET", "books/" + id + "/outputs");
  if (!state.book || state.book.id !== id) return;
  state.outputs = (a.ok ? a.body : state.book).outputs || [];
  drawFiles();
}

function drawFiles() {
  const rows = state.outputs;
  $("files").replaceChildren(...rows.map((o) => {
    const name = (o.format === "pdf" ? t("Print PDF") : "EPUB") + ", " + (o.kind === "final" ? t("final") : t("proof"));
    return el("li", {},
      el("a", { className: "button", href: "api/books/" + state.book.id + "/outputs/" + o.id + "/download", "data-format": o.format, "data-kind": o.kind }, t("Download")),
      el("span", {}, el("b", { textContent: name }), el("span", { className: "soft", textContent: [bytes(o.size_bytes || 0), o.pages ? t("{n} pages", { n: o.pages }) : "", when(o.created_at)].filter(Boolean).join(" · ") })));
  }));
  show($("no-files"), !rows.length);
  show($("to-pages"), rows.some((o) => o.format === "pdf" && o.kind === "proof"));
}
