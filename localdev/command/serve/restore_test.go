package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mappe/builders/source/sourcetest"
	"mappe/localdev/command/build"
)

// served starts a server and gives its address and what ends it.
func served(t *testing.T, s serving) (base string, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	address, ended := make(chan string, 1), make(chan error, 1)
	s.addr, s.ready = "127.0.0.1:0", func(_ context.Context, base string) { address <- base }
	go func() { ended <- s.run(ctx, io.Discard) }()
	select {
	case base = <-address:
	case err := <-ended:
		t.Fatalf("the server ended: %v", err)
	}
	return base, func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	}
}

// until asks until an answer says what is waited for.
func until(t *testing.T, what, address string, done func(status int, body map[string]any) bool) map[string]any {
	t.Helper()
	var last string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		r, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		var body map[string]any
		if json.Unmarshal(b, &body) == nil && done(r.StatusCode, body) {
			return body
		}
		last = fmt.Sprintf("%d %.300s", r.StatusCode, b)
	}
	t.Fatalf("%s: not within a minute; the last answer of %s is %s", what, address, last)
	return nil
}

// What may evict can restore: a server that evicts with or without a source, started again with or without one, brings
// every KG back from the archive.
func TestWhatMayEvictCanRestore(t *testing.T) {
	source := sourcetest.Write(t, sourcetest.Three...)
	quiet, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { quiet.Close() })
	for _, c := range []struct{ first, again string }{{source, source}, {source, ""}, {"", source}, {"", ""}} {
		t.Run(fmt.Sprintf("with a source %v, again %v", c.first != "", c.again != ""), func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "data")
			if err := build.Run(t.Context(), quiet, build.Options{Source: source, Data: data}); err != nil {
				t.Fatal(err)
			}
			base, end := served(t, serving{data: data, source: c.first, budget: 1})
			for _, kg := range sourcetest.Three {
				r, err := http.Post(base+"/cadastre/api/inspire/process/"+string(kg.Code), "", nil)
				if err != nil || r.StatusCode != http.StatusAccepted {
					t.Fatalf("process: %v %v", r, err)
				}
				r.Body.Close()
			}
			until(t, "all KGs are archived", base+"/cadastre/api/archive/status", func(_ int, body map[string]any) bool {
				return body["kgs"] == float64(len(sourcetest.Three))
			})
			end()
			if b, err := os.ReadFile(filepath.Join(data, "availability.json")); err != nil || !bytes.Contains(b, []byte("99001")) {
				t.Fatalf("no KG was evicted: %s %v", b, err)
			}
			base, end = served(t, serving{data: data, source: c.again})
			defer end()
			for _, kg := range sourcetest.Three {
				until(t, "KG "+string(kg.Code)+" is brought back", base+"/cadastre/api/v1/search/parcel?limit=1&kg="+string(kg.Code),
					func(status int, body map[string]any) bool {
						meta, _ := body["meta"].(map[string]any)
						rows, _ := body["data"].([]any)
						return status == 200 && meta["ready"] == true && len(rows) == 1
					})
			}
		})
	}
}
