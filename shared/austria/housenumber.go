package austria

import (
	"cmp"
	"strconv"
	"strings"
)

// HouseNumber is a house number (Hausnummer) taken apart. The zero value is unset.
type HouseNumber struct {
	Low, High uint32 // of 12-14: 12 and 14; else the same number twice
	Letter    string // of 12a: a; small letters
	Units     string // of 12/3/4: 3/4; stair (Stiege), door and what else stands behind
}

// ParseHouseNumber reads 12, 12a, 12 A, 12-14, 12a-c, 12/3/4 and 12/Stg.2; false where no number stands in front.
func ParseHouseNumber(s string) (HouseNumber, bool) {
	s = strings.ToLower(strings.Join(strings.Fields(s), ""))
	head, units, _ := strings.Cut(s, "/")
	low, rest := leadingNumber(head)
	if low == 0 {
		return HouseNumber{}, false
	}
	h := HouseNumber{Low: low, High: low, Units: strings.Trim(units, "/")}
	if first, last, ranged := strings.Cut(rest, "-"); ranged {
		if n, tail := leadingNumber(last); n > 0 && tail == "" && first == "" {
			h.High, rest = max(n, low), ""
		}
	}
	h.Letter = strings.Trim(rest, ".-")
	return h, true
}

// leadingNumber reads up to six digits in front; 0 if there are no digits or more than six.
func leadingNumber(s string) (n uint32, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 || i > 6 {
		return 0, s
	}
	v, _ := strconv.ParseUint(s[:i], 10, 32) // at most six digits
	return uint32(v), s[i:]
}

// Compare orders house numbers as they stand along a street.
func (h HouseNumber) Compare(o HouseNumber) int {
	return cmp.Or(cmp.Compare(h.Low, o.Low), cmp.Compare(h.Letter, o.Letter), cmp.Compare(h.High, o.High), cmp.Compare(h.Units, o.Units))
}

// Answers says whether a house of the number h is one that a person means by asked: the same number and letter,
// where asked has one; a number within 12-14; and of stair and door what both name.
func (h HouseNumber) Answers(asked HouseNumber) bool {
	if asked.Low == 0 || h.High < asked.Low || h.Low > asked.High {
		return false
	}
	if asked.Letter != "" && h.Letter != asked.Letter {
		return false
	}
	for a, b := h.Units, asked.Units; a != "" && b != ""; {
		var x, y string
		x, a, _ = strings.Cut(a, "/")
		y, b, _ = strings.Cut(b, "/")
		if x != y {
			return false
		}
	}
	return true
}

func (h HouseNumber) String() string {
	if h.Low == 0 {
		return ""
	}
	s := strconv.FormatUint(uint64(h.Low), 10)
	if h.High != h.Low {
		s += "-" + strconv.FormatUint(uint64(h.High), 10)
	}
	if s += h.Letter; h.Units != "" {
		s += "/" + h.Units
	}
	return s
}
