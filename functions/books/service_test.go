package books

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"mappe/functions/books/records"
)

// everyRoute is each endpoint with a path in it.
func everyRoute(project, book int64) map[string]string {
	return map[string]string{
		"GET /api/clients/demo/projects":                                        "",
		fmt.Sprintf("GET /api/projects/%d/pass", project):                       "",
		"POST /api/books/upload":                                                "x",
		"POST /api/books/upload/large":                                          "{}",
		fmt.Sprintf("PUT /api/books/%d/file", book):                             "x",
		fmt.Sprintf("POST /api/books/%d/complete", book):                        "",
		fmt.Sprintf("POST /api/projects/%d/preflight", project):                 `{"book_id":1}`,
		fmt.Sprintf("GET /api/projects/%d/preflight?book_id=%d", project, book): "",
		fmt.Sprintf("GET /api/projects/%d/preflight/report?book_id=1", project): "",
		fmt.Sprintf("POST /api/books/%d/convert", book):                         `{"kind":"proof"}`,
		fmt.Sprintf("GET /api/books/%d", book):                                  "",
		fmt.Sprintf("GET /api/books/%d/download/pdf", book):                     "",
		fmt.Sprintf("GET /api/books/%d/download/epub", book):                    "",
		fmt.Sprintf("GET /api/books/%d/outputs/1/download", book):               "",
		fmt.Sprintf("GET /api/books/%d/outputs", book):                          "",
		fmt.Sprintf("GET /api/books/%d/preview", book):                          "",
		fmt.Sprintf("GET /api/books/%d/preview/1", book):                        "",
		fmt.Sprintf("POST /api/books/%d/index/draft", book):                     "",
		fmt.Sprintf("GET /api/books/%d/index", book):                            "",
		fmt.Sprintf("PUT /api/books/%d/index", book):                            `{"entries":[]}`,
		fmt.Sprintf("GET /api/projects/%d/transmittal", project):                "",
		fmt.Sprintf("PUT /api/projects/%d/transmittal", project):                `{"status":"draft","data":{}}`,
		fmt.Sprintf("GET /api/projects/%d/word-template", project):              "",
		fmt.Sprintf("GET /api/projects/%d/books", project):                      "",
	}
}

// TestUnauthorizedOnEveryRoute: no token, a wrong one, one that was rotated away, and another project's.
func TestUnauthorizedOnEveryRoute(t *testing.T) {
	r := newHarness(t)
	book := r.upload(t, "A text.")
	_, foreign := r.newProject(t, "other")
	old := r.token
	_, fresh, err := r.records.RotateToken(t.Context(), r.project.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	r.token = fresh
	routes := everyRoute(r.project.ID, book)
	closed := 0
	for _, e := range New(Deps{}).Endpoints {
		if !strings.HasPrefix(e.Path, "/llm/") { // public: nothing of a project
			closed++
		}
	}
	if len(routes) != closed { // both formats of a download; the page needs none
		t.Errorf("%d routes, the service has %d endpoints", len(routes), closed)
	}
	for route, body := range routes {
		method, path, _ := strings.Cut(route, " ")
		for name, header := range map[string][]string{
			"none": {"X-Nothing", "x"}, "nonsense": {"Authorization", "Bearer nonsense"},
			"another scheme": {"Authorization", "Basic " + fresh},
			"empty":          {"Authorization", "Bearer "}, "rotated": {"Authorization", "Bearer " + old},
			"one more digit":            {"X-Auth-Token", fresh + "A"},
			"cookie of another project": {"Cookie", fmt.Sprintf("prodcal_auth_%d=%s", r.project.ID+7, fresh)},
			"cookie of another name":    {"Cookie", "prodcal_auth_=" + fresh},
			"another project's":         {"Authorization", "Bearer " + foreign},
		} {
			if name == "another project's" && (strings.Contains(path, "/clients/") || strings.Contains(path, "/upload")) {
				continue // these name the project in what follows; below
			}
			w := r.do(method, path, body, header...)
			if name == "another project's" && strings.Contains(path, "/api/books/") {
				unknown := r.do(method, strings.ReplaceAll(path, fmt.Sprint(book), fmt.Sprint(book^1)), body, header...)
				if w.Code != 404 || unknown.Code != 404 || scrubbed(w, book) != scrubbed(unknown, book^1) {
					t.Errorf("%s: another project's book is %d %s, an unknown one %d %s", route, w.Code, w.Body, unknown.Code, unknown.Body)
				}
				continue
			}
			var answer map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 401 || answer["error"] != "unauthorized" ||
				w.Header().Get("WWW-Authenticate") == "" {
				t.Errorf("%s with %s: got %d %s", route, name, w.Code, w.Body)
			}
		}
	}
	r.want(t, 401, r.uploadTo(t, r.project.ID, foreign, "x"), `"unauthorized"`)
	if body := r.want(t, 200, r.do("GET", "/api/clients/demo/projects", "", "Authorization",
		"Bearer "+foreign)); strings.Contains(fmt.Sprint(body), "atlas") {
		t.Errorf("a token shows a project that it does not open: %v", body)
	}
	r.want(t, 401, r.do("GET", "/api/clients/other/projects", ""), `"unauthorized"`)
}

// scrubbed is an answer without the number that was asked for and the request's own.
func scrubbed(w *httptest.ResponseRecorder, id int64) string {
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		return err.Error()
	}
	delete(answer, "request_id")
	head := w.Header().Clone()
	head.Del("X-Request-Id")
	return regexp.MustCompile(`\b`+fmt.Sprint(id)+`\b`).ReplaceAllString(fmt.Sprint(answer, head), "N")
}

