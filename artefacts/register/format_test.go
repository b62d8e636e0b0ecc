package register

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/internal/column/columntest"
)

func TestEncodeRefusesDisorder(t *testing.T) {
	for want, spoil := range map[string]func(*Contents){
		"expected rising codes": func(c *Contents) { c.KGs[1].Code = c.KGs[0].Code },
		"expected 5 digits":     func(c *Contents) { c.KGs[0].Code = "1004" },
		"municipalities":        func(c *Contents) { c.Municipalities[0].Code = "99999" },
		"districts":             func(c *Contents) { c.Districts[0].Code = "999" },
		"rising OKZ":            func(c *Contents) { c.Localities[0].OKZ = 1 << 20 },
		"postal places":         func(c *Contents) { c.PLZ[0].PLZ = "9999" },
		"count -1":              func(c *Contents) { c.KGs[0].ParcelCount = -1 },
		"FAR":                   func(c *Contents) { c.KGs[0].AvgFAR = -1 },
	} {
		c := country(120, 1)
		spoil(c)
		if _, err := Encode(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

var freeze = flag.Bool("freeze", false, "write the frozen file of the current version anew")

// The frozen file of each version opens for ever and means what it meant.
func TestFrozenFiles(t *testing.T) {
	newest := fmt.Sprintf("testdata/v%d", format.Version)
	if *freeze {
		c := country(24, 3)
		for i := range c.KGs {
			if c.KGs[i].Snapshot.Key == "" {
				c.KGs[i].ToleranceM = 60
			}
		}
		_, b := reopen(t, c)
		if err := os.WriteFile(newest+".reg", b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for v := 1; v <= int(format.Version); v++ {
		name := fmt.Sprintf("testdata/v%d", v)
		b, err := os.ReadFile(name + ".reg")
		if err != nil {
			t.Fatal(err)
		}
		if got := int(binary.LittleEndian.Uint16(b[8:])); got != v {
			t.Errorf("%s.reg is of version %d", name, got)
		}
		r, err := Open(b)
		if err != nil {
			t.Fatal(err)
		}
		c, err := r.Contents()
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Appendf(nil, "%+v", *c)
		if v < 4 { // which had no weights of postal places, and neither had the sums
			text = bytes.ReplaceAll(text, []byte(" Weight:0}"), []byte("}"))
		}
		got := fmt.Sprintf("%x\n", sha256.Sum256(text))
		if *freeze && name == newest {
			if err := os.WriteFile(name+".sha256", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(name + ".sha256"); err != nil || got != string(want) {
			t.Errorf("the contents of %s changed: want %s, got %s (%v)", name, want, got, err)
		}
	}
}

func TestEveryBrokenByteIsNoticed(t *testing.T) {
	_, good := reopen(t, country(12, 1))
	for i := range good {
		b := bytes.Clone(good)
		b[i] ^= 0x40
		if _, err := Open(b); err == nil {
			t.Fatalf("byte %d changed and nobody noticed", i)
		}
		if _, err := Open(good[:i]); err == nil {
			t.Fatalf("cut to %d bytes and nobody noticed", i)
		}
	}
}

// Columns that stand in a section of their own have a row for each of the table that they are of.
func TestColumnsOfAnotherLengthAreRefused(t *testing.T) {
	_, good := reopen(t, country(12, 1))
	for _, name := range []string{"tol ", "prov", "plzw"} {
		for _, by := range []int{-1, 1} {
			b := bytes.Clone(good)
			e := b[24+24*slices.Index(format.Sections, name):]
			if string(e[:4]) != name {
				t.Fatalf("%q stands where %s is looked for", e[:4], name)
			}
			binary.LittleEndian.PutUint32(e[16:], uint32(int(binary.LittleEndian.Uint32(e[16:]))+by))
			if _, err := Open(reseal(b)); err == nil || !strings.Contains(err.Error(), "differ in number") {
				t.Errorf("%s with %+d rows: %v", name, by, err)
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	_, good := reopen(f, country(12, 1))
	f.Add(uint32(0), uint32(0), byte(0))
	f.Add(uint32(300), uint32(2), byte(9))
	f.Fuzz(func(t *testing.T, at, n uint32, v byte) {
		b := bytes.Clone(good)
		for k := range n % 8 {
			b[(at+k*37)%uint32(len(b))] ^= v + byte(k)
		}
		columntest.Bounded(t, len(b), func() {
			r, err := Open(reseal(b))
			if err != nil {
				return
			}
			r.Contents()
			r.Candidates(r.contents.KGs[0].Centroid)
			r.MunicipalityAt(r.contents.KGs[0].Centroid)
		})
	})
}

func BenchmarkOpen(b *testing.B) {
	_, data := reopen(b, country(7850, 19))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(data))/1e6, "MB")
}
