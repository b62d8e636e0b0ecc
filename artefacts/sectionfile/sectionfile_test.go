package sectionfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mappe/artefacts/internal/column/columntest"
)

var overlay = Family{'o', 'v', 'l', 'y'}

// noise is what compression saves nothing of.
func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// sample has sections of every sort: empty, stored as they are, compressed, and padded.
func sample() []Section {
	return []Section{
		{"101", nil}, {"102", []byte("Wien")}, {"201", bytes.Repeat([]byte("Katastralgemeinde "), 500)},
		{"202", noise(1, 3000)}, {"999", make([]byte, 2<<20)},
	}
}

func encode(t testing.TB, sections []Section) []byte {
	t.Helper()
	b, err := Encode(overlay, []byte("own head"), sections)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSectionsComeBack(t *testing.T) {
	want := sample()
	b := encode(t, want)
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if f.Family() != overlay || string(f.Head()) != "own head" || f.Len() != len(want) || f.Size() != int64(len(b)) {
		t.Errorf("family %s, head %q, %d sections, %d bytes", f.Family(), f.Head(), f.Len(), f.Size())
	}
	for i, s := range want {
		got, err := f.Section(i)
		if err != nil || !bytes.Equal(got, s.Body) || f.Name(i) != s.Name || f.Raw(i) != len(s.Body) {
			t.Errorf("section %s: %d bytes, want %d, %v", f.Name(i), len(got), len(s.Body), err)
		}
		if at, ok := f.Find(s.Name); !ok || at != i {
			t.Errorf("Find(%s): %d, %v", s.Name, at, ok)
		}
	}
	if _, ok := f.Find("103"); ok {
		t.Error("a section that is not there was found")
	}
	if len(b) > 20<<10 {
		t.Errorf("the file has %d bytes: the repeats are not compressed", len(b))
	}
}

func TestAFileWithoutSections(t *testing.T) {
	b := encode(t, nil)
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil || f.Len() != 0 || f.Size() != int64(len(b)) {
		t.Errorf("%v", err)
	}
}

// Any sections come back, the same bytes are made of them twice, and the sections stand without a gap.
func TestEncodeAndDecodeAreInverses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringN(1, 12, MaxName), 0, 40, rapid.ID[string]).Draw(t, "names")
		slices.Sort(names)
		var want []Section
		for i, name := range names {
			body := noise(uint64(i), rapid.IntRange(0, 200).Draw(t, "noise"))
			want = append(want, Section{name,
				append(body, make([]byte, rapid.SampledFrom([]int{0, 1, 1000, 3 << 20}).Draw(t, "zeros"))...)})
		}
		head := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "head")
		b, err := Encode(overlay, head, want)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Encode(overlay, head, want); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("two files of the same sections differ, %v", err)
		}
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		end, err := FrontLength(b)
		if err != nil || !bytes.Equal(f.Head(), head) || f.Len() != len(want) {
			t.Fatalf("head %q, %d sections, %v", f.Head(), f.Len(), err)
		}
		for i, s := range want {
			offset, length := f.Range(i)
			if offset != end {
				t.Fatalf("section %d begins at %d, the one before ends at %d", i, offset, end)
			}
			end += length
			if got, err := f.Section(i); err != nil || !bytes.Equal(got, s.Body) {
				t.Fatalf("section %q: %v", s.Name, err)
			}
		}
		if end != int64(len(b)) {
			t.Fatalf("the sections end at %d of %d", end, len(b))
		}
	})
}

// A file is made without holding its sections.
func TestBuilderStreams(t *testing.T) {
	var stored bytes.Buffer
	b, err := NewBuilder(overlay, []byte("own head"), &stored)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sample() {
		if err := b.Add(s.Name, s.Body); err != nil {
			t.Fatal(err)
		}
	}
	front, err := b.Front()
	if err != nil || !bytes.Equal(append(front, stored.Bytes()...), encode(t, sample())) {
		t.Errorf("the streamed file is another, %v", err)
	}
}

