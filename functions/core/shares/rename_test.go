package shares

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// kept puts a whole object of a result into a shelf: its front, its kind, a place and a result, and beside it a raw one where raw is
// not "".
func (s *Shares) kept(t *testing.T, name, raw string) Share {
	t.Helper()
	expires := time.Now().Add(Keep)
	front, err := Front(name, expires)
	if err != nil {
		t.Fatal(err)
	}
	const about = `"kind":"terrain","geometry":{"type":"Point","coordinates":[13,47]},"result":`
	const result = `{"data":{"mean":7}}`
	h := Share{Name: name, Kind: "terrain", Created: time.Now(), Expires: expires, Job: name, Fence: 1, Listed: true,
		FrontAt: int64(len(front)), ResultAt: int64(len(front) + len(about)), ResultBytes: int64(len(result)), ContentType: "text/csv"}
	object := strings.NewReader(string(front) + about + result + "}")
	if raw == "" {
		err = s.Save(t.Context(), h, object, nil)
	} else {
		err = s.Save(t.Context(), h, object, strings.NewReader(raw))
	}
	if err != nil {
		t.Fatal(err)
	}
	if h, err = s.Find(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	return h
}

// objects are the keys of the store.
func (s *Shares) objects(t *testing.T) (keys []string) {
	t.Helper()
	for info, err := range s.Files.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

// told is what an object says of itself, its result and its place.
func (s *Shares) told(t *testing.T, h Share) (name, expires, result, place string) {
	t.Helper()
	whole := &Stored{s, h, h.File, 0, h.Bytes}
	if h.Raw != "" {
		info, err := s.Files.Head(t.Context(), h.File)
		if err != nil {
			t.Fatal(err)
		}
		whole.size = info.Size
	}
	b, err := whole.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var front struct {
		Name    string          `json:"name"`
		Expires json.RawMessage `json:"expires_at"`
	}
	if err := json.Unmarshal(b, &front); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	of, err := s.Result(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = of.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	at, err := s.Place(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	return front.Name, string(front.Expires), string(b), string(at)
}

// A share with a name of its own has the result under the new name, for good; of the old one only the way to it is left.
func TestRename(t *testing.T) {
	for _, raw := range []string{"", "a,b\n1,2\n", strings.Repeat("x", 1000)} {
		s := shelf(t)
		old := s.kept(t, "auto-a", raw)
		_, expires, result, place := s.told(t, old)
		if want, err := time.Parse(`"`+time.RFC3339+`"`, expires); err != nil || !want.Equal(old.Expires.Truncate(time.Second)) {
			t.Errorf("a result ends at %s, want %v", expires, old.Expires)
		}
		h, err := s.Rename(t.Context(), "auto-a", "mine")
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Find(t.Context(), "mine")
		if err != nil || found.File != h.File || !found.Expires.IsZero() || !found.Listed {
			t.Errorf("%+v %v", found, err)
		}
		name, ends, again, at := s.told(t, found)
		if name != "mine" || ends != "null" || again != result || at != place || raw != "" && again != raw {
			t.Errorf("%s, %s, %s, %s; want mine, null, %s, %s", name, ends, again, at, result, place)
		}
		want := []string{h.File}
		if raw != "" {
			want = []string{h.Raw, h.File}
		}
		if got := s.objects(t); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("objects %v, want %v", got, want)
		}
		if moved, err := s.Find(t.Context(), "auto-a"); err != nil || moved.Moved != "mine" || !moved.Expires.IsZero() {
			t.Errorf("the old name: %+v %v", moved, err)
		}
		if list, err := s.List(t.Context()); err != nil || len(list) != 1 || list[0].Name != "mine" {
			t.Errorf("listed: %+v %v", list, err)
		}
	}
}

// The bytes of a share are those of its larger object.
func TestBytesOfARename(t *testing.T) {
	for raw, larger := range map[string]bool{"x": false, strings.Repeat("x", 1000): true} {
		s := shelf(t)
		s.kept(t, "auto-a", raw)
		h, err := s.Rename(t.Context(), "auto-a", "mine")
		if err != nil || (h.Bytes == int64(len(raw))) != larger || h.Bytes < int64(len(raw)) {
			t.Errorf("%d bytes beside a result of %d: %v", h.Bytes, len(raw), err)
		}
	}
}

// A rename that cannot be leaves all as it was.
func TestRenamesThatAreRefused(t *testing.T) {
	s := shelf(t)
	s.kept(t, "auto-a", "")
	s.kept(t, "auto-b", "raw")
	if _, err := s.Rename(t.Context(), "auto-b", "b"); err != nil {
		t.Fatal(err)
	}
	before := strings.Join(s.objects(t), " ")
	for _, c := range []struct {
		from, to string
		says     string
		is       error
	}{
		{"auto-a", "b", "taken", ErrTaken},
		{"auto-none", "c", "no such share", ErrNotFound},
		{"auto-a", "auto-x", "names that begin with auto-", nil},
		{"auto-a", "a b", NameForm, nil},
		{"auto-b", "c", "has the name b", nil},
	} {
		_, err := s.Rename(t.Context(), c.from, c.to)
		if err == nil || !strings.Contains(err.Error(), c.says) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s to %s: %v, want %q", c.from, c.to, err, c.says)
		}
		if now := strings.Join(s.objects(t), " "); now != before {
			t.Errorf("%s to %s left %s, want %s", c.from, c.to, now, before)
		}
	}
	if h, err := s.Rename(t.Context(), "auto-b", "b"); err != nil || h.Name != "b" {
		t.Errorf("a second time: %+v %v", h, err)
	}
	if list, err := s.List(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("listed: %+v %v", list, err)
	}
}

// A process that died when the new name was taken leaves a share under both; the rename made once more ends it, with one object.
func TestARenameGoesOn(t *testing.T) {
	s := shelf(t)
	old := s.kept(t, "auto-a", "raw")
	half := old
	half.Name, half.Expires, half.Listed = "mine", time.Time{}, true
	if err := s.copy(t.Context(), old, &half); err != nil {
		t.Fatal(err)
	}
	if _, err := s.take(t.Context(), half); err != nil {
		t.Fatal(err)
	}
	h, err := s.Rename(t.Context(), "auto-a", "mine")
	if err != nil || h.File != half.File {
		t.Fatalf("%+v %v, want the object %s", h, err, half.File)
	}
	if got, want := strings.Join(s.objects(t), " "), h.Raw+" "+h.File; got != want {
		t.Errorf("objects %s, want %s", got, want)
	}
	if _, _, result, _ := s.told(t, h); result != "raw" {
		t.Errorf("the result is %s", result)
	}
}

// A share whose object is gone does not exist.
func TestObjectsThatAreGone(t *testing.T) {
	for _, gone := range []string{".json", ".bin"} {
		s := shelf(t)
		h := s.kept(t, "auto-a", "raw")
		if err := s.Files.Delete(t.Context(), strings.TrimSuffix(h.File, ".json")+gone); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Rename(t.Context(), "auto-a", "mine"); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "is gone") {
			t.Errorf("without %s: %v", gone, err)
		}
		if _, err := s.Find(t.Context(), "mine"); !errors.Is(err, ErrNotFound) {
			t.Errorf("without %s the new name is taken: %v", gone, err)
		}
	}
}

// A list has more shares than the ledger gives at once, each of them once.
func TestALongList(t *testing.T) {
	s := shelf(t)
	const n = 1003
	for i := range int64(n) {
		s.put(t, fmt.Sprintf("auto-%d", i), i, func(h *Share) { h.Listed = true })
	}
	all, err := s.List(t.Context())
	if err != nil || len(all) != n {
		t.Fatalf("%d, %v, want %d", len(all), err, n)
	}
	for i, h := range all {
		if want := fmt.Sprintf("auto-%d", n-1-i); h.Name != want {
			t.Fatalf("%d is %s, want %s", i, h.Name, want)
		}
	}
}