// TestCookiesNeedTheSameOrigin: without Sec-Fetch-Site the Origin decides, and Referer where there is none.
func TestCookiesNeedTheSameOrigin(t *testing.T) {
	r := newHarness(t)
	read := fmt.Sprintf("/api/projects/%d/pass", r.project.ID)
	put := fmt.Sprintf("/api/projects/%d/transmittal", r.project.ID)
	cookie := fmt.Sprintf("prodcal_auth_%d=%s", r.project.ID, r.token)
	for _, c := range []struct {
		name         string
		header       []string
		reads, write int
	}{
		{"no browser", nil, 200, 200},
		{"own origin", []string{"Origin", "https://books.example"}, 200, 200},
		{"own origin in capitals", []string{"Origin", "HTTPS://Books.Example"}, 200, 200},
		{"another site", []string{"Origin", "https://evil.example"}, 401, 401},
		{"another site with text/plain", []string{"Origin", "https://evil.example", "Content-Type", "text/plain"}, 401, 401},
		{"another port", []string{"Origin", "https://books.example:8443"}, 401, 401},
		{"another scheme", []string{"Origin", "http://books.example"}, 401, 401},
		{"another host with our name", []string{"Origin", "https://books.example.evil.example"}, 401, 401},
		{"a page without origin", []string{"Origin", "null"}, 401, 401},
		{"an empty origin", []string{"Origin", ""}, 401, 401},
		{"referred by another site", []string{"Referer", "https://evil.example/books.example"}, 200, 401},
		{"referred by our page", []string{"Referer", "https://books.example/books/"}, 200, 200},
		{"typed in", []string{"Sec-Fetch-Site", "none"}, 200, 401},
		{"same origin, whatever Origin says", []string{"Sec-Fetch-Site", "same-origin", "Origin", "null"}, 200, 200},
	} {
		header := append([]string{"Cookie", cookie}, c.header...)
		if w := r.do("GET", read, "", header...); w.Code != c.reads {
			t.Errorf("%s: reading is %d, want %d", c.name, w.Code, c.reads)
		}
		if w := r.do("PUT", put, `{"status":"draft","data":{}}`, header...); w.Code != c.write {
			t.Errorf("%s: changing is %d, want %d", c.name, w.Code, c.write)
		}
	}
}

