package availability

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"mappe/shared/austria"
)

func gone(code austria.KGCode, n int64) Evicted {
	return Evicted{Code: code, Sum: strings.Repeat("a", 64), Bytes: n}
}

func TestTheIndexChanges(t *testing.T) {
	x := Index{Format: 1}.With(gone("01004", 4), gone("01002", 2), gone("01003", 3)).With(gone("01003", 33))
	want := Index{Format: 1, KGs: []Evicted{gone("01002", 2), gone("01003", 33), gone("01004", 4)}}
	if !reflect.DeepEqual(x, want) {
		t.Errorf("%+v", x)
	}
	if !x.Has("01003", strings.Repeat("a", 64)) || x.Has("01003", strings.Repeat("b", 64)) || x.Has("01005", strings.Repeat("a", 64)) {
		t.Error("Has")
	}
	if y := x.Without("01002", "09999"); len(y.KGs) != 2 || len(x.KGs) != 3 {
		t.Errorf("%+v, earlier %+v", y, x)
	}
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Parse(b); err != nil || !reflect.DeepEqual(got, x) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatIsRefused(t *testing.T) {
	for name, x := range map[string]Index{
		"a newer format": {Format: 2}, "no format": {}, "a code": {Format: 1, KGs: []Evicted{gone("1004", 1)}},
		"bytes": {Format: 1, KGs: []Evicted{gone("01004", -1)}},
		"order": {Format: 1, KGs: []Evicted{gone("01004", 1), gone("01003", 1)}}, "a sum": {Format: 1, KGs: []Evicted{{Code: "01004"}}},
	} {
		b, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(b); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if _, err := Parse(make([]byte, MaxBytes+1)); err == nil {
		t.Error("too many bytes are read")
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte(`{"format":1,"evicted":[{"kg_code":"01004","sha256":"` + strings.Repeat("a", 64) + `","bytes":1}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := Parse(b)
		if err != nil {
			return
		}
		for _, e := range x.KGs {
			if !x.Has(e.Code, e.Sum) || x.Without(e.Code).Has(e.Code, e.Sum) {
				t.Errorf("%+v", e)
			}
		}
	})
}
