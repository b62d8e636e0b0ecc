package manifest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mappe/shared/austria"
)

func codes(list ...austria.KGCode) []austria.KGCode { return list }

func TestPublicationsSince(t *testing.T) {
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var log Publications
	log = log.Next(at, "a", codes("01001", "01002"))
	log = log.Next(at.Add(time.Hour), "b", codes("01002"))
	log = log.Next(at.Add(2*time.Hour), "c", codes("01003", "01002"))
	for _, c := range []struct {
		since string
		want  []austria.KGCode
		ok    bool
	}{
		{"2026-11-01T12:00:00.000Z", codes("01002", "01003"), true},
		{"2026-11-01T13:00:00.000Z", codes("01002", "01003"), true},
		{"2026-11-01T14:00:00.000Z", nil, true},
		{"2026-11-01T13:30:00.000Z", nil, false}, // of no publication
		{"2026-11-01T15:00:00.000Z", nil, false},
		{"2026-11-01T11:00:00.000Z", nil, false},
		{"", nil, false},
	} {
		if got, ok := log.Since(c.since); ok != c.ok || !slices.Equal(got, c.want) {
			t.Errorf("since %s: want %v %v, got %v %v", c.since, c.want, c.ok, got, ok)
		}
	}
	body, err := Encode(log)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := ParsePublications(body); err != nil || fmt.Sprint(back) != fmt.Sprint(log) {
		t.Errorf("read back: %v %v", back, err)
	}
}

// A clock that stands still or is set back still gives rising dates.
func TestPublicationsRise(t *testing.T) {
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var log Publications
	for i := range 5 {
		log = log.Next(at.Add(-time.Duration(i)*time.Minute), fmt.Sprint(i), nil)
	}
	if got := log.Entries[4].At; got != "2026-11-01T12:00:00.004Z" {
		t.Errorf("got %s", got)
	}
}

// The log reaches back seven days, or 100,000 KGs.
func TestPublicationsAreBounded(t *testing.T) {
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var log Publications
	for day := range 30 {
		log = log.Next(at.Add(time.Duration(day)*24*time.Hour), fmt.Sprint(day), codes("01001"))
	}
	if n, first := len(log.Entries), log.Entries[0].At; n != 8 || first != "2026-11-23T12:00:00.000Z" {
		t.Errorf("%d entries from %s", n, first)
	}
	log = log.Next(at.Add(365*24*time.Hour), "later", nil)
	if n := len(log.Entries); n != 1 {
		t.Errorf("a year later: %d entries", n)
	}
	var whole []austria.KGCode
	for i := range 30_000 {
		whole = append(whole, austria.KGCode(fmt.Sprintf("%05d", i+10_000)))
	}
	log = Publications{}
	for i := range 10 {
		log = log.Next(at.Add(time.Duration(i)*time.Second), fmt.Sprint(i), whole)
	}
	if n := len(log.Entries); n != 4 {
		t.Errorf("of publications of the whole country: want 3 and the one they begin from, got %d", n)
	}
}

func FuzzPublications(f *testing.F) {
	f.Add([]byte(`{"format":2,"entries":[{"published_at":"2026-11-01T12:00:00.000Z","generation":"a","cells":["01001"]}]}`))
	f.Add([]byte(`{"format":2,"entries":[{"published_at":"x"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		log, err := ParsePublications(b)
		if err != nil {
			return
		}
		next := log.Next(time.Unix(0, 0), "g", nil)
		body, err := Encode(next)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParsePublications(body); err != nil {
			t.Errorf("a log that was read has a next one that cannot be: %v", err)
		}
	})
}
