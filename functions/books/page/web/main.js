
// ---- the parts of the work and how the page begins

const parts = ["manuscript", "details", "build", "pages", "index"];
const partNow = () => { const name = location.hash.slice(1); return parts.includes(name) ? name : "manuscript"; };

// drawPart shows the part the address names and fetches what it needs.
function drawPart() {
  if (!session.pass) return;
  const now = partNow();
  for (const p of parts) show($("part-" + p), p === now);
  for (const a of $("parts").querySelectorAll("a")) {
    if (a.getAttribute("href") !== "#" + now) { a.removeAttribute("aria-current"); continue; }
    a.setAttribute("aria-current", "page");
    $("parts").scrollLeft = a.offsetLeft - $("parts").offsetLeft - 40;
  }
  if (now === "details") loadDetails();
  if (now === "pages" && state.book) loadPages();
  if (now === "index" && state.book) loadIndex();
}
addEventListener("hashchange", () => {
  drawPart();
  const title = $(partNow() + "-title");
  if (session.pass && title) title.focus({ preventScroll: true });
});

async function enter() {
  drawPass();
  show($("signin"), false);
  show($("work"), true);
  $("shelf").open = !matchMedia("(max-width:800px)").matches;
  document.body.classList.remove("with-book");
  state.book = null;
  drawCost();
  await loadBooks();
  const last = Number(stored("books-book"));
  const first = state.books.find((b) => b.id === last) || state.books[0];
  if (first) await openBook(first.id, false);
  drawPart();
  document.body.dataset.signed = "true";
}

async function begin() {
  translate();
  drawCost();
  const own = stored(kept);
  if (own) {
    try {
      const { project, token } = JSON.parse(own);
      if (!(await signIn(project, token))) { await enter(); return; }
    } catch { store(kept, null); }
  }
  // A link of the studio may name the project: #project=12 or #project=customer/title.
  const named = new URLSearchParams(location.hash.slice(1)).get("project");
  if (named) $("project").value = named;
  $(named ? "token" : "project").focus();
}
begin().finally(() => { document.body.dataset.ready = "true"; });
