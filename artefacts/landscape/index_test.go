package landscape

import (
	"bytes"
	"testing"

	"mappe/artefacts/internal/column/columntest"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
)

// An index has every KG by code, in whatever order they were added, and the same KGs give the same bytes.
func TestIndexComesBack(t *testing.T) {
	make := func(order ...string) []byte {
		x := NewIndexBuilder()
		for _, code := range order {
			if code == "00001" {
				x.Unprocessed(Empty("00001"))
				continue
			}
			k := sample(7)
			k.KGCode, k.Segments, k.Parcels = code, k.Segments[:9], k.Parcels[:9]
			if err := x.Add(k, "landscape/"+code); err != nil {
				t.Fatal(err)
			}
		}
		b, err := x.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := make("56538", "00001", "56537")
	if !bytes.Equal(b, make("56537", "56538", "00001")) {
		t.Error("another order makes other bytes")
	}
	entries, err := ReadEntries(b)
	if err != nil || len(entries) != 3 || entries[0].KGCode != "00001" || entries[0].Processed || !entries[2].Processed ||
		entries[2].File != "landscape/56538" {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	f, err := sectionfile.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{Built.Of("56537"), Land.Of("56538"), Built.RangeSection(), Land.RangeSection(), TopTrees.Section(0)} {
		if _, ok := f.Find(name); !ok {
			t.Errorf("no section %s", name)
		}
	}
	x := NewIndexBuilder()
	x.Unprocessed(Empty("00001"))
	x.Unprocessed(Empty("00001"))
	if _, err := x.Encode(); err == nil {
		t.Error("a KG twice: no error")
	}
}

func TestQuality(t *testing.T) {
	best := Empty("00001")
	best.MeanConfidence, best.RFMeanConfidence, best.RFDivergedPct, best.BuildingCount, best.Segments = 1, 1, 0, 0, 9
	best.ElevationMean, best.NDVIMean, best.HarmonicMean = 500, 0.5, 0.5
	none := Empty("00001")
	rules := best
	rules.RFMeanConfidence, rules.MeanConfidence = none.RFMeanConfidence, 0.5
	for name, c := range map[string]struct {
		r     Record
		score float64
		grade string
	}{"all": {best, 100, "A"}, "nothing": {none, 0, "F"}, "without a model": {rules, 76.9, "B"}} {
		if score, grade := Quality(&c.r); score != c.score || grade != c.grade {
			t.Errorf("%s: %g %s, want %g %s", name, score, grade, c.score, c.grade)
		}
	}
}

// Sections of the index are read of any bytes.
func FuzzIndex(f *testing.F) {
	k := sample(5)
	add := func(b []byte, err error) {
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	add(encodeEntries([]Entry{{Summary: k.Summary, File: "x"}}))
	add(encodeRanges([]Range{RangeOf("56537", k.Buildings, Built.Columns)}, Built.Columns))
	figures, err := FiguresOf(k.Buildings)
	if err != nil {
		f.Fatal(err)
	}
	add(figures.encode())
	add(encodeBest([]Best{bestOf("56537", k.Parcels)}))
	add(TopTrees.encode([]Top[Tree]{{"56537", k.Trees[0]}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		columntest.Bounded(t, len(b), func() {
			_, _, _ = DecodeEntries(b)
			_, _, _ = DecodeRanges(Built, b)
			_, _, _ = TopTrees.Decode(b)
			_, _, _ = DecodeBest(b)
			_, _, _ = DecodeFigures(b)
			_, _ = ReadEntries(b)
		})
	})
}

// An earlier index and its state of any bytes open or are refused. What their checksums guard is fuzzed by itself, in FuzzIndex.
func FuzzOpenEarlier(f *testing.F) {
	x := NewIndexBuilder()
	k := sample(5)
	k.Segments, k.Parcels, k.Buildings = k.Segments[:5], k.Parcels[:5], k.Buildings[:5]
	if err := x.Add(k, "landscape/56537"); err != nil {
		f.Fatal(err)
	}
	index, err := x.Encode()
	if err != nil {
		f.Fatal(err)
	}
	state, err := x.State(index)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := OpenEarlier(index, state); err != nil {
		f.Fatal(err)
	}
	f.Add(index, state)
	f.Add(index[:len(index)/2], state)
	f.Add(index, state[:len(state)/2])
	f.Fuzz(func(t *testing.T, index, state []byte) {
		columntest.Bounded(t, len(index)+len(state), func() {
			_, _ = readState(state, nameOf(index))
			if e, err := OpenEarlier(index, state); err == nil {
				_ = NewIndexBuilder().TakeOver(e, func(austria.KGCode) bool { return true })
			}
		})
	})
}
