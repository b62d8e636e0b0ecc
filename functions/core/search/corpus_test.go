package search

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// No row that answers a query is missing from the candidates.
func TestCandidatesHoldEveryAnswer(t *testing.T) {
	words := []string{"sankt", "st.", "bad", "ischl", "groß", "enzersdorf", "au", "dorf", "101", "00804", "3100", "-"}
	phrase := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 3).Draw(t, "words"),
			rapid.SampledFrom([]string{" ", "-", ""}).Draw(t, "between"))
	})
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(phrase, 0, 8).Draw(t, "names")
		codes := rapid.SliceOfN(rapid.StringMatching(`[0-9]{5}|00804`), len(names), len(names)).Draw(t, "codes")
		more := rapid.SliceOfN(phrase, len(names), len(names)).Draw(t, "further")
		further := func(i int) []string { return []string{fold(more[i]).words} }
		c := corpusOf(len(names), func(i int) (string, folded, []string) { return codes[i], fold(names[i]), further(i) })
		q := queryOf(phrase.Draw(t, "query"))
		candidates := c.candidates(&q)
		if !slices.IsSorted(candidates) || len(slices.Compact(slices.Clone(candidates))) != len(candidates) {
			t.Fatalf("candidates %v", candidates)
		}
		for i, name := range names {
			if q.of(codes[i], fold(name), further(i)...) != none && !slices.Contains(candidates, i) {
				t.Fatalf("%q answers %q and is no candidate", name, q.code+"/"+q.words)
			}
		}
	})
}
