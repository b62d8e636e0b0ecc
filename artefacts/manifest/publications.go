package manifest

import (
	"fmt"
	"slices"
	"time"

	"mappe/artefacts/keys"
	"mappe/shared/austria"
)

// The log of publications says which KGs changed when, so that who mirrors the artefacts asks for those only. It is an
// immutable object that the pointer names: who loses the race for the pointer has written a log that nobody reads, and
// the pointer never names one without itself. Its clock is the pointer's, and enters no other artefact.

// Retention is how far back the log reaches.
const Retention = 7 * 24 * time.Hour

// maxLogged bounds the KG codes of a log: beyond, the oldest publications are left out.
const maxLogged = 100_000

// TimeFormat is how publications are dated: UTC, milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z"

// Publications is the log, the oldest first. Each entry says what changed since the one before it; what the first one
// changed is not known.
type Publications struct {
	Format  int           `json:"format"`
	Entries []Publication `json:"entries"`
}

// Publication is one move of the pointer.
type Publication struct {
	At         string           `json:"published_at"`
	Generation string           `json:"generation"`
	Cells      []austria.KGCode `json:"cells"` // KGs whose cells, or what is known of their changes, are others than before
}

// Next is the log with one more publication. Its date is after that of every other.
func (l Publications) Next(now time.Time, generation string, cells []austria.KGCode) Publications {
	at := now.UTC().Truncate(time.Millisecond)
	if n := len(l.Entries); n > 0 {
		if last, err := time.Parse(TimeFormat, l.Entries[n-1].At); err == nil && !at.After(last) {
			at = last.Add(time.Millisecond)
		}
	}
	if cells == nil {
		cells = []austria.KGCode{}
	}
	next := Publications{Format: Format, Entries: append(slices.Clone(l.Entries), Publication{at.Format(TimeFormat), generation, cells})}
	return next.bounded(at)
}

// bounded leaves out what is too old or too much; the newest entry stays.
func (l Publications) bounded(now time.Time) Publications {
	oldest := now.Add(-Retention).Format(TimeFormat)
	codes := 0
	for i := len(l.Entries) - 1; i > 0; i-- {
		codes += len(l.Entries[i].Cells)
		if codes > maxLogged || l.Entries[i-1].At < oldest {
			l.Entries = l.Entries[i:]
			break
		}
	}
	return l
}

// Since are the KGs whose cells changed after a publication of the log, in rising order; false where the log does not
// reach back to it, or has no publication of that date.
func (l Publications) Since(at string) ([]austria.KGCode, bool) {
	i := slices.IndexFunc(l.Entries, func(p Publication) bool { return p.At == at })
	if i < 0 {
		return nil, false
	}
	var codes []austria.KGCode
	for _, p := range l.Entries[i+1:] {
		codes = append(codes, p.Cells...)
	}
	slices.Sort(codes)
	return slices.Compact(codes), true
}

// ParsePublications reads a log.
func ParsePublications(b []byte) (Publications, error) {
	var l Publications
	if err := decode(b, &l); err != nil {
		return l, fmt.Errorf("publications: %w", err)
	}
	if l.Format < 1 || l.Format > Format {
		return l, fmt.Errorf("publications: format %d, this program reads 1 to %d", l.Format, Format)
	}
	for i, p := range l.Entries {
		if _, err := time.Parse(TimeFormat, p.At); err != nil {
			return l, fmt.Errorf("publications: entry %d: date %.40q", i, p.At)
		}
		if i > 0 && p.At <= l.Entries[i-1].At {
			return l, fmt.Errorf("publications: entry %d of %s is not after the one before", i, p.At)
		}
		for _, c := range p.Cells {
			if got, err := austria.ParseKGCode(string(c)); err != nil || got != c {
				return l, fmt.Errorf("publications: entry %d: KG code %.10q", i, c)
			}
		}
	}
	return l, nil
}

// checkLog proves that what the pointer says of its log is a date and a key.
func (p *Pointer) checkLog() error {
	if p.PublishedAt != "" {
		if _, err := time.Parse(TimeFormat, p.PublishedAt); err != nil {
			return fmt.Errorf("published_at %.40q", p.PublishedAt)
		}
	}
	if p.Publications != "" {
		if _, err := keys.Parse(p.Publications); err != nil {
			return err
		}
	}
	return nil
}
