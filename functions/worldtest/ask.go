package worldtest

import (
	"net/http"
	"net/http/httptest"
	"strings"
)

// Ask sends a request to a handler: method, path with query, body ("" for none), header names and values.
func Ask(h http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
