package headcache

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"mappe/artefacts/sectionfile"
)

func sample() map[string]Front {
	return map[string]Front{
		"national/osm-nearest-0123456789abcdef.parts": {Size: 1 << 30, Bytes: bytes.Repeat([]byte("front "), 900)},
		"cells/dict/0123456789abcdef.zdict":           {Size: 3, Bytes: []byte{1, 2, 3}},
	}
}

func same(a, b Front) bool { return a.Size == b.Size && bytes.Equal(a.Bytes, b.Bytes) }

func TestFrontsAreReadAsWritten(t *testing.T) {
	b, err := Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(b)
	if err != nil || !maps.EqualFunc(got, sample(), same) {
		t.Fatalf("%v, %d fronts: %v", err, len(got), got)
	}
	again, err := Encode(sample())
	if err != nil || !bytes.Equal(b, again) {
		t.Fatal("the same fronts give other bytes", err)
	}
}

func TestDamagedFronts(t *testing.T) {
	good, err := Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	other, err := sectionfile.Encode(sectionfile.Family{'o', 't', 'h', 'r'}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	short, err := sectionfile.Encode(Family, nil, []sectionfile.Section{{Name: "a", Body: []byte("1234567")}})
	if err != nil {
		t.Fatal(err)
	}
	longer, err := sectionfile.Encode(Family, nil, []sectionfile.Section{{Name: "a", Body: []byte("\x01\x00\x00\x00\x00\x00\x00\x00two")}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		body []byte
		want string
	}{
		"another family":          {other, "family"},
		"cut off":                 {good[:len(good)-1], "its head says"},
		"no length":               {short, "at least 8"},
		"longer than its object":  {longer, "first 3 bytes of 1"},
		"larger than is read":     {make([]byte, MaxFile+1), "at most"},
		"a bit of a front turned": {append(bytes.Clone(good[:len(good)-1]), good[len(good)-1]^1), "checksum"},
	} {
		if _, err := Decode(c.body); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
	}
}

func TestLength(t *testing.T) {
	file, err := sectionfile.Encode(Family, nil, []sectionfile.Section{{Name: "a", Body: bytes.Repeat([]byte{7}, 1000)}})
	if err != nil {
		t.Fatal(err)
	}
	front, err := sectionfile.FrontLength(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key  string
		size int64
		want int64
	}{{"x.parts", 1 << 30, front}, {"x.zdict", 16 << 10, 16 << 10}, {"x.zdict", MaxFront, MaxFront}, {"x.zdict", MaxFront + 1, 0}} {
		if n, err := Length(c.key, file, c.size); err != nil || n != c.want {
			t.Errorf("%s of %d bytes: %d, %v; expected %d", c.key, c.size, n, err, c.want)
		}
	}
	if _, err := Length("x.parts", []byte("no such file"), 12); err == nil {
		t.Error("a file of another form has a front")
	}
}

func FuzzDecode(f *testing.F) {
	b, err := Encode(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := Decode(b); err == nil {
			if _, err := Encode(got); err != nil {
				t.Error(err)
			}
		}
	})
}
