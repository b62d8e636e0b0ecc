// Drives the authors' page in a real browser against a running service, as an author would: sign in,
// upload a Word file, read the report, say how the book shall be, build, turn the pages, download, edit
// the index; on a desktop and on a phone. MAPPE_BOOKS_TOKEN opens MAPPE_BOOKS_PROJECT, a project without books.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { accessible, base, desktop, drawn, fits, inked, large, launch, manuscript, open, part, phone, project, quit, seen, shoot, signIn, text, token } from "../testing/author.mjs";

const skip = token ? false : "MAPPE_BOOKS_TOKEN names no token: there is no project to work in";
before(() => (skip ? undefined : launch()));
after(quit);

test("signing in", { skip }, async () => {
  const { page, errors } = await open({ viewport: desktop });
  assert.equal(await page.inputValue("#project"), project);
  assert.equal(await page.evaluate(() => document.activeElement.id), "token");
  await page.press("#token", "Enter");
  assert.equal(await text(page, "#token-error"), "Type the password.");
  await page.fill("#token", "mbk_00000000_" + "A".repeat(43));
  await page.press("#token", "Enter");
  await page.waitForFunction(() => /not right/.test(document.getElementById("token-error").textContent));
  assert.equal(await page.getAttribute("#token", "aria-invalid"), "true");
  assert.equal(await page.evaluate(() => document.activeElement.id), "token");
  await accessible(page, "sign in");
  await shoot(page, "books-sign-in");
  await page.fill("#project", "demo/green-door");
  await signIn(page);
  assert.match(await text(page, "#pass"), /2 finals left · pass until \d+ \w+ \d{4}/);
  assert.ok(await page.isVisible("#no-books"));
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.signed === "true");
  await page.click("#leave");
  assert.ok(await page.isVisible("#signin"));
  assert.deepEqual(await page.context().cookies(), []);
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.ready === "true");
  assert.ok(await page.isVisible("#signin"), "a reload after signing out signs in again");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a manuscript's way to a proof", { skip }, async () => {
  const { page, errors } = await open({ viewport: desktop, acceptDownloads: true });
  await signIn(page);

  // what is missing is said at its field, and so is a file that is no manuscript
  await page.click("#upload-go");
  assert.equal(await text(page, "#title-error"), "Type the title.");
  assert.equal(await text(page, "#file-error"), "Choose a file.");
  assert.equal(await page.evaluate(() => document.activeElement.id), "title");
  await page.fill("#title", "The Green Door");
  await page.fill("#author", "Anna Huber");
  await page.setInputFiles("#file", { name: "book.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj") });
  await page.click("#upload-go");
  await page.waitForFunction(() => /PDF/.test(document.getElementById("file-error").textContent));
  assert.equal(await page.inputValue("#title"), "The Green Door");
  await shoot(page, "books-refused");

  await page.setInputFiles("#file", manuscript);
  await page.click("#upload-go");
  await page.waitForSelector("#report-some:not([hidden])");
  await page.waitForFunction(() => document.querySelectorAll("#kinds tbody tr").length > 0);
  assert.match(await text(page, "#kinds"), /Placeholder/);
  assert.match(await text(page, ".count.high"), /[1-9]/);
  await page.click("#map summary");
  assert.ok(await page.locator("#sections tr").count() >= 4);
  await accessible(page, "manuscript");
  await shoot(page, "books-report");
  const [report] = await Promise.all([page.waitForEvent("popup"), page.click("#report-full")]);
  await report.waitForLoadState();
  assert.match(await report.innerText("body"), /report/i);
  await report.close();

  // how it shall look: a wrong value stands at its field, a right one is kept
  await part(page, "details");
  await page.waitForSelector("#f-size_pt");
  await page.fill("#f-size_pt", "40");
  await page.fill("#f-isbn", "978-3-16-148410-1");
  await page.click("text=Save as final");
  await page.waitForSelector("#f-size_pt-error:not([hidden])");
  assert.match(await text(page, "#f-size_pt-error"), /8 to 18/);
  assert.match(await text(page, "#f-isbn-error"), /check digit/);
  assert.match(await text(page, "#details-error"), /marked fields/);
  await accessible(page, "details");
  await shoot(page, "books-details");
  await page.fill("#f-size_pt", "11.5");
  await page.fill("#f-isbn", "978-3-16-148410-0");
  await page.selectOption("#f-openers", "next_page");
  await page.fill("#f-notes_to_studio", "The map comes later.");
  await page.click("text=Save as final");
  await page.waitForFunction(() => /is final/.test(document.getElementById("details-state").textContent));
  const [template] = await Promise.all([page.waitForEvent("download"), page.click("#template")]);
  assert.match(template.suggestedFilename(), /\.docx$/);
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.signed === "true");
  await page.waitForSelector("#f-size_pt");
  assert.equal(await page.inputValue("#f-size_pt"), "11.5");
  assert.equal(await page.inputValue("#f-openers"), "next_page");
  assert.equal(await page.inputValue("#f-notes_to_studio"), "The map comes later.");

  // the proof
  await part(page, "build");
  await page.click("input[value=final]");
  assert.match(await text(page, "#cost"), /costs 1 credit; 2 are left/);
  assert.equal(await text(page, "#build-go"), "Build the final (1 credit)");
  await page.click("input[value=proof]");
  assert.match(await text(page, "#cost"), /costs nothing/);
  await page.click("#build-go");
  await page.waitForFunction(() => !document.getElementById("way").hidden && document.getElementById("build-go").disabled);
  await shoot(page, "books-building");
  await page.waitForFunction(() => document.querySelectorAll("#files li").length === 2, null, { timeout: 60000 });
  assert.match(await text(page, "#status"), /ready/);
  await accessible(page, "build");
  await shoot(page, "books-built");
  for (const [format, magic] of [["pdf", "%PDF"], ["epub", "PK"]]) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(`#files a[data-format=${format}]`)]);
    assert.match(file.suggestedFilename(), new RegExp(`^the-green-door-proof-\\d{4}-\\d\\d-\\d\\d\\.${format}$`));
    const bytes = await readFile(await file.path());
    assert.equal(bytes.subarray(0, magic.length).toString("latin1"), magic);
  }

  // its pages: the first alone, then spreads, by button and by key
  await page.click("#to-pages a");
  await page.waitForSelector("#viewer:not([hidden])");
  await drawn(page, 1);
  assert.deepEqual(await seen(page), ["1"]);
  await page.click("#forth");
  await drawn(page, 2);
  assert.deepEqual(await seen(page), ["2", "3"]);
  assert.ok(await page.isEnabled("#back"));
  await page.focus("#sheets");
  await page.keyboard.press("End");
  const last = await seen(page);
  assert.ok(last.includes((await text(page, "#page-of")).replace(/\D/g, "")), `the last spread is ${last}`);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await seen(page), ["4", "5"]);
  await page.fill("#page-no", "7");
  await page.press("#page-no", "Enter");
  await drawn(page, 2);
  assert.deepEqual(await seen(page), ["6", "7"]);
  assert.ok(await inked(page), "the pages are white");
  await accessible(page, "pages");
  await shoot(page, "books-pages", false);
  const narrow = await page.evaluate(() => document.querySelector(".sheet").clientWidth);
  await page.click("#in");
  assert.ok(await page.evaluate(() => document.querySelector(".sheet").clientWidth) > narrow);
  await fits(page, "the zoomed page");
  await page.click("#out");

  // the index
  await part(page, "index");
  await page.waitForFunction(() => /no index yet/.test(document.getElementById("index-state").textContent));
  await page.click("#index-draft");
  await page.waitForSelector("#index-editor:not([hidden])");
  const before = await page.locator(".entry").count();
  assert.ok(before >= 1, "the draft is empty");
  await page.click("#index-add");
  await page.fill("#e0-term", "Door, the green");
  await page.fill("#e0-see", "Nowhere");
  await page.click("#index-save");
  await page.waitForSelector("#index-error:not([hidden])");
  assert.equal(await text(page, "#e0-see-error"), '"Nowhere" is no kept term of the index');
  assert.equal(await page.getAttribute("#e0-see", "aria-invalid"), "true");
  await accessible(page, "index");
  await shoot(page, "books-index");
  await page.fill("#e0-see", await page.inputValue("#e1-term"));
  await page.locator(".entry").nth(1).locator("input[type=checkbox]").check();
  await page.click("#index-sort");
  await page.click("#index-save");
  await page.waitForFunction(() => /Saved/.test(document.getElementById("index-state").textContent));
  assert.equal(await page.locator(".entry").count(), before + 1);
  await page.locator(".entry .quiet").first().click();
  assert.equal(await page.locator(".entry").count(), before);
  assert.match(await text(page, "#index-state"), /not saved/);
  assert.deepEqual(errors, []);
  await page.context().close();
});

