package register

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mappe/shared/austria"
)

// A KG is found where a search through all finds it; where a code would stand is said of any text.
func TestIndex(t *testing.T) {
	c := Contents{}
	for _, n := range []int{0, 1, 7, 1004, 5001, 5002, 59_999, 92_006, 99_999} {
		k := KG{}
		k.Code = austria.KGCode(fmt.Sprintf("%05d", n))
		c.KGs = append(c.KGs, k)
	}
	r := &Register{contents: c}
	var codes []austria.KGCode
	for i := range c.KGs {
		codes = append(codes, c.KGs[i].Code)
	}
	asked := append(slices.Clone(codes), "", "0", "0000", "00002", "05003", "99998", "9999", "999990", "0000a", "/0000", "99:99", "ab", "١٢")
	for _, p := range []byCode{byCodeOf(codes), nil, byCodeOf(nil)} {
		r.byCode = p
		for _, code := range asked {
			want, ok := slices.BinarySearchFunc(c.KGs, code, func(k KG, code austria.KGCode) int {
				return strings.Compare(string(k.Code), string(code))
			})
			if got, found := r.Index(code); got != want || found != ok {
				t.Errorf("%q: got %d %v, want %d %v", code, got, found, want, ok)
			}
			if k := r.KG(code); (k != nil) != ok || ok && k.Code != code {
				t.Errorf("%q: got the KG %+v", code, k)
			}
		}
	}
	if p := byCodeOf(make([]austria.KGCode, 1<<16)); p != nil {
		t.Error("more KGs than a place can number have a table")
	}
}
