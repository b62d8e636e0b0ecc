package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/functions/books"
	"mappe/functions/books/build"
	"mappe/functions/books/records"
	mcptable "mappe/functions/mcp/table"
	"mappe/functions/workfeed"
	"mappe/functions/workfeed/worklog"
	"mappe/functions/worldtest"
	"mappe/shared/book/press"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/endpoint"
)

// shelf is the endpoint beside a book service and a work feed, with a project, its token and a manuscript that was examined.
type shelf struct {
	h       http.Handler
	project int64
	book    int64
	token   string
}

func shelved(t *testing.T) shelf {
	t.Helper()
	l := sqlitetest.Open(t, sqlite.Options{})
	recs, files := records.New(l, nil), mem.New()
	q, err := build.Orders(l, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recs.AddClient(t.Context(), "demo", "Demo"); err != nil {
		t.Fatal(err)
	}
	p, err := recs.AddProject(t.Context(), "demo", "atlas", "The Atlas")
	if err != nil {
		t.Fatal(err)
	}
	builds, customer := 3, "Mira Example"
	if _, err := recs.GrantPass(t.Context(), p.ID, records.Grant{Included: &builds, Customer: &customer}); err != nil {
		t.Fatal(err)
	}
	_, token, err := recs.RotateToken(t.Context(), p.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	d := books.Deps{Records: recs, Store: files, Queue: q, Press: press.Reading()}
	at := shelf{project: p.ID, token: token}
	at.submit(t, endpoint.Mount("/books", worldtest.Handler(t, books.New(d))))
	log := worklog.New(l, nil)
	for i := range 30 {
		c := worklog.Completion{TaskID: fmt.Sprint(i), Board: "Atlas", Title: fmt.Sprintf("[design] Sheet %d", i), Summary: strings.Repeat("Done. ", 10), CompletedAt: time.Date(2025, 1, 1+i, 0, 0, 0, 0, time.UTC)}
		if _, _, err := log.Complete(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	d.Press = press.Parts{} // what only reads needs none
	lib := worldtest.Library(t, world(t))
	all := mcptable.Families(mcptable.Deps{Library: lib, Books: d, Work: workfeed.Deps{Log: log}})
	at.h = endpoint.Mount("/mcp", worldtest.Handler(t, New(Deps{Library: lib, Families: all, PublicURL: "https://land.example"})))
	return at
}

// submit uploads a manuscript and has it examined.
func (s *shelf) submit(t *testing.T, h http.Handler) {
	t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for name, value := range map[string]string{"title": "The Atlas", "author": "Mira Example", "project_id": fmt.Sprint(s.project)} {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile("file", "atlas.md")
	if err != nil {
		t.Fatal(err)
	}
	for c := range 40 {
		fmt.Fprintf(part, "# Chapter %d\n\nThe map lay *open* on the table, and nobody said a word.\n\n", c+1)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	token := "Bearer " + s.token
	var book struct{ ID int64 }
	made := worldtest.Ask(h, "POST", "/books/api/books/upload", form.String(), "Authorization", token, "Content-Type", w.FormDataContentType())
	if err := json.Unmarshal(made.Body.Bytes(), &book); err != nil || made.Code != 201 {
		t.Fatalf("%d %s", made.Code, made.Body)
	}
	s.book = book.ID
	report := worldtest.Ask(h, "POST", fmt.Sprintf("/books/api/projects/%d/preflight", s.project), fmt.Sprintf(`{"book_id":%d}`, book.ID), "Authorization", token, "Content-Type", "application/json")
	if report.Code != 200 {
		t.Fatalf("%d %s", report.Code, report.Body)
	}
}

// call asks a tool with headers of the message.
func (s *shelf) call(tool, arguments string, header ...string) *httptest.ResponseRecorder {
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
	return worldtest.Ask(s.h, "POST", "/mcp", message, append([]string{"Content-Type", "application/json"}, header...)...)
}

// Books are told to whom the project's token opens them, in either header; the feed to everybody, page by page.
func TestBooksAndTheWorkFeed(t *testing.T) {
	s := shelved(t)
	project, both := fmt.Sprintf(`{"project_id":%d}`, s.project), fmt.Sprintf(`{"project_id":%d,"book_id":"%d"}`, s.project, s.book)
	book := fmt.Sprintf(`{"book_id":%d}`, s.book)
	for _, tt := range []struct {
		tool, arguments string
		want            []string
	}{
		{"books_of_project", project, []string{`\"title\":\"The Atlas\"`, fmt.Sprintf(`\"id\":%d`, s.book)}},
		{"book_state", book, []string{`\"status\":\"uploaded\"`, `\"outputs\":[]`, "The state is that of this moment"}},
		{"book_pass", project, []string{`\"live\":true`, `\"credits_remaining\":3`}},
		{"manuscript_report", both, []string{`\"exists\":true`, `\"by_type\"`, `\"sections_left_out\":10`, fmt.Sprintf("https://land.example/books/api/projects/%d/preflight/report", s.project)}},
	} {
		for _, header := range [][]string{{"Authorization", "Bearer " + s.token}, {"X-Auth-Token", s.token}} {
			got := s.call(tt.tool, tt.arguments, header...).Body.String()
			for _, want := range tt.want {
				if !strings.Contains(got, want) || len(got) > 48<<10 {
					t.Errorf("%s with %s: want %s, got %d bytes %.1500s", tt.tool, header[0], want, len(got), got)
				}
			}
		}
		for name, header := range map[string][]string{"no token": nil, "a wrong one": {"Authorization", "Bearer none"}, "a cookie": {"Cookie", fmt.Sprintf("prodcal_auth_%d=%s", s.project, s.token)}} {
			if got := s.call(tt.tool, tt.arguments, header...).Body.String(); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "Authorization: Bearer TOKEN") || strings.Contains(got, "Atlas") {
				t.Errorf("%s, %s: got %.500s", tt.tool, name, got)
			}
		}
	}
	for arguments, want := range map[string]string{`{"book_id":1}`: "book", `{}`: "book_id is required", `{"id":7}`: "expected one of book_id", `{"book_id":"x"}`: `parameter book_id has the value \"x\": expected a whole number`,
		`{"book_id":".."}`: `parameter book_id has the value \"..\": expected a whole number`, `{"book_id":""}`: "parameter book_id has",
		`{"book_id":[7]}`: "parameter book_id has", `{"book_id":null}`: "book_id is required"} {
		if got := s.call("book_state", arguments, "X-Auth-Token", s.token).Body.String(); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, want) {
			t.Errorf("%s: want %s, got %.500s", arguments, want, got)
		}
	}
	seen, before := map[string]bool{}, ""
	c := connect(t, s.h)
	for range 10 {
		arguments := map[string]any{"board": "Atlas", "limit": 12, "max_kb": 2}
		if before != "" {
			arguments["before"] = before
		}
		r, _ := use(t, c, "work_feed", arguments)
		for _, row := range rowsOf(t, r.Answer["data"]) {
			seen[row["task_id"].(string)] = true
		}
		if before = ""; r.Answer["next_before"] == nil {
			break
		}
		if err := json.Unmarshal(r.Answer["next_before"], &before); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != 30 {
		t.Errorf("%d of 30 entries", len(seen))
	}
}
