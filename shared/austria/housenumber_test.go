package austria

import "testing"

// House numbers as the register and people write them.
func TestParseHouseNumber(t *testing.T) {
	for text, want := range map[string]string{
		"12": "12", "12a": "12a", "12 A": "12a", "12-14": "12-14", "12 - 14": "12-14", "12/3/4": "12/3/4", "12a/2": "12a/2",
		"12a-c": "12a-c", "12/Stg.2": "12/stg.2",
		"14-12": "14", "": "", "a": "", "0": "", "1234567": "", "-1": "", "/1": "",
	} {
		h, ok := ParseHouseNumber(text)
		if h.String() != want || ok != (want != "") {
			t.Errorf("%q: want %q, got %q, %v", text, want, h, ok)
		}
	}
}

// What a person means by a number, and what not.
func TestHouseNumberAnswers(t *testing.T) {
	for _, c := range []struct {
		number, asked string
		want          bool
	}{
		{"12", "12", true}, {"12a", "12", true}, {"12", "12a", false}, {"12a", "12a", true}, {"12b", "12a", false}, {"120", "12", false},
		{"12/3", "12", true}, {"12", "12/3", true}, {"12/3", "12/3/4", true}, {"12/2", "12/3/4", false}, {"10-14", "12", true},
		{"12", "10-14", true}, {"10-14", "15", false},
	} {
		n, _ := ParseHouseNumber(c.number)
		a, _ := ParseHouseNumber(c.asked)
		if n.Answers(a) != c.want {
			t.Errorf("%s asked as %s: want %v", c.number, c.asked, c.want)
		}
	}
	if (HouseNumber{}).Answers(HouseNumber{Low: 1, High: 1}) || (HouseNumber{Low: 1, High: 1}).Answers(HouseNumber{}) {
		t.Error("no number answers")
	}
}

// FuzzHouseNumber: a number that can be read answers itself.
func FuzzHouseNumber(f *testing.F) {
	for _, s := range []string{"12", "12a", "12-14", "12/3/4", "12a-c/2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, ok := ParseHouseNumber(s)
		if !ok {
			return
		}
		if !h.Answers(h) {
			t.Errorf("%q does not answer itself", s)
		}
	})
}