func TestBuilderRefuses(t *testing.T) {
	long := strings.Repeat("x", MaxName+1)
	for name, sections := range map[string][]Section{
		"names that fall": {{"b", nil}, {"a", nil}}, "a name twice": {{"a", nil}, {"a", nil}}, "no name": {{"", nil}},
		"a long name":     {{long, nil}},
		"a large section": {{"a", make([]byte, MaxSection+1)}},
	} {
		if _, err := Encode(overlay, nil, sections); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
	if _, err := Encode(Family{'O', 'v', 'l', 'y'}, nil, nil); err == nil {
		t.Error("a family with a capital: want an error")
	}
	if _, err := Encode(overlay, make([]byte, MaxHead+1), nil); err == nil {
		t.Error("a large head: want an error")
	}
}

// Every byte of a file is under a checksum or a length: a file with one bit turned is refused, when it is
// opened or when the section that has it is read.
func TestOneBitTurned(t *testing.T) {
	sections := sample()[:4]
	good := encode(t, sections)
	for at := range good {
		b := bytes.Clone(good)
		b[at] ^= 1 << (at % 8)
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		for i := 0; err == nil && i < f.Len(); i++ {
			_, err = f.Section(i)
		}
		if err == nil {
			t.Errorf("byte %d of %d turned: nobody noticed", at, len(good))
		}
	}
}

func TestFilesThatAreCutOff(t *testing.T) {
	good := encode(t, sample()[:4])
	for n := range good {
		if _, err := Open(bytes.NewReader(good[:n]), int64(n)); err == nil {
			t.Errorf("%d of %d bytes are opened", n, len(good))
		}
	}
	if _, err := Open(bytes.NewReader(append(good, 0)), int64(len(good)+1)); err == nil {
		t.Error("a byte too many is not noticed")
	}
	if _, err := Open(bytes.NewReader(good), int64(len(good)+1)); err == nil {
		t.Error("a reader that ends early is not noticed")
	}
}

func TestNewerFiles(t *testing.T) {
	for _, c := range []struct {
		version, oldest uint16
		ok              bool
	}{{1, 1, true}, {7, 1, true}, {2, 2, false}, {1, 0, false}, {1, 2, false}} {
		b := encode(t, sample()[:2])
		binary.LittleEndian.PutUint16(b[8:], c.version)
		binary.LittleEndian.PutUint16(b[10:], c.oldest)
		_, err := Open(bytes.NewReader(reseal(b)), int64(len(b)))
		if (err == nil) != c.ok {
			t.Errorf("version %d, oldest reader %d: %v", c.version, c.oldest, err)
		}
	}
}

// reseal puts the checksums right, so that mutations reach the decoders behind them.
func reseal(b []byte) []byte {
	b = bytes.Clone(b)
	if len(b) < HeadBytes {
		return b
	}
	binary.LittleEndian.PutUint64(b[16:], uint64(len(b)))
	if end := HeadBytes + uint64(binary.LittleEndian.Uint32(b[28:])); end <= uint64(len(b)) {
		binary.LittleEndian.PutUint32(b[36:], checksum(b[HeadBytes:end]))
	}
	binary.LittleEndian.PutUint32(b[HeadBytes-4:], checksum(b[:HeadBytes-4]))
	return b
}

func FuzzOpen(f *testing.F) {
	for _, sections := range [][]Section{nil, sample()[:1], sample()[:4]} {
		f.Add(encode(f, sections))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, b := range [][]byte{b, reseal(b)} {
			columntest.Bounded(t, len(b), func() {
				file, err := Open(bytes.NewReader(b), int64(len(b)))
				if err != nil {
					return
				}
				for i := range min(file.Len(), 8) {
					_, _ = file.Section(i)
				}
			})
		}
	})
}

// FuzzSection decodes foreign bytes as a section of any declared length.
func FuzzSection(f *testing.F) {
	for _, s := range sample() {
		if stored, err := pack(s.Body); err == nil {
			f.Add(stored, len(s.Body))
		}
	}
	f.Fuzz(func(t *testing.T, stored []byte, raw int) {
		if raw < 0 || raw > MaxSection || shortBy(raw, len(stored)) > 0 {
			return
		}
		if body, err := unpack(stored, raw); err == nil && len(body) != raw {
			t.Errorf("%d bytes, expected %d", len(body), raw)
		}
	})
}

var freeze = flag.Bool("freeze", false, "write the file of this version if it does not exist yet")

const frozenSum = "9870b6ba287a6e93694ca933ec4095988c73d23de0da3250f8171c53ad0e7841"

// The frozen file of a version opens for ever, and reads as it did.
func TestFrozenFileOpens(t *testing.T) {
	name := fmt.Sprintf("testdata/frozen/v%d.parts", version)
	if _, err := os.Stat(name); err != nil && *freeze {
		if err := os.WriteFile(name, encode(t, sample()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != frozenSum {
		t.Errorf("the frozen file has changed: SHA-256 %x", sum)
	}
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range sample() {
		if got, err := f.Section(i); err != nil || !bytes.Equal(got, s.Body) || f.Name(i) != s.Name {
			t.Errorf("section %d: %d bytes, %v", i, len(got), err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	var sections []Section
	for i := range 10_000 {
		sections = append(sections, Section{fmt.Sprintf("%06d", i), []byte("x")})
	}
	file := encode(b, sections)
	for b.Loop() {
		if _, err := Parse(file); err != nil {
			b.Fatal(err)
		}
	}
}