func TestThreeWaysToCarryTheToken(t *testing.T) {
	r := newHarness(t)
	path := fmt.Sprintf("/api/projects/%d/pass", r.project.ID)
	cookie := fmt.Sprintf("a=b; prodcal_auth_99=x; prodcal_auth_%d=%s", r.project.ID, r.token)
	for name, header := range map[string][]string{
		"bearer": {"Authorization", "Bearer " + r.token}, "lower case": {"Authorization", "bearer " + r.token},
		"header": {"X-Auth-Token", r.token},
		"cookie": {"Cookie", cookie}, "a wrong header beside a good cookie": {"X-Auth-Token", "x", "Cookie", cookie},
	} {
		if w := r.do("GET", path, "", header...); w.Code != 200 {
			t.Errorf("%s: got %d %s", name, w.Code, w.Body)
		}
	}
	many := "" // of a browser that is signed in to a shelf of projects
	for n := range 30 {
		many += fmt.Sprintf("prodcal_auth_%d=x; ", 100+n)
	}
	r.want(t, 200, r.do("GET", path, "", "Cookie", many+cookie))
	r.want(t, 401, r.do("GET", path+"?callback=read", "", "Cookie", cookie, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"))
	r.want(t, 200, r.do("GET", path, "", "Cookie", cookie, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"))
	r.want(t, 200, r.do("GET", path, "", "Cookie", cookie, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors"))
	put := fmt.Sprintf("/api/projects/%d/transmittal", r.project.ID)
	body := `{"status":"draft","data":{}}`
	r.want(t, 200, r.do("PUT", put, body, "Cookie", cookie, "Sec-Fetch-Site", "same-origin"))
	r.want(t, 401, r.do("PUT", put, body, "Cookie", cookie, "Sec-Fetch-Site", "cross-site"))
	r.want(t, 401, r.do("PUT", put, body, "Cookie", cookie, "Sec-Fetch-Site", "same-site"))
	r.want(t, 200, r.do("PUT", put, body, "Authorization", "Bearer "+r.token, "Sec-Fetch-Site", "cross-site"))
}

func TestPass(t *testing.T) {
	r := newHarness(t)
	path := fmt.Sprintf("/api/projects/%d/pass", r.project.ID)
	body := r.want(t, 200, r.do("GET", path, ""))
	for name, want := range map[string]any{"exists": true, "status": "active", "live": true, "builds_included": 3.0, "builds_extra": 0.0,
		"builds_used": 0.0, "credits_remaining": 3.0, "expires_at": nil, "customer_name": "Mira Example"} {
		if body[name] != want {
			t.Errorf("%s: %v, want %v", name, body[name], want)
		}
	}
	r.grant(t, records.Grant{Extra: 2, Expires: ptr(r.clock.Now().Add(time.Hour)), Addons: []string{"index"}})
	body = r.want(t, 200, r.do("GET", path, ""))
	if body["credits_remaining"] != 5.0 || body["expires_at"] != "2026-11-21T10:00:00Z" || fmt.Sprint(body["addons"]) != "[index]" {
		t.Errorf("%v", body)
	}
	book := r.upload(t, "A text.")
	r.clock.Advance(time.Hour)
	if body = r.want(t, 200, r.do("GET", path, "")); body["live"] != false || body["status"] != "expired" {
		t.Errorf("%v", body)
	}
	r.want(t, 403, r.uploadTo(t, r.project.ID, r.token, "x"), "no live pass", "expired on 21 November 2026")
	r.want(t, 403, r.do("POST", fmt.Sprintf("/api/projects/%d/preflight", r.project.ID), fmt.Sprintf(`{"book_id":%d}`, book)),
		"no live pass")
	r.want(t, 403, r.do("POST", fmt.Sprintf("/api/books/%d/convert", book), `{"kind":"proof"}`), "no live pass")
	r.want(t, 200, r.do("GET", fmt.Sprintf("/api/books/%d", book), ""))                    // what there is can be read
	r.grant(t, records.Grant{Expires: ptr(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))}) // to the end of the 20th
	r.want(t, 403, r.uploadTo(t, r.project.ID, r.token, "x"), "expired on 20 November 2026")
	none, token := r.newProject(t, "bare")
	if body = r.want(t, 200, r.do("GET", fmt.Sprintf("/api/projects/%d/pass", none.ID), "", "X-Auth-Token",
		token)); body["exists"] != false || body["live"] != false || body["credits_remaining"] != 0.0 {
		t.Errorf("%v", body)
	}
}

func TestUpload(t *testing.T) {
	r := newHarness(t)
	w := r.uploadTo(t, r.project.ID, r.token, "A text.")
	body := r.want(t, 201, w)
	if body["author"] != "Mira Example" || body["title"] != "The Atlas" || body["status"] != "uploaded" || len(body) != 4 {
		t.Errorf("%v", body)
	}
	again := r.want(t, 201, r.uploadTo(t, r.project.ID, r.token, "A text."))
	if again["id"] == body["id"] {
		t.Error("every upload makes a new book")
	}
	list := r.want(t, 200, r.do("GET", fmt.Sprintf("/api/projects/%d/books", r.project.ID), ""))
	if n := len(list["books"].([]any)); n != 2 {
		t.Errorf("%d books", n)
	}
	id := fmt.Sprint(r.project.ID)
	for name, c := range map[string]struct {
		fields     map[string]string
		file, text string
		status     int
		holds      []string
	}{
		"nothing":   {map[string]string{}, "", "", 400, []string{"file"}},
		"no title":  {map[string]string{"author": "A", "project_id": id}, "a.txt", "x", 400, []string{`"parameter":"title"`}},
		"no author": {map[string]string{"title": "A", "project_id": id}, "a.txt", "x", 400, []string{`"parameter":"author"`}},
		"neither": {map[string]string{"project_id": id}, "a.txt", "x", 400,
			[]string{`"parameter":"title"`, `"parameter":"author"`}},
		"no project": {map[string]string{"title": "A", "author": "B"}, "a.txt", "x", 400, []string{`"parameter":"project_id"`}},
		"no number":  {map[string]string{"title": "A", "author": "B", "project_id": "x"}, "a.txt", "x", 400, []string{"project_id"}},
		"no file":    {map[string]string{"title": "A", "author": "B", "project_id": id}, "", "", 400, []string{`"parameter":"file"`}},
		"a long title": {map[string]string{"title": strings.Repeat("ä", 301), "author": "B", "project_id": id}, "a.txt", "x", 400,
			[]string{"title"}},
		"two lines": {map[string]string{"title": "A\nB", "author": "B", "project_id": id}, "a.txt", "x", 400, []string{"title"}},
		"hidden letters": {map[string]string{"title": "\u200b\u2060", "author": "\u200e", "project_id": id}, "a.txt", "x", 400,
			[]string{`"parameter":"title"`, `"parameter":"author"`}},
		"turned letters": {map[string]string{"title": "abc\u202egpj.exe", "author": "B", "project_id": id}, "a.txt", "x", 400,
			[]string{"title"}},
		"a line separator": {map[string]string{"title": "A\u2028B", "author": "B", "project_id": id}, "a.txt", "x", 400, []string{"title"}},
		"no character":     {map[string]string{"title": "A\uffffB", "author": "B", "project_id": id}, "a.txt", "x", 400, []string{"title"}},
		"far too long": {map[string]string{"title": strings.Repeat("x", 10_000), "author": "B", "project_id": id}, "a.txt", "x", 400,
			[]string{"1 to 300 characters"}},
		"Hebrew, a mark": {map[string]string{"title": "\u05d1\u05b0\u200f!", "author": "👩\u200d👧", "project_id": id}, "a.txt", "x", 201,
			nil},
		"a part unknown": {map[string]string{"title": "A", "author": "B", "project_id": id, "note": strings.Repeat("x", 10_000)}, "a.txt",
			"x", 201, nil},
		"another project": {map[string]string{"title": "A", "author": "B", "project_id": "99"}, "a.txt", "x", 401,
			[]string{"unauthorized"}},
		"a PDF": {map[string]string{"title": "A", "author": "B", "project_id": id}, "a.docx", "%PDF-1.7 ...", 400,
			[]string{"PDF", `"parameter":"file"`}},
		"an old Word file": {map[string]string{"title": "A", "author": "B", "project_id": id}, "a.doc",
			"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "W\x00o\x00r\x00d\x00D\x00o\x00c\x00u\x00m\x00e\x00n\x00t\x00", 400, []string{".docx"}},
		"RTF": {map[string]string{"title": "A", "author": "B", "project_id": id}, "a.rtf", `{\rtf1`, 400,
			[]string{"Rich Text"}},
		"an empty file": {map[string]string{"title": "A", "author": "B", "project_id": id}, "a.txt", "", 400, []string{"empty"}},
	} {
		kind, body := form(t, c.fields, c.file, c.text)
		w := r.do("POST", "/api/books/upload", body, "X-Auth-Token", r.token, "Content-Type", kind)
		if w.Code != c.status {
			t.Errorf("%s: want %d, got %d %s", name, c.status, w.Code, w.Body)
		}
		for _, s := range c.holds {
			if !strings.Contains(w.Body.String(), s) {
				t.Errorf("%s: want %q in %s", name, s, w.Body)
			}
		}
	}
	r.want(t, 415, r.do("POST", "/api/books/upload", `{"title":"x"}`, "X-Auth-Token", r.token, "Content-Type", "application/json"),
		"multipart/form-data")
	r.want(t, 400, r.do("POST", "/api/books/upload", "--x\r\nbroken", "X-Auth-Token", r.token, "Content-Type",
		"multipart/form-data; boundary=x"))
	for _, size := range []int{50<<20 + 1, 52 << 20} { // the second does not fit into the form either
		kind, large := form(t, map[string]string{"title": "A", "author": "B", "project_id": id}, "a.txt", strings.Repeat("x", size))
		if w := r.do("POST", "/api/books/upload", large, "X-Auth-Token", r.token, "Content-Type", kind); w.Code != 413 ||
			strings.Contains(w.Body.String(), "50.0 MB") {
			t.Errorf("%d bytes: want 413 without a size that nobody measured, got %d %s", size, w.Code, w.Body)
		}
	}
}

func TestFileNames(t *testing.T) {
	for given, want := range map[string]string{
		`C:\Users\x\book.docx`: "book.docx", "../../etc/passwd": "passwd", "": "manuscript", "..": "manuscript", "a\x00b\r\n.txt": "ab.txt",
		"\u202etxt.exe": "txt.exe", "a\u2028b\uffff.txt": "ab.txt", "Übersicht „1“.docx": "Übersicht „1“.docx",
		strings.Repeat("x", 300) + ".md": strings.Repeat("x", 197) + ".md",
	} {
		if got := fileName(given); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

// TestLargeUpload: three steps, the same checks.
func TestLargeUpload(t *testing.T) {
	r := newHarness(t)
	ask := func(size int, filename string) map[string]any {
		body := r.want(t, 201, r.do("POST", "/api/books/upload/large",
			fmt.Sprintf(`{"filename":%q,"size_bytes":%d,"title":"A","author":"B","project_id":%d}`, filename, size, r.project.ID)))
		return body
	}
	body := ask(7, "a.txt")
	id := int64(body["id"].(float64))
	path := fmt.Sprintf("/api/books/%d", id)
	if body["status"] != "awaiting_file" || body["upload"].(map[string]any)["url"] != "https://books.example/books"+path+"/file" {
		t.Fatalf("%v", body)
	}
	r.want(t, 409, r.do("POST", path+"/convert", `{"kind":"proof"}`), "still being uploaded")
	r.want(t, 409, r.do("POST", path+"/complete", ""), "not arrived")
	r.want(t, 400, r.do("PUT", path+"/file", "A longer text."), "7 bytes")
	r.want(t, 200, r.do("PUT", path+"/file", "A text."))
	r.want(t, 409, r.do("PUT", path+"/file", "B text."), "complete_url")
	r.want(t, 200, r.do("POST", path+"/complete", ""), `"uploaded"`)
	r.want(t, 200, r.do("POST", path+"/complete", ""), `"uploaded"`)
	r.want(t, 409, r.do("PUT", path+"/file", "A test."))
	r.want(t, 200, r.do("POST", path+"/convert", `{"kind":"proof"}`))
	body = ask(8, "a.docx")
	path = fmt.Sprintf("/api/books/%d", int64(body["id"].(float64)))
	r.want(t, 200, r.do("PUT", path+"/file", "%PDF-1.7"))
	r.want(t, 400, r.do("POST", path+"/complete", ""), "PDF")
	for form, status := range map[string]int{
		`{"filename":"a.txt","size_bytes":52428801,"title":"A","author":"B","project_id":1}`: 413,
		`{"filename":"a.txt","size_bytes":0,"title":"A","author":"B","project_id":1}`:        400,
		`{"filename":"","size_bytes":5,"title":"A","author":"B","project_id":1}`:             400,
		`{"filename":"a","size_bytes":5,"author":"B","project_id":1}`:                        400,
		`{"filename":"a","size_bytes":5,"title":"A","author":"B","project_id":99}`:           401,
		`{"filename":"a","size_bytes":5,"title":"A","author":"B"}`:                           400,
	} {
		if w := r.do("POST", "/api/books/upload/large", form); w.Code != status {
			t.Errorf("%s: want %d, got %d %s", form, status, w.Code, w.Body)
		}
	}
}

func TestPreflight(t *testing.T) {
	r := newHarness(t)
	book := r.upload(t, "A text.")
	get := fmt.Sprintf("/api/projects/%d/preflight?book_id=%d", r.project.ID, book)
	post := fmt.Sprintf("/api/projects/%d/preflight", r.project.ID)
	body := r.want(t, 200, r.do("GET", get, ""))
	if body["exists"] != false {
		t.Errorf("%v", body)
	}
	r.want(t, 404, r.do("GET", strings.Replace(get, "preflight", "preflight/report", 1), ""), "examined")
	for range 2 {
		body = r.want(t, 200, r.do("POST", post, fmt.Sprintf(`{"book_id":%d}`, book)))
	}
	if body["exists"] != true || body["status"] != "ready" || body["source_filename"] != "atlas.txt" || body["project_id"] != 1.0 ||
		len(body["history"].([]any)) != 2 ||
		body["summary"].(map[string]any)["total"] != 1.0 || body["book_map"] == nil ||
		!strings.HasSuffix(body["report_url"].(string), fmt.Sprintf("/preflight/report?book_id=%d", book)) {
		t.Errorf("%v", body)
	}
	if again := r.want(t, 200, r.do("GET", get, "")); fmt.Sprint(again) != fmt.Sprint(body) {
		t.Errorf("GET gives %v, POST gave %v", again, body)
	}
	w := r.do("GET", strings.Replace(get, "preflight", "preflight/report", 1), "")
	r.want(t, 200, w, "</html>")
	if p := w.Header().Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || strings.Contains(p, "script-src") ||
		w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("%v", w.Header())
	}
	r.want(t, 400, r.do("POST", post, `{}`), "book_id")
	r.want(t, 400, r.do("POST", post, ``), "book_id")
	r.want(t, 400, r.do("POST", post, `{"book_id":"x"}`), "book_id")
	r.want(t, 404, r.do("POST", post, `{"book_id":5}`), "no book")
	r.want(t, 400, r.do("GET", post, ""), "book_id")
	bad := r.upload(t, "UNREADABLE")
	body = r.want(t, 200, r.do("POST", post, fmt.Sprintf(`{"book_id":%d}`, bad)))
	if body["status"] != "error" || !strings.Contains(fmt.Sprint(body["error"]), "PDF") || body["summary"] != nil {
		t.Errorf("%v", body)
	}
}

func TestTransmittal(t *testing.T) {
	r := newHarness(t)
	path := fmt.Sprintf("/api/projects/%d/transmittal", r.project.ID)
	template := fmt.Sprintf("/api/projects/%d/word-template", r.project.ID)
	body := r.want(t, 200, r.do("GET", path, ""))
	if body["status"] != "draft" || fmt.Sprint(body["data"]) != "map[]" || len(body["fields"].([]any)) < 20 {
		t.Errorf("%v", body)
	}
	r.want(t, 409, r.do("GET", template, ""), "not final")
	r.want(t, 200, r.do("PUT", path, `{"status":"draft","data":{"trim":"A5"}}`))
	r.want(t, 409, r.do("GET", template, ""))
	body = r.want(t, 200, r.do("PUT", path, `{"status":"final","data":{"trim":"A5","the map":{"page":3}}}`))
	if fmt.Sprint(body["notes"]) != "[the map]" || fmt.Sprint(body["data"]) != "map[the map:map[page:3] trim:A5]" {
		t.Errorf("%v", body)
	}
	whole, err := json.Marshal(body) // what was read can be sent back whole
	if err != nil {
		t.Fatal(err)
	}
	r.want(t, 200, r.do("PUT", path, string(whole)))
	w := r.do("GET", template, "")
	r.want(t, 200, w, "template 148")
	if got := w.Header().Get("Content-Disposition"); !strings.Contains(got, "the-atlas-template.docx") {
		t.Errorf("%s", got)
	}
	for form, holds := range map[string]string{
		`{"status":"final","data":{"trim":"A0"}}`:                               `"parameter":"trim"`,
		`{"status":"final","data":{"trim":"A0","size_pt":99}}`:                  `"parameter":"size_pt"`,
		`{"status":"done","data":{}}`:                                           "draft or final",
		`{"data":{}}`:                                                           "status",
		`{"status":"draft"}`:                                                    "data",
		`{"status":"draft","data":[]}`:                                          "data",
		`{"status":"draft","data":{},"spec":{}}`:                                "spec",
		`{"status":"draft","data":{"n":"` + strings.Repeat("x", 65<<10) + `"}}`: "65536",
		`{"status":"final","data":{"size_pt":14,"leading_pt":12}}`:              "leading_pt",
	} {
		if w := r.do("PUT", path, form); w.Code != 400 || !strings.Contains(w.Body.String(), holds) {
			t.Errorf("%.60s: want 400 with %q, got %d %s", form, holds, w.Code, w.Body)
		}
	}
	// Applied at the next build, and kept when the transmittal goes back to draft.
	book := r.upload(t, "A text.")
	r.want(t, 200, r.do("POST", fmt.Sprintf("/api/books/%d/convert", book), `{"kind":"proof"}`))
	r.work(t)
	r.want(t, 200, r.do("PUT", path, `{"status":"draft","data":{"trim":"6x9"}}`))
	d, err := r.records.Account(t.Context(), r.project.ID)
	if err != nil || string(d.Spec) != `{"trim":"A5"}` {
		t.Errorf("%s, %v", d.Spec, err)
	}
}

func TestUnknownNumbers(t *testing.T) {
	r := newHarness(t)
	for path, status := range map[string]int{
		"/api/books/5": 404, "/api/books/x": 400, "/api/books/0": 404, "/api/projects/77/pass": 401, "/api/projects/x/pass": 400,
		"/api/books/99999999999999999999": 400, "/nowhere": 404,
	} {
		if w := r.do("GET", path, ""); w.Code != status {
			t.Errorf("%s: want %d, got %d %s", path, status, w.Code, w.Body)
		}
	}
	if w := r.do("DELETE", "/api/books/5", ""); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("deleting is not for token callers: got %d", w.Code)
	}
}
