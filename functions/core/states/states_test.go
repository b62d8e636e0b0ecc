package states

import (
	"strings"
	"testing"

	"mappe/shared/austria"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]austria.StateCode{"5": "5", "Salzburg": "5", "KÄRNTEN": "2", "Kaernten": "2",
		"nieder österreich": "3", "wien": "9"} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"0": "by digit or name: 1 Burgenland", "Salzburk": "did you mean", "": "by digit or name",
		"AT": "by digit or name"} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"AT", "at", "Österreich"} {
		if got, err := ParseOrCountry(text); err != nil || got != Country {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if got, err := ParseOrCountry("tirol"); err != nil || got != "7" {
		t.Errorf("%q, %v", got, err)
	}
}
