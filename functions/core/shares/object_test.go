package shares

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/fault"
)

// signing is a store with addresses, which say what was asked for.
type signing struct {
	store.Store
	err error
}

func (s signing) PresignGet(_ context.Context, key, filename string, life time.Duration) (string, error) {
	return fmt.Sprintf("https://files.example/%s?name=%s&for=%s", key, filename, life), s.err
}

func (s signing) PresignPut(context.Context, string, int64, time.Duration) (string, http.Header, error) {
	return "", nil, errors.New("nothing is put")
}

// A large object is fetched from the store where that has addresses, under the name that the answer would have had.
func TestAddresses(t *testing.T) {
	signs := &Shares{Files: signing{Store: mem.New()}, Whole: 100}
	plain := &Shares{Files: mem.New(), Whole: 100}
	raw := Share{File: "auto/a-1.json", Raw: "auto/a-1.bin", FrontAt: 9, Headers: map[string]string{
		"Content-Disposition": `attachment; filename="trees.gpkg"`}}
	old := Share{File: "auto/a-1.json"}
	for name, c := range map[string]struct {
		s                *Shares
		of               Share
		bytes            int64
		result, anObject string
	}{
		"large": {signs, raw, 101, "https://files.example/auto/a-1.bin?name=trees.gpkg&for=15m0s",
			"https://files.example/auto/a-1.json?name=&for=15m0s"},
		"small":                             {signs, raw, 100, "", ""},
		"a store without addresses":         {plain, raw, 101, "", ""},
		"a record of before":                {signs, old, 101, "", ""},
		"without a name, in one object":     {signs, Share{File: "f", FrontAt: 9}, 101, "", "https://files.example/f?name=&for=15m0s"},
		"without a name, in one of its own": {signs, Share{Raw: "r"}, 101, "https://files.example/r?name=&for=15m0s", ""},
		"a header that cannot be read is ignored": {signs,
			Share{Raw: "r", Headers: map[string]string{"Content-Disposition": ";"}}, 101, "https://files.example/r?name=&for=15m0s", ""},
	} {
		result, err := c.s.ResultAddress(t.Context(), c.of, c.bytes)
		if err != nil || result != c.result {
			t.Errorf("%s: the result is at %q, %v, want %q", name, result, err, c.result)
		}
		if at, err := c.s.Address(t.Context(), c.of, c.bytes); err != nil || at != c.anObject {
			t.Errorf("%s: the object is at %q, %v, want %q", name, at, err, c.anObject)
		}
	}
	failing := &Shares{Files: signing{mem.New(), errors.New("no key")}, Whole: 100}
	if _, err := failing.ResultAddress(t.Context(), raw, 101); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("%v", err)
	}
}

// A share that is not there is a 404; what may pass says so and hides why.
func TestFaultOf(t *testing.T) {
	missing := FaultOf(fmt.Errorf("%w: a", ErrNotFound), "a")
	var f *fault.Fault
	if !errors.As(missing, &f) || f.Code != fault.NotFound || !strings.Contains(missing.Error(), "a") {
		t.Errorf("%v", missing)
	}
	if busy := FaultOf(errors.New("host 10.0.0.1"), "a"); !errors.As(busy, &f) || f.Code != fault.Unavailable ||
		strings.Contains(f.Message, "10.0.0.1") {
		t.Errorf("%v", busy)
	}
}

// A share without a place says so.
func TestPlace(t *testing.T) {
	s := shelf(t)
	const front = `{"kind":"terrain",`
	for about, want := range map[string]string{`"geometry":{"type":"Point","coordinates":[1,2]},"result":`: `{"type":"Point","coordinates":[1,2]}`,
		`"geometry":null,"result":`: "null", `"result":`: ""} {
		h := Share{Name: "a", Kind: "terrain", Job: "a", Fence: 1, ResultAt: int64(len(front + about)), ResultBytes: 1, Created: time.Now()}
		h.Name = fmt.Sprintf("a%d", len(about))
		h.Job = h.Name
		if err := s.Save(t.Context(), h, strings.NewReader(front+about+"7}"), nil); err != nil {
			t.Fatal(err)
		}
		h, err := s.Find(t.Context(), h.Name)
		if err != nil {
			t.Fatal(err)
		}
		if at, err := s.Place(t.Context(), h); err != nil || string(at) != want {
			t.Errorf("%s: %s, %v, want %s", about, at, err, want)
		}
	}
}
