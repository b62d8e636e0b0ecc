package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	documents "mappe/localdev/node/api/documents/v3alpha"
	"mappe/localdev/node/blocks"
	"mappe/localdev/node/ident"
)

// entry is a completed task of a work feed.
type entry struct {
	TaskID      string `json:"task_id"`
	Board       string `json:"board"`
	Assignee    string `json:"assignee"`
	Title       string `json:"title"`
	Summary     string `json:"summary"`
	ID          string `json:"id"`
	CompletedAt string `json:"completed_at"`
}

// maxPages bounds how far back a feed is read.
const maxPages = 1000

// publishFeed makes a document of each entry of a work feed, at the entry's id below the address. What is there already and says the
// same is left as it is, so that the command may be repeated.
func (a *app) publishFeed(feed string, to ident.IRI, key string) error {
	u, err := url.Parse(feed)
	if err != nil {
		return err
	}
	wrote, same := 0, 0
	for range maxPages {
		raw, err := a.fetch(u.String())
		if err != nil {
			return err
		}
		var page struct {
			Entries []entry `json:"entries"`
			More    bool    `json:"more"`
			Before  string  `json:"before"`
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return fmt.Errorf("%s is no work feed: %w", u, err)
		}
		for _, e := range page.Entries {
			changed, err := a.publishEntry(e, to, key)
			if err != nil {
				return fmt.Errorf("entry %s: %w", e.ID, err)
			}
			if changed {
				wrote++
			} else {
				same++
			}
		}
		if !page.More || page.Before == "" {
			fmt.Fprintf(a.out, "published %d entries below %s; %d were there\n", wrote, to, same)
			return nil
		}
		q := u.Query()
		q.Set("before", page.Before)
		u.RawQuery = q.Encode()
	}
	return fmt.Errorf("%s has more than %d pages", feed, maxPages)
}

func (a *app) publishEntry(e entry, to ident.IRI, key string) (changed bool, err error) {
	if e.ID == "" || strings.Contains(e.ID, "/") || e.Title == "" {
		return false, errors.New("expected an id without / and a title")
	}
	if to.Path, err = ident.ParsePath(string(to.Path) + "/" + e.ID); err != nil {
		return false, err
	}
	draft := &blocks.Draft{Metadata: map[string]any{"name": e.Title, "board": e.Board, "task_id": e.TaskID, "completed_at": e.CompletedAt}}
	if e.Assignee != "" {
		draft.Metadata["assignee"] = e.Assignee
	}
	for text := range strings.SplitSeq(e.Summary, "\n\n") {
		if text = strings.TrimSpace(text); text != "" {
			draft.Content = append(draft.Content, &documents.BlockNode{Block: &documents.Block{Type: "Paragraph", Text: text}})
		}
	}
	blocks.Name(draft.Content)
	_, changed, err = a.write(to, draft, key)
	return changed, err
}