// Answers the service gives seldom, put in its place; what is shown of them.
test("refusals and failures are told in plain words", { skip }, async () => {
  const { page, errors } = await open({ viewport: desktop });
  await page.route("**/pass", async (r) => r.fulfill({ json: { ...await (await r.fetch()).json(), expires_at: "2027-12-01T00:00:00Z" } }), { times: 1 });
  await signIn(page);
  assert.match(await text(page, "#pass"), /pass until 30 November 2027/, "the last day, as the studio named it");
  await part(page, "build");
  const answer = (status, body) => page.route("**/api/books/*/convert", (r) => r.fulfill({ status, json: body }), { times: 1 });
  const nothingDone = () => page.unroute("**/api/books/*/convert");
  for (const [status, body, said] of [
    [402, { error: "x", credits_remaining: 0 }, /No finals are left/],
    [402, { error: "x", addon: "index" }, /needs the add-on/],
    [403, { error: "x" }, /no live pass/],
    [409, { error: "a build of the project is running: wait until it has ended" }, /already running/],
    [429, { error: "x" }, /30 proofs/],
    [500, { error: "x" }, /fault of its own/],
    [400, { error: "index: a draft of the index first" }, /draft of the index first/],
  ]) {
    await answer(status, body);
    await page.click("#build-go");
    await page.waitForFunction((said) => new RegExp(said).test(document.getElementById("build-error").textContent), said.source);
    assert.ok(await page.isEnabled("#build-go"), `after ${status} nothing can be tried`);
    await nothingDone();
  }
  await page.route("**/api/books/*/convert", (r) => r.abort());
  await page.click("#build-go");
  await page.waitForFunction(() => /cannot be reached/.test(document.getElementById("build-error").textContent));
  await nothingDone();

  // a build that takes its time names its steps; it fails: the sentence, the place, the technical part folded; text is never markup
  await answer(200, { status: "converting" });
  let looks = 0;
  await page.route(/\/api\/books\/\d+$/, async (r) => {
    const own = await (await r.fetch()).json();
    if (++looks === 1) return r.fulfill({ json: { ...own, status: "converting", outputs: [], progress: { step: "setting the pages", done: 0.4 } } });
    await r.fulfill({ json: { ...own, status: "error", outputs: [], error: "A picture is <b>missing</b>. Put it in.\nNear: “the <i>cellar</i>”\nTechnical detail: rId7" } });
  });
  await page.click("#build-go");
  await page.waitForFunction(() => document.getElementById("status").textContent === "Setting the pages …" && document.getElementById("way-bar").value === 0.4);
  await page.waitForSelector("#fault:not([hidden])");
  assert.match(await text(page, "#fault"), /A picture is <b>missing<\/b>\. Put it in\.\s+Near: the <i>cellar<\/i>/);
  assert.ok(await page.isHidden("#fault pre"));
  await page.click("#fault summary");
  assert.equal(await text(page, "#fault pre"), "rId7");
  assert.match(await text(page, "#status"), /failed/);
  await accessible(page, "a failed build");
  await shoot(page, "books-failed");
  await page.unroute(/\/api\/books\/\d+$/);

  // a password that ends while one works
  await page.route("**/api/books/*/convert", (r) => r.fulfill({ status: 401, json: { error: "unauthorized" } }));
  await page.click("#build-go");
  await page.waitForSelector("#signin:not([hidden])");
  assert.match(await text(page, "#notice"), /no longer right/);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a final costs a credit", { skip }, async () => {
  const { page, errors } = await open({ viewport: desktop });
  await signIn(page);
  await part(page, "build");
  await page.click("input[value=final]");
  await page.click("input[value=pdf]");
  await page.check("input[name=index]");
  await page.click("#build-go");
  await page.waitForSelector("#files a[data-kind=final]", { timeout: 60000 });
  await page.waitForFunction(() => /1 final left/.test(document.getElementById("pass").textContent));
  assert.match(await text(page, "#cost"), /costs 1 credit; 1 are left/);
  await part(page, "pages");
  await drawn(page, 1);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a large manuscript goes in three steps, can be stopped, and be dropped", { skip: skip || !large }, async () => {
  const { page, errors } = await open({ viewport: desktop });
  const asked = [];
  page.on("request", (r) => { if (r.method() !== "GET") asked.push(`${r.method()} ${new URL(r.url()).pathname.replace(/\d{3,}/, "N")}`); });
  await signIn(page);
  const net = await page.context().newCDPSession(page);
  const speed = (bytes) => net.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytes });
  await net.send("Network.enable");
  await speed(200_000); // slow enough that it is stopped long before its end
  await page.fill("#title", "The Atlas");
  await page.fill("#author", "Mira Example");
  await page.setInputFiles("#file", large);
  await page.click("#upload-go");
  await page.waitForFunction(() => { const v = document.getElementById("upload-bar").value; return v > 0.05 && v < 0.9 && /\d+ % sent/.test(document.getElementById("upload-far").textContent); });
  await shoot(page, "books-uploading");
  await page.click("#upload-stop");
  await page.waitForSelector("#upload-way", { state: "hidden" });
  assert.equal(await text(page, "#live"), "The upload was stopped.");
  assert.equal(await page.inputValue("#title"), "The Atlas");
  await speed(-1);
  asked.length = 0;
  await page.click("#upload-go");
  await page.waitForFunction(() => document.getElementById("report-of").textContent.startsWith("large.docx"));
  assert.deepEqual(asked, ["POST /books/api/books/upload/large", "PUT /books/api/books/N/file", "POST /books/api/books/N/complete", `POST /books/api/projects/${project}/preflight`]);
  assert.equal(await page.evaluate(() => document.activeElement.id), "report-title");
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["# One\n\nDropped."], "a_dropped_book.md"));
    const at = document.getElementById("drop");
    for (const kind of ["dragenter", "dragover", "drop"]) at.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  assert.equal(await page.inputValue("#title"), "a dropped book");
  await page.fill("#author", "Mira Example");
  await page.click("#upload-go");
  await page.waitForFunction(() => document.getElementById("report-of").textContent.startsWith("a_dropped_book.md"));
  assert.deepEqual(await page.locator("#books b").allInnerTexts(), ["a dropped book", "The Atlas", "The Green Door"]);
  // back to the first of the books
  await page.click("#books >> text=The Green Door");
  await page.waitForFunction(() => document.getElementById("report-of").textContent.startsWith("The Green Door.docx"));
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("answers that come late", { skip: skip || !large }, async () => {
  const { page, errors } = await open({ viewport: desktop });
  await signIn(page);
  // held keeps the first answer of an address back until meanwhile is done, and waits until the page has it.
  const held = async (address, act, meanwhile) => {
    let release, come;
    const free = new Promise((done) => { release = done; }), late = new Promise((done) => { come = done; });
    await page.route(address, async (r) => { await free; await r.continue(); come(r.request()); }, { times: 1 });
    await act();
    await meanwhile();
    release();
    await (await (await late).response()).finished();
    await page.evaluate(() => new Promise((done) => { setTimeout(done, 100); })); // for what the page does with it
  };
  // of two books chosen one after the other the second is the one that is open
  const books = (await page.locator("#books b").allInnerTexts()).length;
  assert.ok(books >= 3, `${books} books`);
  await held(/\/api\/books\/\d+$/, () => page.click("#books >> text=The Atlas"), async () => {
    await page.click("#books >> text=The Green Door");
    await page.waitForFunction(() => document.getElementById("report-of").textContent.startsWith("The Green Door.docx"));
  });
  assert.match(await text(page, "#report-of"), /^The Green Door\.docx/);
  assert.equal(await page.innerText("#books [aria-pressed=true] b"), "The Green Door");
  // the form is fetched once: what was typed stays
  let forms = 0;
  page.on("request", (r) => { forms += /\/transmittal$/.test(r.url()) ? 1 : 0; });
  await part(page, "details");
  await page.waitForSelector("#f-size_pt");
  await page.reload();
  await page.waitForSelector("#f-size_pt");
  await page.waitForFunction(() => document.body.dataset.signed === "true");
  assert.equal(forms, 2, "a page that opens at the details asks for them once");
  // who saves twice has saved once, and what is typed while the answer is on its way stays
  await part(page, "index");
  await page.waitForSelector("#index-editor:not([hidden])");
  let saves = 0;
  page.on("request", (r) => { saves += r.method() === "PUT" && /\/index$/.test(r.url()) ? 1 : 0; });
  await held(/\/index$/, () => page.click("#index-save"), async () => {
    await page.click("#index-save");
    await page.fill("#e0-term", "Typed meanwhile");
  });
  await page.waitForFunction(() => document.getElementById("live").textContent === "The index was saved.");
  assert.equal(saves, 1);
  assert.equal(await page.inputValue("#e0-term"), "Typed meanwhile");
  assert.match(await text(page, "#index-state"), /not saved/);
  await page.click("#index-save");
  await page.waitForFunction(() => /Saved/.test(document.getElementById("index-state").textContent));
  assert.ok(await page.isHidden("#index-error"), "the second edit follows the first");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a book that a script uploaded is checked by hand", { skip }, async () => {
  const { page, errors } = await open({ viewport: desktop });
  const multipart = { title: "By a script", author: "Anna Huber", project_id: project, file: { name: "script.md", mimeType: "text/markdown", buffer: Buffer.from("# One\n\nTK write this.") } };
  assert.equal((await page.request.post(`${base}/books/api/books/upload`, { multipart, headers: { "X-Auth-Token": token } })).status(), 201);
  await signIn(page);
  await page.click("#books >> text=By a script");
  await page.waitForSelector("#report-due:not([hidden])");
  assert.ok(await page.isHidden("#report-none") && await page.isHidden("#report-some"));
  assert.ok(await page.isHidden("#shelf-now"), "the title stands twice above the open shelf");
  await accessible(page, "a book to be checked");
  await shoot(page, "books-due");
  // an index without a draft, in the words of the page
  await part(page, "build");
  await page.check("input[name=index]");
  await page.click("#build-go");
  await page.waitForFunction(() => /no index to set: make a draft/.test(document.getElementById("build-error").textContent));
  await part(page, "manuscript");
  await page.click("#check-first");
  await page.waitForFunction(() => document.querySelectorAll("#kinds tbody tr").length > 0 && document.activeElement.id === "report-title");
  assert.match(await text(page, "#kinds"), /Placeholder/);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("signing out stops an upload", { skip: skip || !large }, async () => {
  const { page, errors } = await open({ viewport: desktop });
  await signIn(page);
  await page.route(/\/file$/, () => {}); // it does not end by itself
  const sent = page.waitForRequest(/\/file$/);
  const ended = page.waitForEvent("requestfailed", (r) => /\/file$/.test(r.url()));
  await page.fill("#title", "Not to be");
  await page.fill("#author", "Anna Huber");
  await page.setInputFiles("#file", large);
  await page.click("#upload-go");
  await sent;
  await page.click("#leave");
  await ended;
  await page.waitForSelector("#signin:not([hidden])");
  assert.ok(await page.isHidden("#notice"), await text(page, "#notice"));
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("by the keyboard alone", { skip }, async () => {
  const { page, context } = await open({ viewport: desktop });
  await signIn(page);
  assert.equal(await page.evaluate(() => document.activeElement.id), "manuscript-title");
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.signed === "true");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  const stops = [];
  for (let i = 0; i < 30 && stops.at(-1) !== "file"; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement, s = getComputedStyle(e);
      return { name: e.id || e.getAttribute("href") || e.textContent.trim().slice(0, 20), outlined: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 };
    });
    assert.ok(at.outlined, `${at.name} does not show that it has the focus`);
    stops.push(at.name);
  }
  const order = ["leave", "new-book", "#manuscript", "#index", "title", "author", "file"].map((n) => stops.indexOf(n));
  assert.ok(order.every((n, i) => n >= 0 && (i === 0 || n > order[i - 1])), `the focus goes ${stops.join(", ")}`);
  await page.focus('nav a[href="#build"]');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "build-title");
  await context.close();
});

