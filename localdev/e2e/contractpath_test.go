package e2e

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// TestContractEscapes asks each GET with every letter and digit of its path escaped, which is the same address
// (RFC 3986 6.2.2): the same endpoint answers.
func TestContractEscapes(t *testing.T) {
	tried := 0
	for _, d := range contract(t) {
		if d.endpoint.Method != "GET" || d.endpoint.Example == "" || d.service.Prefix == "/books" {
			continue
		}
		path, query, _ := strings.Cut(d.service.Prefix+d.endpoint.Example, "?")
		want := d.conditional("")
		for how, escaped := range map[string]string{"all": escapeAll(path),
			"the first": strings.Replace(path, path[:2], escapeAll(path[:2]), 1)} {
			r := httptest.NewRequest("GET", escaped+"?"+query, nil)
			r.Header.Set("Authorization", "Bearer "+d.token)
			w := httptest.NewRecorder()
			d.handler.ServeHTTP(w, r)
			tried++
			if w.Code != want.Code || w.Header().Get("ETag") != want.Header().Get("ETag") ||
				w.Header().Get("Content-Type") != want.Header().Get("Content-Type") {
				t.Errorf("%s, %s escaped: want %d, got %d %.200s", d.name(), how, want.Code, w.Code, w.Body)
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d paths were tried", tried)
	}
}

// escapeAll escapes letters and digits; what is escaped already stays.
func escapeAll(path string) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '%' && i+2 < len(path):
			b.WriteString(strings.ToLower(path[i : i+3]))
			i += 2
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
