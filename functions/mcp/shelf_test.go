package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/functions/books"
	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/functions/fixture"
	mcptable "mappe/functions/mcp/table"
	"mappe/functions/workfeed"
	"mappe/functions/workfeed/worklog"
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
	foreign string        // token of another project
	log     *bytes.Buffer // of all services
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
	another, err := recs.AddProject(t.Context(), "demo", "other", "Another")
	if err != nil {
		t.Fatal(err)
	}
	_, foreign, err := recs.RotateToken(t.Context(), another.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	told := slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: slog.LevelDebug}))
	d := books.Deps{Records: recs, Store: files, Queue: q, Press: press.Reading(), Logger: told}
	at := shelf{project: p.ID, token: token, foreign: foreign, log: &said}
	at.submit(t, endpoint.Mount("/books", fixture.Handler(t, books.New(d))))
	log := worklog.New(l, nil)
	for i := range 30 {
		c := worklog.Completion{TaskID: fmt.Sprint(i), Board: "Atlas", Title: fmt.Sprintf("[design] Sheet %d", i),
			Summary: strings.Repeat("Done. ", 10), CompletedAt: time.Date(2025, 1, 1+i, 0, 0, 0, 0, time.UTC)}
		if _, _, err := log.Complete(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	d.Press = press.Parts{} // what only reads needs none
	lib := fixture.Library(t, world(t))
	all := mcptable.Families(mcptable.Deps{Library: lib, Books: d, Work: workfeed.Deps{Log: log, Logger: told}, Log: told})
	at.h = endpoint.Mount("/mcp", fixture.Handler(t,
		New(Deps{Library: lib, Families: all, PublicURL: "https://land.example", Log: told})))
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
	made := fixture.Ask(h, "POST", "/books/api/books/upload", form.String(), "Authorization", token, "Content-Type",
		w.FormDataContentType())
	if err := json.Unmarshal(made.Body.Bytes(), &book); err != nil || made.Code != 201 {
		t.Fatalf("%d %s", made.Code, made.Body)
	}
	s.book = book.ID
	report := fixture.Ask(h, "POST", fmt.Sprintf("/books/api/projects/%d/preflight", s.project), fmt.Sprintf(`{"book_id":%d}`, book.ID),
		"Authorization", token, "Content-Type", "application/json")
	if report.Code != 200 {
		t.Fatalf("%d %s", report.Code, report.Body)
	}
}

// call asks a tool with headers of the message.
func (s *shelf) call(tool, arguments string, header ...string) *httptest.ResponseRecorder {
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
	return fixture.Ask(s.h, "POST", "/mcp", message, append([]string{"Content-Type", "application/json"}, header...)...)
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
		{"manuscript_report", both, []string{`\"exists\":true`, `\"by_type\"`, `\"sections_left_out\":10`,
			fmt.Sprintf("https://land.example/books/api/projects/%d/preflight/report", s.project)}},
	} {
		for _, header := range [][]string{{"Authorization", "Bearer " + s.token}, {"X-Auth-Token", s.token}} {
			got := s.call(tt.tool, tt.arguments, header...).Body.String()
			for _, want := range tt.want {
				if !strings.Contains(got, want) || len(got) > 48<<10 {
					t.Errorf("%s with %s: want %s, got %d bytes %.1500s", tt.tool, header[0], want, len(got), got)
				}
			}
		}
		for name, header := range map[string][]string{"no token": nil, "a wrong one": {"Authorization", "Bearer none"},
			"that of another project": {"Authorization", "Bearer " + s.foreign, "X-Auth-Token", s.foreign},
			"a cookie":                {"Cookie", fmt.Sprintf("prodcal_auth_%d=%s", s.project, s.token)}} {
			why := "Authorization: Bearer TOKEN"
			if tt.tool == "book_state" && slices.Contains(header, s.foreign) {
				why = "there is no book" // whoever may not open it does not learn that there is one
			}
			got := s.call(tt.tool, tt.arguments, header...).Body.String()
			if !strings.Contains(got, `"isError":true`) || !strings.Contains(got, why) || strings.Contains(got, "Atlas") ||
				strings.Contains(got, s.foreign) {
				t.Errorf("%s, %s: got %.500s", tt.tool, name, got)
			}
		}
	}
	for arguments, want := range map[string]string{`{"book_id":1}`: "book", `{}`: "book_id is required",
		`{"id":7}`: "expected one of book_id", `{"book_id":"x"}`: `parameter book_id has the value \"x\": expected a whole number`,
		`{"book_id":".."}`: `parameter book_id has the value \"..\": expected a whole number`, `{"book_id":""}`: "parameter book_id has",
		`{"book_id":[7]}`: "parameter book_id has", `{"book_id":null}`: "book_id is required"} {
		if got := s.call("book_state", arguments, "X-Auth-Token", s.token).Body.String(); !strings.Contains(got, `"isError":true`) ||
			!strings.Contains(got, want) {
			t.Errorf("%s: want %s, got %.500s", arguments, want, got)
		}
	}
	for _, token := range []string{s.token, s.foreign} {
		if strings.Contains(s.log.String(), token[len(token)-20:]) || s.log.Len() == 0 {
			t.Errorf("the log tells a token: %s", s.log)
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

// The tokens of a message are sent to the book service and to no other.
func TestTokensGoToBooksAlone(t *testing.T) {
	lib := fixture.Library(t, world(t))
	s := &service{Deps: Deps{Library: lib, Families: mcptable.Families(mcptable.Deps{Library: lib})}}
	who := client{tokens: tokensOf(http.Header{"Authorization": {"Bearer secret"}, "X-Auth-Token": {"secret"}, "Cookie": {"secret"}})}
	asks := 0
	for _, tool := range s.tools() {
		if err := tool.compile(); err != nil {
			t.Fatal(err)
		}
		calls := tool.calls
		if tool.study != nil {
			for _, c := range tool.study.calls() {
				calls = append(calls, *c)
			}
		}
		for _, near := range tool.near {
			calls = append(calls, near.call)
		}
		for i := range calls {
			r, err := asking{call: &calls[i], target: calls[i].endpoint.Path}.request(t.Context(), who)
			if err != nil {
				t.Fatal(err)
			}
			asks++
			got, of := fmt.Sprint(r.Header), calls[i].of.prefix == "/books"
			if strings.Contains(got, "secret") != of || strings.Contains(got, "Cookie") {
				t.Errorf("%s asks %s with %s", tool.name, r.URL, got)
			}
		}
	}
	if asks < 20 {
		t.Errorf("%d requests", asks)
	}
}
