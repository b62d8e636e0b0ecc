package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxNear bounds the names that are told.
const maxNear = 5

// spelling is an endpoint that is asked for names near to one of which nothing was found, and where its answer has them.
type spelling struct {
	call  call
	names func(body []byte) []string
	among string // of what the names are
}

// suggested are the suggestions of a search: texts one typing error away.
func suggested(body []byte) []string {
	var b struct {
		Meta struct{ Suggestions []string }
	}
	_ = json.Unmarshal(body, &b) // another shape has none
	return b.Meta.Suggestions
}

// named are the names of rows.
func named(body []byte) []string {
	var b struct{ Data []struct{ Name string } }
	_ = json.Unmarshal(body, &b) // another shape has none
	var names []string
	for _, row := range b.Data {
		if !slices.Contains(names, row.Name) {
			names = append(names, row.Name)
		}
	}
	return names
}

// spell adds the names that are near to one of which nothing was found. Without them the answer stays as it is.
func (t *tool) spell(ctx context.Context, c *content, words string, who client) {
	for i := range t.near {
		s := &t.near[i]
		query := url.Values{"q": {words}, "limit": {strconv.Itoa(maxNear)}}
		got, err := asking{call: &s.call, target: s.call.endpoint.Path + "?" + query.Encode(), bound: maxAnswer}.do(ctx, who)
		if err != nil || got.refusal() != "" {
			continue
		}
		names := s.names(got.body)
		if len(names) == 0 {
			continue
		}
		names = names[:min(len(names), maxNear)]
		if list, err := json.Marshal(names); err == nil {
			c.Answer["suggestions"] = list
		}
		c.Uncertainty = append(c.Uncertainty, fmt.Sprintf("Nothing here is named %q; near to it are %s: %s.", words, s.among,
			strings.Join(names, ", ")))
		return
	}
}
