package spool

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// What is written in pieces is read at any place, whether it is held or in a file, which is gone after Close.
func TestWhatIsWrittenIsRead(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	rapid.Check(t, func(t *rapid.T) {
		s := New(rapid.IntRange(1, 64).Draw(t, "most"))
		var want []byte
		for _, piece := range rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 40)).Draw(t, "pieces") {
			if n, err := s.Write(piece); n != len(piece) || err != nil {
				t.Fatalf("%d of %d: %v", n, len(piece), err)
			}
			want = append(want, piece...)
		}
		if s.Size() != int64(len(want)) || s.Held() > s.most {
			t.Fatalf("%d bytes, %d held of at most %d, want %d", s.Size(), s.Held(), s.most, len(want))
		}
		from := rapid.IntRange(0, len(want)).Draw(t, "from")
		got, err := io.ReadAll(io.NewSectionReader(Joined{bytes.NewReader([]byte("ab")), s, bytes.NewReader([]byte("}"))}, int64(from),
			1<<20))
		if whole := append(append([]byte("ab"), want...), '}'); err != nil || !bytes.Equal(got, whole[from:]) {
			t.Fatalf("from %d: %q, %v, want %q", from, got, err, whole[from:])
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// A body that is shorter than its length is an error, and not read as a whole one.
func TestAShortBodyIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(path, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	j := Joined{io.NewSectionReader(f, 0, 5), bytes.NewReader([]byte("z"))}
	if n, err := j.ReadAt(make([]byte, 6), 0); n != 3 || err != io.ErrUnexpectedEOF {
		t.Errorf("%d, %v", n, err)
	}
}

// Values are read in any order as they were added, those that are nothing too; what is gone is an error, and the next is read.
func TestList(t *testing.T) {
	type part struct {
		Name string
		Any  []float64
	}
	type value struct {
		part
		Part *part
		N    int
	}
	s := New(64)
	defer s.Close()
	l, err := NewList[value](s)
	if err != nil {
		t.Fatal(err)
	}
	want := []value{{}, {N: 7}, {Part: &part{Name: "a", Any: []float64{1, 2.5}}}, {N: -1, Part: &part{}}, {N: 9}}
	for i := range want {
		if err := l.Add(&want[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, i := range []int{3, 0, 0, 4, 2, 1, 2} {
		if got, err := l.Get(i); err != nil || !reflect.DeepEqual(got, want[i]) {
			t.Errorf("value %d: %+v, %v, want %+v", i, got, err, want[i])
		}
	}
	l.ends[4] += 5 // behind the end
	if got, err := l.Get(4); err == nil {
		t.Errorf("%+v of a file that is too short", got)
	}
	if got, err := l.Get(1); err != nil || got.N != 7 || l.Len() != 5 {
		t.Errorf("%+v, %v", got, err)
	}
}
