package mosaic

import "testing"

// An orthophoto is near a date by days, whatever the year.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		a, b string
		days float64
	}{{"20220128", "20220915", 230}, {"20221027", "20220915", 42}, {"20240625", "20240915", 82}} {
		if got := apart(c.a, c.b).Hours() / 24; got != c.days {
			t.Errorf("%s and %s: %g days, expected %g", c.a, c.b, got, c.days)
		}
	}
	if apart("summer", "20220915") <= farthest {
		t.Error("an invalid date is near")
	}
}
