package area

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"mappe/shared/web/fault"
)

func TestCodes(t *testing.T) {
	places := [][2]string{{"40301", "Gossendorf"}, {"40302", "Gössendorf"}, {"40303", "Sankt Veit"}, {"40304", "St. Veit"}, {"40303",
		"Sankt Veit"}, {"40305", ""}}
	of := func(i int) (string, string) { return places[i][0], places[i][1] }
	for text, want := range map[string]string{"Gössendorf": "[40302]", "GOSSENDORF": "[40301]", "Goessendorf": "[40301 40302]", "Sankt Veit": "[40303]",
		"sankt veit": "[40303]", "Sankt  Veit": "[40303 40304]", " 40309 ": "[40309]", "40301": "[40301]"} {
		got, err := Municipalities.codes("gemeinde", text, len(places), of)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"": "the name or the code of a municipality", "Gosendorf": "Gossendorf", "?": "the name of a municipality"} {
		_, err := Municipalities.codes("gemeinde", text, len(places), of)
		if f := (*fault.Fault)(nil); !errors.As(err, &f) || f.Code != fault.NotFound || !strings.Contains(f.Error(), want) {
			t.Errorf("%q: %v, want a 404 with %q", text, err, want)
		}
	}
	for level, numbers := range map[*Level][]string{&Municipalities: {"403", "0", "01234", "403011"}, &Districts: {"1", "40301", "040"}} {
		for _, text := range numbers {
			_, err := level.codes("in", text, len(places), of)
			if f := (*fault.Fault)(nil); !errors.As(err, &f) || f.Code != fault.Invalid || !strings.Contains(f.Error(), "or its code: ") {
				t.Errorf("%s %q: %v, want a 400 that says what a code is", level.one, text, err)
			}
		}
	}
	if got, err := Districts.codes("district", "403", 0, of); err != nil || fmt.Sprint(got) != "[403]" {
		t.Errorf("the code of a district: %v, %v", got, err)
	}
	var all Chosen
	one := Chosen{true, []string{"403"}}
	if !all.Has("x") || !one.Has("403") || one.Has("404") {
		t.Error("a request that names none has all, one that names some has them")
	}
}
