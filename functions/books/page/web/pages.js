
// ---- turning the pages of the proof

const viewer = { list: null, at: 0, zoom: 1, pictures: new Map(), asked: 0, failed: false };
const zooms = [1, 1.25, 1.5, 2, 3];
const single = matchMedia("(max-width:800px)");
const picturesKept = 24;

function forgetPages() {
  for (const p of viewer.pictures.values()) p.then((url) => { if (url) URL.revokeObjectURL(url); });
  viewer.pictures.clear();
  viewer.list = null;
  viewer.asked++;
  show($("viewer"), false);
}

async function loadPages() {
  if (viewer.list || !state.book) return;
  const turn = ++viewer.asked, id = state.book.id;
  $("no-pages").textContent = t("The pages are being fetched.");
  show($("no-pages"), true);
  const a = await ask("GET", "books/" + id + "/preview");
  if (turn !== viewer.asked) return;
  if (!a.ok || !a.body.pages || !a.body.pages.length) {
    $("no-pages").textContent = a.ok || a.status === 404 ? t("There is no proof to look at yet: build one with a print PDF.") : plain(a);
    return;
  }
  viewer.list = a.body;
  viewer.at = Math.min(viewer.at, a.body.pages.length - 1);
  show($("no-pages"), false);
  show($("viewer"), true);
  turnTo(viewer.at);
}

// picture fetches a page once; the address is of this browser's own memory.
function picture(i) {
  let p = viewer.pictures.get(i);
  if (p) {
    viewer.pictures.delete(i);
  } else {
    p = fetch("api/books/" + state.book.id + "/preview/" + (i + 1), { headers: { "X-Auth-Token": session.token } })
      .then((r) => (r.ok ? r.blob() : null)).then((b) => (b ? URL.createObjectURL(b.slice(0, b.size, "image/svg+xml")) : null)).catch(() => null);
    p.then((url) => { if (!url) viewer.pictures.delete(i); });
  }
  viewer.pictures.set(i, p); // the last of the map is the one used last
  while (viewer.pictures.size > picturesKept) {
    const [oldest, gone] = viewer.pictures.entries().next().value;
    viewer.pictures.delete(oldest);
    gone.then((url) => { if (url) URL.revokeObjectURL(url); });
  }
  return p;
}

// spread is the pages seen together: the first page is a right-hand page and stands alone.
function spread(i) {
  const n = viewer.list.pages.length;
  if (single.matches) return [i];
  const left = i % 2 ? i : i - 1;
  return [left, left + 1].filter((k) => k >= 0 && k < n);
}

function sheet(i) {
  const p = viewer.list.pages[i], ratio = viewer.list.width_pt + " / " + viewer.list.height_pt;
  const label = p.folio ? t("Page {n}, numbered {folio}", { n: i + 1, folio: p.folio }) : t("Page {n}", { n: i + 1 });
  const img = el("img", { alt: p.blank ? label + ", " + t("blank") : label, draggable: false });
  const box = el("div", { className: "sheet " + (i % 2 ? "verso" : "recto") }, img);
  box.style.setProperty("aspect-ratio", ratio);
  box.dataset.page = String(i + 1);
  picture(i).then((url) => {
    if (url) img.src = url; else box.append(el("p", { className: "error", textContent: t("This page could not be fetched.") }));
  });
  return box;
}

function turnTo(i) {
  const n = viewer.list.pages.length;
  viewer.at = Math.max(0, Math.min(n - 1, i));
  const seen = spread(viewer.at);
  const boxes = seen.map(sheet);
  if (!single.matches && seen.length === 1) {
    const empty = el("div", { className: "sheet none" });
    empty.style.setProperty("aspect-ratio", viewer.list.width_pt + " / " + viewer.list.height_pt);
    if (seen[0] % 2) boxes.push(empty); else boxes.unshift(empty);
  }
  const at = $("sheets");
  at.replaceChildren(el("div", { className: "spread" }, ...boxes));
  at.scrollTop = 0;
  $("page-no").value = seen.map((k) => k + 1).join("–");
  $("page-of").textContent = t("of {n}", { n: number(n) });
  $("back").disabled = seen[0] === 0;
  $("forth").disabled = seen.at(-1) === n - 1;
  say(boxes.flatMap((b) => [...b.querySelectorAll("img")].map((m) => m.alt)).join("; "));
  for (const k of [seen.at(-1) + 1, seen.at(-1) + 2, seen[0] - 1]) if (k >= 0 && k < n) picture(k);
  drawZoom();
}

function turn(by) {
  const seen = spread(viewer.at);
  if (by > 0 && seen.at(-1) < viewer.list.pages.length - 1) turnTo(seen.at(-1) + 1);
  if (by < 0 && seen[0] > 0) turnTo(seen[0] - 1);
}

function drawZoom() {
  $("sheets").style.setProperty("--zoom", String(viewer.zoom));
  $("sheets").classList.toggle("large", viewer.zoom > 1);
  $("zoom").textContent = Math.round(viewer.zoom * 100) + " %";
  $("out").disabled = viewer.zoom <= zooms[0];
  $("in").disabled = viewer.zoom >= zooms.at(-1);
}
function zoom(by) {
  const i = zooms.indexOf(viewer.zoom) + by;
  if (i >= 0 && i < zooms.length) { viewer.zoom = zooms[i]; drawZoom(); }
}

$("back").addEventListener("click", () => turn(-1));
$("forth").addEventListener("click", () => turn(1));
$("in").addEventListener("click", () => zoom(1));
$("out").addEventListener("click", () => zoom(-1));
$("page-no").addEventListener("focus", (e) => e.target.select());
$("page-no").addEventListener("change", (e) => {
  const typed = e.target.value.trim();
  let i = Number.parseInt(typed, 10) - 1;
  if (!(i >= 0)) i = viewer.list.pages.findIndex((p) => p.folio === typed.toLowerCase());
  turnTo(i >= 0 ? i : viewer.at);
});
$("part-pages").addEventListener("keydown", (e) => {
  if (!viewer.list || e.target.id === "page-no" || e.ctrlKey || e.metaKey || e.altKey) return;
  const large = viewer.zoom > 1 && e.target.id === "sheets"; // the arrows move the large page
  const act = { ArrowLeft: large ? null : () => turn(-1), ArrowRight: large ? null : () => turn(1), PageUp: () => turn(-1), PageDown: () => turn(1),
    Home: () => turnTo(0), End: () => turnTo(viewer.list.pages.length - 1), "+": () => zoom(1), "=": () => zoom(1), "-": () => zoom(-1) }[e.key];
  if (act) { e.preventDefault(); act(); }
});
single.addEventListener("change", () => { if (viewer.list) turnTo(viewer.at); });

// A swipe turns the page where it is not zoomed: then a finger moves it.
let finger = null;
$("sheets").addEventListener("touchstart", (e) => { finger = e.touches.length === 1 ? { x: e.touches[0].clientX, y: e.touches[0].clientY } : null; }, { passive: true });
$("sheets").addEventListener("touchend", (e) => {
  if (!finger || viewer.zoom > 1 || !viewer.list) return;
  const x = e.changedTouches[0].clientX - finger.x, y = e.changedTouches[0].clientY - finger.y;
  finger = null;
  if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) turn(x < 0 ? 1 : -1);
}, { passive: true });
