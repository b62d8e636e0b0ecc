
// ---- the shelf of books, and uploading

const state = { books: [], book: null }; // book: the record of the one being worked on
const maxFile = 50 * 1024 * 1024;
const statusWords = { uploaded: "uploaded", converting: "being built", ready: "built", error: "build failed" };

async function loadBooks() {
  const a = await ask("GET", "projects/" + session.project + "/books");
  if (!a.ok) return notice(plain(a));
  state.books = (a.body.books || []).filter((b) => b.status !== "awaiting_file"); // an upload that was stopped left nothing to work on
  drawShelf();
}

function drawShelf() {
  $("books").replaceChildren(...state.books.map((b) => el("li", {},
    el("button", { type: "button", className: "book", "aria-pressed": String(Boolean(state.book && state.book.id === b.id)), onclick: () => openBook(b.id, true) },
      el("b", { textContent: b.title }),
      el("span", { textContent: b.author }),
      el("span", { className: "soft", textContent: [statusWords[b.status] ? t(statusWords[b.status]) : b.status, when(b.updated_at)].filter(Boolean).join(", ") })))));
  show($("no-books"), !state.books.length);
  show($("new-book"), state.books.length > 0);
  $("shelf-now").textContent = state.book ? state.book.title : "";
}

let chosen = 0; // counts the books chosen: an answer that comes after a later choice opens nothing

// openBook makes a book the one being worked on.
async function openBook(id, byHand) {
  const turn = ++chosen;
  const a = await ask("GET", "books/" + id);
  if (turn !== chosen) return;
  if (!a.ok) return notice(plain(a));
  notice("");
  const other = !state.book || state.book.id !== a.body.id;
  state.book = a.body;
  store("books-book", String(a.body.id));
  document.body.classList.add("with-book");
  drawShelf();
  if (byHand && matchMedia("(max-width:800px)").matches) $("shelf").open = false;
  if (other) {
    stopWatching();
    clearReport();
    forgetPages();
    forgetIndex();
    say(t("Book chosen: {title}", { title: a.body.title }));
  }
  drawBook();
  if (a.body.status === "converting") watch();
  await Promise.all([loadReport(), loadOutputs()]);
  drawPart();
}

let sending = null; // the upload under way

function uploadErrors(body) {
  let any = false;
  for (const [name, sentence] of complaints(body)) any = (["title", "author", "file"].includes(name) && wrong(name, sentence)) || any;
  return any;
}

// send sends a body and tells how far it is; XMLHttpRequest is the one way to hear of the progress of an upload.
function send(method, address, headers, content) {
  return new Promise((done) => {
    const x = new XMLHttpRequest();
    sending = x;
    x.open(method, address);
    for (const [name, value] of Object.entries(headers)) x.setRequestHeader(name, value);
    x.upload.onprogress = (e) => { if (e.lengthComputable) uploadWay(e.loaded / e.total); };
    x.upload.onload = () => uploadWay(1);
    x.onload = () => {
      let body = {};
      try { body = JSON.parse(x.responseText) || {}; } catch { /* plain says it by the status */ }
      done({ ok: x.status >= 200 && x.status < 300, status: x.status, body });
    };
    x.onerror = () => done({ ok: false, status: 0, body: {} });
    x.onabort = () => done({ ok: false, status: -1, body: {} });
    x.send(content);
  }).finally(() => { sending = null; });
}

function uploadWay(share) {
  $("upload-bar").value = share;
  $("upload-far").textContent = share < 1 ? t("{n} % sent", { n: Math.floor(share * 100) }) : t("The press reads the file");
}

$("upload").addEventListener("submit", async (e) => {
  e.preventDefault();
  if (sending) return;
  const form = e.currentTarget, file = $("file").files[0];
  clearErrors(form);
  const title = $("title").value.trim(), author = $("author").value.trim();
  if (!title) wrong("title", t("Type the title."));
  if (!author) wrong("author", t("Type the author's name."));
  if (!file) wrong("file", t("Choose a file."));
  else if (file.size > maxFile) wrong("file", t("The file is larger than 50 MB. Make its pictures smaller and try again."));
  else if (file.size === 0) wrong("file", t("The file is empty."));
  if (form.querySelector("[aria-invalid]")) return focusWrong(form);
  show($("upload-way"), true);
  show($("upload-stop"), true);
  $("upload-go").disabled = true;
  uploadWay(0);
  const a = await deliver(file, title, author);
  show($("upload-way"), false);
  show($("upload-stop"), false);
  $("upload-go").disabled = false;
  if (!a.ok) {
    if (!session.pass) return; // signed out meanwhile
    if (a.status === -1) return say(t("The upload was stopped."));
    if (a.status === 401) return signOut(t("The password is no longer right. Sign in again."));
    if (a.status !== 400 || !uploadErrors(a.body)) wrong("file", plain(a));
    return focusWrong(form);
  }
  form.reset();
  $("drop").classList.remove("full");
  say(t("The manuscript was uploaded."));
  await loadBooks();
  await openBook(a.body.id, true);
  await examine();
  $("report-title").focus();
});

// inOne is the size up to which a file goes with its form in one body; more than the service takes that way in the cloud goes in three steps.
const inOne = 4_000_000;
const own = () => ({ "X-Auth-Token": session.token, Accept: "application/json" });

async function deliver(file, title, author) {
  if (file.size <= inOne) {
    const data = new FormData();
    for (const [name, value] of [["title", title], ["author", author], ["project_id", session.project]]) data.append(name, String(value));
    data.append("file", file);
    return send("POST", "api/books/upload", own(), data);
  }
  const begun = await ask("POST", "books/upload/large", { filename: file.name, size_bytes: file.size, title, author, project_id: session.project });
  if (!begun.ok) return begun;
  const id = begun.body.id, to = new URL(begun.body.upload.url, location.href);
  const a = to.host === location.host ? await send("PUT", "api/books/" + id + "/file", { ...own(), "Content-Type": "application/octet-stream" }, file)
    : await send("PUT", to.href, begun.body.upload.headers || {}, file);
  if (!a.ok) return a;
  const done = await ask("POST", "books/" + id + "/complete");
  return done.ok ? { ...done, body: { ...done.body, id } } : done;
}

$("upload-stop").addEventListener("click", () => { if (sending) sending.abort(); });
$("new-book").addEventListener("click", () => { location.hash = "#manuscript"; drawPart(); $("title").focus(); });

function fileChosen() {
  const f = $("file").files[0];
  $("drop").classList.toggle("full", Boolean(f));
  if (f && !$("title").value) $("title").value = f.name.replace(/\.[^.]*$/, "").replace(/[_]+/g, " ");
}
$("file").addEventListener("change", fileChosen);
for (const kind of ["dragenter", "dragover"]) $("drop").addEventListener(kind, (e) => { e.preventDefault(); $("drop").classList.add("over"); });
for (const kind of ["dragleave", "drop"]) $("drop").addEventListener(kind, () => $("drop").classList.remove("over"));
$("drop").addEventListener("drop", (e) => {
  e.preventDefault();
  if (e.dataTransfer.files.length) { $("file").files = e.dataTransfer.files; fileChosen(); }
});
