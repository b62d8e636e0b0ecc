package font

import "testing"

func FuzzMended(f *testing.F) {
	for _, style := range []Style{Regular, Italic} {
		face, err := Open(Libertine, style)
		if err != nil {
			f.Fatal(err)
		}
		s, err := face.Subset([]uint16{1, 40, 41, 42})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(s.CFF)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		once, err := mended(b)
		if err != nil {
			return
		}
		if twice, err := mended(once); err != nil || string(twice) != string(once) {
			t.Fatalf("mended again it is another program (%v)", err)
		}
	})
}
