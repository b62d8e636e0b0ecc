package source

import (
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// Log gathers findings: the first of each type one by one, the rest as the count of the last.
type Log struct {
	Found []finding.Finding
	limit int
	of    map[finding.Type]*told
}

type told struct{ n, last int }

// NewLog makes an empty list.
func NewLog(l Limits) *Log { return &Log{limit: l.Findings, of: map[finding.Type]*told{}} }

// Add reports a finding.
func (g *Log) Add(t finding.Type, place manuscript.Place, excerpt, detail string) {
	f := finding.New(t, place, Line(excerpt))
	f.Detail = finding.Excerpt(Line(detail))
	g.Put(f)
}

// Drop reports a finding with which a text is left out.
func (g *Log) Drop(t finding.Type, place manuscript.Place, left, detail string) {
	f := finding.Leave(t, place, Line(left))
	f.Detail = finding.Excerpt(Line(detail))
	g.Put(f)
}

// Put reports a finding as it is.
func (g *Log) Put(f finding.Finding) {
	seen := g.of[f.Type]
	if seen == nil {
		seen = &told{}
		g.of[f.Type] = seen
	}
	if seen.n >= g.limit && f.Left == "" { // what is left out is told place by place
		g.Found[seen.last].Count += f.Count
		return
	}
	seen.n++
	seen.last = len(g.Found)
	g.Found = append(g.Found, f)
}
