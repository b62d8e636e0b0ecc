package toponyms

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"mappe/shared/spelling"
)

// Search finds names by their spelling. It is made once of the search section, and safe for concurrent use.
type Search struct {
	entries []Entry
	marks   []uint64 // a bit for each trigram, several to a bit
	sizes   []uint8  // trigrams of each entry, at most 255
}

// DecodeSearch reads the search section of any bytes, and says what it takes in memory.
func DecodeSearch(b []byte) (*Search, int64, error) {
	entries, err := decodeSearch(b)
	if err != nil {
		return nil, 0, err
	}
	s := &Search{entries: entries, marks: make([]uint64, len(entries)), sizes: make([]uint8, len(entries))}
	var buf []uint32
	text := int64(0)
	for i := range entries {
		buf = trigrams(buf[:0], entries[i].Key)
		s.marks[i], s.sizes[i] = marksOf(buf), uint8(min(len(buf), 255))
		text += int64(len(entries[i].Key))
	}
	return s, int64(len(entries))*73 + text, nil
}

// Key is a name as it is compared.
func Key(name string) string { return spelling.Fold(name) }

// trigrams appends the distinct trigrams of a folded name, rising. As in PostgreSQL's pg_trgm each word stands with two
// blanks before and one behind it; bytes count, which folded names have one a letter but for foreign scripts.
func trigrams(to []uint32, key string) []uint32 {
	for word := range strings.FieldsSeq(key) {
		window := uint32(' ')<<8 | ' '
		for i := range len(word) + 1 {
			c := byte(' ')
			if i < len(word) {
				c = word[i]
			}
			window = window<<8&0xFFFFFF | uint32(c)
			to = append(to, window)
		}
	}
	slices.Sort(to)
	return slices.Compact(to)
}

func bit(t uint32) int { return int(t * 2654435761 >> 26) }

func marksOf(list []uint32) (m uint64) {
	for _, t := range list {
		m |= 1 << bit(t)
	}
	return m
}

// similarity is how many of the trigrams of two names both have: shared by all, from 0 to 1.
func similarity(a, b []uint32) float64 {
	shared, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			shared++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	if all := len(a) + len(b) - shared; all > 0 {
		return float64(shared) / float64(all)
	}
	return 0
}

// LeastScore is the score of the worst match that is given.
const LeastScore = 0.55

// Match is a name that a search found.
type Match struct {
	Entry
	Score float64
}

// Find gives the names that are spelled like a text, scores from 1 (the same but for what folding makes the same) to
// least: shared trigrams by all trigrams of both. A name counts with the best of its spellings. Order: score, field names
// first, layer, key, number.
func (s *Search) Find(text string, least float64, pass func(*Entry) bool) []Match {
	key := Key(text)
	q := trigrams(nil, key)
	if len(q) == 0 {
		return nil
	}
	var qBits [64]uint8
	for _, t := range q {
		qBits[bit(t)]++
	}
	marks := marksOf(q)
	best := map[int]int{}
	var found []Match
	var buf []uint32
	for i := range s.entries {
		// shared ≥ least·(a+b)/(1+least), and no more trigrams can be shared than have their bit set in both.
		need := least * float64(len(q)+int(s.sizes[i])) / (1 + least)
		can := 0
		for m := marks & s.marks[i]; m != 0; m &= m - 1 {
			can += int(qBits[bits.TrailingZeros64(m)])
		}
		if float64(can) < need-1e-9 {
			continue
		}
		e := &s.entries[i]
		score := 1.0
		if e.Key != key {
			buf = trigrams(buf[:0], e.Key)
			score = min(similarity(q, buf), 0.999) // other words in the same letters are not the same
		}
		if score < least || !pass(e) {
			continue
		}
		if at, ok := best[e.Number]; ok {
			if found[at].Score < score {
				found[at].Score = score
			}
			continue
		}
		best[e.Number] = len(found)
		found = append(found, Match{*e, score})
	}
	slices.SortFunc(found, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(fieldsFirst(a.Layer), fieldsFirst(b.Layer)), cmp.Compare(a.Key, b.Key),
			cmp.Compare(a.Number, b.Number))
	})
	return found
}

// fieldsFirst orders layers with the field names in front.
func fieldsFirst(l Layer) int {
	if l == Ried {
		return -1
	}
	return int(l)
}

// Before is the order of names in a KG: field names first, then layer, name, id.
func Before(a, b *Name) int {
	return cmp.Or(cmp.Compare(fieldsFirst(a.Layer), fieldsFirst(b.Layer)), cmp.Compare(Key(a.Name), Key(b.Name)), cmp.Compare(a.ID, b.ID))
}
