package examples

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"mappe/localdev/kanban"
	"mappe/localdev/state"
	"mappe/localdev/workpoll"
)

// boardTasks is a made-up kanban board of a made-up team. Hours is how long ago a task was completed.
var boardTasks = []struct {
	id, title, summary, assignee, column string
	hours                                int
}{
	{"ATLAS-1", "[research] Which land-use codes the demo country needs",
		"Nine of the old codes and all 26 valid ones occur; forests are 55, 56 and 58.", "Mira Example", "Done", 170},
	{"ATLAS-2", "[design] Colours of the land-use classes", "Nine classes, told apart also by people who confuse red and green.",
		"Jon Example", "Done", 121},
	{"ATLAS-3", "[design] Legend beside the map", "It folds away on a phone.", "Jon Example", "Done", 98},
	{"ATLAS-4", "[validation] Parcel areas against the register",
		"The drawn areas of all KGs add up to the register's within the stated tolerance.", "Mira Example", "Done", 52},
	{"ATLAS-5", "[research] How often clocks change in the zones of the audience", "", "Ida Example", "Done", 30},
	{"ATLAS-6", "Print sheet of the river town", "A3, 1:2,000, with the numbers of the parcels.", "Ida Example", "Done", 6},
	{"ATLAS-7", "[validation] Addresses that stand on no parcel", "", "Mira Example", "Doing", 0},
	{"ATLAS-8", "[design] Second sheet", "", "", "Backlog", 0},
}

// boardExport is the board as a program would export it.
func boardExport(now time.Time) ([]byte, error) {
	type task struct {
		ID          string `json:"id"`
		Title       string `json:"title"`
		Description string `json:"description,omitempty"`
		Assignee    string `json:"assignee,omitempty"`
		Column      string `json:"column"`
		CompletedAt string `json:"completed_at,omitempty"`
	}
	board := struct {
		Board string `json:"board"`
		Tasks []task `json:"tasks"`
	}{Board: "Demo atlas"}
	for _, t := range boardTasks {
		one := task{ID: t.id, Title: t.title, Description: t.summary, Assignee: t.assignee, Column: t.column}
		if t.column == "Done" {
			one.CompletedAt = now.Add(-time.Duration(t.hours) * time.Hour).UTC().Truncate(time.Minute).Format(time.RFC3339)
		}
		board.Tasks = append(board.Tasks, one)
	}
	return json.MarshalIndent(board, "", "  ")
}

// SeedWork reports the tasks of the board, which Write has written, through the API, with a token that ends with
// it, so that the feed shows something. A ledger that has been written to is left alone.
func (s Seed) SeedWork(ctx context.Context, out io.Writer) error {
	l, err := state.OpenWorkLog(ctx, s.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	if m, err := l.Settle(ctx); err != nil || m.Slot > 0 {
		return err
	}
	path := filepath.Join(s.Dir, Dir, Board)
	t, text, err := l.AddToken(ctx, "demo board", []string{"Demo atlas"})
	if err != nil {
		return err
	}
	p := workpoll.Poller{Board: path, URL: s.Base + "/workfeed", Token: text, Done: kanban.DoneColumns}
	err = p.Run(ctx, io.Discard)
	if revoked := l.RevokeToken(ctx, t.ID); err == nil {
		err = revoked
	}
	if err == nil {
		fmt.Fprintf(out, "work feed: the completed tasks of %s are recorded\n", path)
	}
	return err
}
