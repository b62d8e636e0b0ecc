package directory

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/blevesearch/vellum"
	"github.com/blevesearch/vellum/levenshtein"
)

// Words is the transducer of the folded words. Its methods are safe for concurrent use.
type Words struct {
	fst *vellum.FST
	n   int
}

// encodeWords makes the transducer of rising words; the value of a word is its place among them.
func encodeWords(words []string) ([]byte, error) {
	var b bytes.Buffer
	w, err := vellum.New(&b, nil)
	if err != nil {
		return nil, fmt.Errorf("directory: words: %w", err)
	}
	for i, word := range words {
		if err := w.Insert([]byte(word), uint64(i)); err != nil {
			return nil, fmt.Errorf("directory: word %.80q: %w", word, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("directory: words: %w", err)
	}
	return b.Bytes(), nil
}

// OpenWords opens the section of the words. The library trusts its bytes, so they are held to their digest first.
func OpenWords(h *Head, body []byte) (*Words, int64, error) {
	if digest(body) != h.words {
		return nil, 0, errors.New("directory: the digest of the words does not fit")
	}
	fst, err := vellum.Load(body)
	if err != nil {
		return nil, 0, fmt.Errorf("directory: words: %w", err)
	}
	return &Words{fst, fst.Len()}, int64(len(body)), nil
}

// Prefix gives the words that begin so: from lo up to hi.
func (w *Words) Prefix(prefix string) (lo, hi int) {
	lo = w.from([]byte(prefix))
	end := []byte(prefix)
	for len(end) > 0 && end[len(end)-1] == 0xff {
		end = end[:len(end)-1]
	}
	if len(end) == 0 {
		return lo, w.n
	}
	end[len(end)-1]++
	return lo, w.from(end)
}

// from is the first word that is not before key, or the number of words.
func (w *Words) from(key []byte) int {
	it, err := w.fst.Iterator(key, nil)
	if err != nil { // vellum.ErrIteratorDone: none
		return w.n
	}
	_, v := it.Current()
	return min(int(v), w.n)
}

// Find gives a word.
func (w *Words) Find(word string) (i int, ok bool) {
	v, ok, err := w.fst.Get([]byte(word))
	return int(v), ok && err == nil && v < uint64(w.n)
}

// maxNear bounds the words that one is mistyped from.
const maxNear = 64

// Near are the words that are one typing error away, at most maxNear, rising.
func (w *Words) Near(word string) ([]string, error) {
	b, err := levenshtein.NewLevenshteinAutomatonBuilder(1, true)
	if err != nil {
		return nil, fmt.Errorf("directory: near %.80q: %w", word, err)
	}
	dfa, err := b.BuildDfa(word, 1)
	if err != nil {
		return nil, fmt.Errorf("directory: near %.80q: %w", word, err)
	}
	var out []string
	it, err := w.fst.Search(dfa, nil, nil)
	for ; err == nil && len(out) < maxNear; err = it.Next() {
		key, _ := it.Current()
		if string(key) != word {
			out = append(out, string(key))
		}
	}
	if err != nil && !errors.Is(err, vellum.ErrIteratorDone) {
		return nil, fmt.Errorf("directory: near %.80q: %w", word, err)
	}
	return out, nil
}
