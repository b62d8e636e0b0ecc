package index

import (
	"context"

	"mappe/functions/core/generation"
	"mappe/functions/core/proximity"
	"mappe/shared/web/reply"
)

// ways says what an answer has of the ways of the community map, which are under a licence of their own.
type ways int

const (
	noWays    ways = iota
	someWays       // segments: those of ways are told by the map
	allOfWays      // infrastructure: the licence of the map is that of the answer
)

// credited names the community map in an answer, where the generation has one.
func credited(ctx context.Context, c *country, a reply.Answer, of ways) (reply.Answer, error) {
	s, ok := a.(*reply.Stream)
	if !ok || of == noWays {
		return a, nil
	}
	n, err := proximity.Of(ctx, c.v)
	if n == nil || err != nil {
		return a, err
	}
	who := n.Attribution
	if g := generation.Of(c.v); g.Attribution != "" {
		who = g.Attribution + "; " + who
	}
	if of == allOfWays {
		s.Notice = &reply.Notice{License: proximity.License, LicenseURL: proximity.LicenseURL, Attribution: who, Dataset: notice.Dataset}
		return s, nil
	}
	s.Attribution = who
	s.Meta = append(s.Meta, reply.Member{Name: "infrastructure", Value: proximity.License})
	return s, nil
}
