package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
)

// largeUpload brings a manuscript of 30 MB as docs/books.md says, the same way wherever the address of the
// upload leads, and tries what else could be sent there.
func largeUpload(t *testing.T, base, token, project string) {
	t.Helper()
	ask := func(method, address string, header http.Header, body io.Reader, own bool) (int, []byte) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, address, body)
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range header {
			r.Header[name] = values
		}
		if own {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		a, err := http.DefaultClient.Do(r)
		if !own && method == http.MethodPut && (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)) {
			return 0, nil // an S3 server may refuse in the middle of a body, which breaks the connection
		}
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		b, err := io.ReadAll(a.Body)
		if err != nil {
			t.Fatal(err)
		}
		return a.StatusCode, b
	}
	file := []byte(strings.Repeat("The map lay open on the table, and nobody said a word about the river.\n\n", 30<<20/73))
	form := func(size int) string {
		return fmt.Sprintf(`{"filename":"atlas.md","size_bytes":%d,"title":"The Atlas","author":"Mira Example","project_id":%s}`, size,
			project)
	}
	if code, b := ask("POST", base+"/books/api/books/upload/large", nil, strings.NewReader(form(50<<20+1)), true); code != 413 {
		t.Errorf("over 50 MB: %d %s", code, b)
	}
	code, b := ask("POST", base+"/books/api/books/upload/large", nil, strings.NewReader(form(len(file))), true)
	var begun struct {
		ID     int64
		Status string
		Upload struct {
			Method, URL string
			Headers     map[string]string
		}
		Complete string `json:"complete_url"`
	}
	if err := json.Unmarshal(b, &begun); err != nil || code != 201 || begun.Status != "awaiting_file" {
		t.Fatalf("%d %s, %v", code, b, err)
	}
	absolute := func(address string) string {
		u, err := url.Parse(address)
		from, bad := url.Parse(base)
		if err != nil || bad != nil {
			t.Fatal(address, err, bad)
		}
		return from.ResolveReference(u).String()
	}
	to, done := absolute(begun.Upload.URL), absolute(begun.Complete)
	own := strings.HasPrefix(to, base+"/")
	header := http.Header{}
	for name, value := range begun.Upload.Headers {
		header.Set(name, value)
	}
	put := func(to string, body []byte) int {
		t.Helper()
		code, _ := ask(begun.Upload.Method, to, header, bytes.NewReader(body), own)
		return code
	}
	if code, b := ask("POST", done, nil, nil, true); code != 409 {
		t.Errorf("complete before the file: %d %s", code, b)
	}
	elsewhere := strings.Replace(to, fmt.Sprint(begun.ID), fmt.Sprint(begun.ID+1), 1)
	for name, code := range map[string]int{
		"too long": put(to, append(file[:len(file):len(file)], '!')), "too short": put(to, file[:1000]),
		"another book": put(elsewhere, file),
	} {
		if code != 0 && (code < 400 || code >= 500) {
			t.Errorf("%s: want it refused, got %d", name, code)
		}
	}
	if code, b := ask("POST", done, nil, nil, true); code != 409 {
		t.Errorf("complete after files that were refused: %d %s", code, b)
	}
	if code := put(to, file); code != 200 {
		t.Fatalf("the file: %d", code)
	}
	if code := put(to, bytes.ToUpper(file)); code != 0 && code != 409 && code != 412 {
		t.Errorf("another file: %d", code)
	}
	for range 2 {
		if code, b := ask("POST", done, nil, nil, true); code != 200 || !bytes.Contains(b, []byte(`"uploaded"`)) {
			t.Errorf("complete: %d %s", code, b)
		}
	}
}
