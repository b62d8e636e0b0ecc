package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// books takes a manuscript to a proof and a final as an author does it, with a project of an operator's
// making, in the ledger that the flags name.
func books(t *testing.T, bin, base string, ledger ...string) {
	t.Helper()
	localdev := func(args ...string) string {
		c := exec.Command(bin, slices.Concat([]string{"books"}, args, ledger)...)
		c.Dir = root(t)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("books %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	slug := fmt.Sprintf("end-to-end-%d", time.Now().UnixNano())
	localdev("client", "add", slug, "--name", "End to end")
	token := localdev("project", "add", slug, "atlas", "--title", "The Atlas")
	localdev("pass", "grant", slug+"/atlas", "--builds", "1", "--customer", "Mira Example")
	ask := func(method, path, contentType string, body []byte, status int) []byte {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, base+"/books"+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", contentType)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		b, err := io.ReadAll(a.Body)
		if err != nil || a.StatusCode != status {
			t.Fatalf("%s %s: want %d, got %d, %v: %.500s", method, path, status, a.StatusCode, err, b)
		}
		return b
	}
	into := func(b []byte, v any) {
		t.Helper()
		if err := json.Unmarshal(b, v); err != nil {
			t.Fatalf("%v: %.500s", err, b)
		}
	}
	var list struct {
		Projects []struct {
			ID   int64
			Slug string `json:"project_slug"`
		}
	}
	into(ask("GET", "/api/clients/"+slug+"/projects", "", nil, 200), &list)
	if len(list.Projects) != 1 || list.Projects[0].Slug != "atlas" {
		t.Fatalf("%+v", list)
	}
	project := fmt.Sprint(list.Projects[0].ID)
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for name, value := range map[string]string{"title": "The Atlas", "author": "Mira Example", "project_id": project} {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile("file", "atlas.md")
	if err != nil {
		t.Fatal(err)
	}
	for c := range 3 {
		fmt.Fprintf(part, "# Chapter %d\n\n%s\n\n", c+1,
			strings.Repeat("The map lay *open* on the table, and nobody said a word about the river. ", 60))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var book struct {
		ID      int64
		Status  string
		Error   *string
		Outputs []struct {
			Format, Kind string
			Download     string `json:"download_url"`
		}
	}
	into(ask("POST", "/api/books/upload", w.FormDataContentType(), form.Bytes(), 201), &book)
	largeUpload(t, base, token, project)
	at := fmt.Sprintf("/api/books/%d", book.ID)
	if b := ask("POST", "/api/projects/"+project+"/preflight", "application/json", fmt.Appendf(nil, `{"book_id":%d}`, book.ID),
		200); !bytes.Contains(b, []byte(`"by_type"`)) {
		t.Errorf("%s", b)
	}
	if b := ask("GET", fmt.Sprintf("/api/projects/%s/preflight/report?book_id=%d", project, book.ID), "", nil, 200); !bytes.Contains(b,
		[]byte("</html>")) {
		t.Errorf("%.300s", b)
	}
	for _, kind := range []string{"proof", "final"} {
		ask("POST", at+"/convert", "application/json", []byte(`{"kind":"`+kind+`"}`), 200)
		deadline := time.Now().Add(4 * time.Minute)
		for book.Status = "converting"; book.Status == "converting"; time.Sleep(100 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the build did not end")
			}
			into(ask("GET", at, "", nil, 200), &book)
		}
		if book.Status != "ready" || len(book.Outputs) != 2 || book.Outputs[0].Kind != kind {
			t.Fatalf("%+v", book)
		}
		for format, magic := range map[string]string{"pdf": "%PDF-", "epub": "PK"} {
			if b := ask("GET", at+"/download/"+format+"?kind="+kind, "", nil, 200); !bytes.HasPrefix(b, []byte(magic)) || len(b) < 2000 {
				t.Errorf("%s %s: %d bytes", kind, format, len(b))
			}
		}
	}
	ask("POST", at+"/convert", "application/json", []byte(`{"kind":"final"}`), 402)
	if b := ask("GET", at+"/preview/1", "", nil, 200); !bytes.Contains(b, []byte("<svg")) {
		t.Errorf("%.300s", b)
	}
	localdev("token", "revoke", slug+"/atlas")
	ask("GET", at, "", nil, 401)
}