test("on a phone, in the dark, in German", { skip }, async () => {
  const { page, errors } = await open({ viewport: phone, hasTouch: true, isMobile: true, colorScheme: "dark", locale: "de-AT" });
  assert.equal(await page.getAttribute("html", "lang"), "de");
  await fits(page, "sign in");
  await shoot(page, "books-phone-sign-in");
  await signIn(page);
  if (large) {
    await page.click("#shelf summary");
    await page.click("#books >> text=The Green Door");
    await page.waitForFunction(() => !document.getElementById("shelf").open);
  }
  await page.waitForFunction(() => document.getElementById("report-of").textContent.startsWith("The Green Door.docx"));
  assert.match(await text(page, "#pass"), /noch 1 Endfassung/);
  assert.match(await text(page, "#kinds"), /Platzhalter/);
  for (const name of ["manuscript", "details", "build", "index", "pages"]) {
    await part(page, name);
    if (name === "details") {
      await page.waitForSelector("#f-size_pt");
      await page.fill("#f-size_pt", "40");
      await page.click("text=Endgültig speichern");
      await page.waitForFunction(() => document.getElementById("f-size_pt-error").textContent === "Erlaubt: eine Zahl von 8 bis 18");
    }
    if (name === "index") await page.waitForSelector("#index-editor:not([hidden])");
    if (name === "pages") await drawn(page, 1);
    await fits(page, name);
    await accessible(page, name);
    await shoot(page, `books-phone-${name}`);
  }
  const swipe = async (from, to) => page.evaluate(([from, to]) => {
    const at = document.getElementById("sheets"), y = at.getBoundingClientRect().top + 80;
    const touch = (x) => new Touch({ identifier: 1, target: at, clientX: x, clientY: y });
    at.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(from)], changedTouches: [touch(from)], bubbles: true }));
    at.dispatchEvent(new TouchEvent("touchend", { touches: [], changedTouches: [touch(to)], bubbles: true }));
  }, [from, to]);
  await swipe(300, 60);
  await drawn(page, 1);
  assert.deepEqual(await seen(page), ["2"]);
  await swipe(60, 300);
  assert.deepEqual(await seen(page), ["1"]);
  assert.deepEqual(errors, []);
  await page.context().close();
});
