package endpoint

import (
	"net/url"
	"testing"

	"pgregory.net/rapid"
)

func TestPlainPath(t *testing.T) {
	for escaped, want := range map[string]string{
		"/cadastre/api":           "/cadastre/api",
		"/%63adastre/%61pi%2Fx":   "/cadastre/api%2Fx",
		"/a/99101-.2%2f1":         "/a/99101-.2%2F1",
		"/%7e%2D%5f%2e":           "/~-_.",
		"/a%20b%c3%bc":            "/a%20b%C3%BC",
		"/100%25":                 "/100%25",
		"/%2563":                  "/%2563",
		"/broken%":                "/broken%",
		"/broken%6":               "/broken%6",
		"/broken%zz":              "/broken%ZZ",
		"/%2e%2e/api":             "/../api",
		"/a%2F%2Fb":               "/a%2F%2Fb",
		"/%e2%82%ac/%41%2b%2C%3b": "/%E2%82%AC/A%2B%2C%3B",
	} {
		if got := PlainPath(escaped); got != want {
			t.Errorf("%s: want %s, got %s", escaped, want, got)
		}
	}
}

// The form is one, and names the same path.
func TestPlainPathIsTheSamePath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := (&url.URL{Path: "/" + rapid.String().Draw(t, "path")}).EscapedPath()
		plain := PlainPath(path)
		if PlainPath(plain) != plain {
			t.Fatalf("%q becomes %q and then %q", path, plain, PlainPath(plain))
		}
		a, errA := url.PathUnescape(path)
		b, errB := url.PathUnescape(plain)
		if errA != nil || errB != nil || a != b {
			t.Fatalf("%q is %q, %q is %q", path, a, plain, b)
		}
	})
}
