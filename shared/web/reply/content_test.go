package reply

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mappe/shared/web/fault"
)

const letters = "0123456789"

func file() *Content {
	return &Content{ContentType: "application/octet-stream", Size: int64(len(letters)),
		Open: func(_ context.Context, offset, length int64) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(letters[offset : offset+length])), nil
		}}
}

func TestRanges(t *testing.T) {
	for _, tt := range []struct {
		name, ask, ifRange string
		head               bool
		status             int
		body, part         string
	}{
		{"whole", "", "", false, 200, letters, ""},
		{"a part", "bytes=2-4", "", false, 206, "234", "bytes 2-4/10"},
		{"all as a part", "bytes=0-", "", false, 206, letters, "bytes 0-9/10"},
		{"the end", "bytes=-3", "", false, 206, "789", "bytes 7-9/10"},
		{"an end longer than the file", "bytes=-99", "", false, 206, letters, "bytes 0-9/10"},
		{"an end no number holds", "bytes=-99999999999999999999", "", false, 206, letters, "bytes 0-9/10"},
		{"from", "bytes=8-", "", false, 206, "89", "bytes 8-9/10"},
		{"more than there is", "bytes=8-99", "", false, 206, "89", "bytes 8-9/10"},
		{"to more than a number holds", "bytes=8-99999999999999999999", "", false, 206, "89", "bytes 8-9/10"},
		{"backwards", "bytes=4-2", "", false, 200, letters, ""},
		{"signs", "bytes=+1-+2", "", false, 200, letters, ""},
		{"two parts", "bytes=0-1,3-4", "", false, 200, letters, ""},
		{"another unit", "rows=0-1", "", false, 200, letters, ""},
		{"no numbers", "bytes=-", "", false, 200, letters, ""},
		{"this version", "bytes=0-1", `"v1"`, false, 206, "01", "bytes 0-1/10"},
		{"another version", "bytes=0-1", `"v0"`, false, 200, letters, ""},
		{"a weak tag names no bytes", "bytes=0-1", `W/"v1"`, false, 200, letters, ""},
		{"head", "bytes=0-1", "", true, 200, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			a := &Ask{ETag: `"v1"`, Range: tt.ask, IfRange: tt.ifRange, Head: tt.head, Elapsed: func() time.Duration { return 0 }}
			if err := Write(w, a, file()); err != nil {
				t.Fatal(err)
			}
			h := w.Header()
			if w.Code != tt.status || w.Body.String() != tt.body || h.Get("Content-Range") != tt.part ||
				h.Get("Accept-Ranges") != "bytes" || h.Get("ETag") != `"v1"` {
				t.Errorf("%d %q %v", w.Code, w.Body, h)
			}
		})
	}
	for _, ask := range []string{"bytes=10-", "bytes=99999999999999999999-", "bytes=-0"} {
		err := Write(httptest.NewRecorder(), &Ask{Range: ask, Elapsed: func() time.Duration { return 0 }}, file())
		f := fault.From(err)
		w := httptest.NewRecorder()
		Fault(w, f, "id")
		if w.Code != 416 || w.Header().Get("Content-Range") != "bytes */10" {
			t.Errorf("%s: %d %v", ask, w.Code, w.Header())
		}
	}
}

// Parts that touch give the file, whatever they are.
func TestPartsGiveTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, 1<<40).Draw(t, "size")
		header := rapid.StringMatching(`bytes=[0-9]{0,14}-[0-9]{0,14}`).Draw(t, "range")
		r, ok, err := ParseRange(header, size)
		if ok && (err != nil || r.Offset < 0 || r.Length < 1 || r.Offset+r.Length > size) {
			t.Fatalf("%s of %d bytes: %v, %v", header, size, r, err)
		}
	})
}

type cut struct{ io.Reader }

func (cut) Close() error { return nil }

// A file that ends too early breaks the connection; one that does not open is answered.
func TestAFileThatCannotBeRead(t *testing.T) {
	short := file()
	short.Open = func(context.Context, int64, int64) (io.ReadCloser, error) { return cut{strings.NewReader("012")}, nil }
	func() {
		defer func() {
			if b, ok := recover().(Broken); !ok || b.Bytes != 3 {
				t.Errorf("want a broken connection after 3 bytes, got %v", b)
			}
		}()
		_ = Write(httptest.NewRecorder(), &Ask{Elapsed: func() time.Duration { return 0 }}, short)
	}()
	closed := file()
	closed.Open = func(context.Context, int64, int64) (io.ReadCloser, error) { return nil, errors.New("gone") }
	w := httptest.NewRecorder()
	if err := Write(w, &Ask{Elapsed: func() time.Duration { return 0 }}, closed); err == nil || len(w.Header()) > 0 {
		t.Errorf("%v %v", err, w.Header())
	}
}
