package examples

import (
	"encoding/json"
	"testing"
	"time"

	"mappe/localdev/kanban"
)

// The feed takes each completed task of the board.
func TestBoardIsRead(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	b, err := boardExport(now)
	if err != nil || !json.Valid(b) {
		t.Fatal(err)
	}
	x, err := kanban.Read(b, kanban.Options{Done: kanban.DoneColumns, Now: now})
	if err != nil || len(x.Done) != 6 || len(x.Problems) != 0 || x.Tasks != 8 {
		t.Errorf("%d of %d tasks, %v, %v", len(x.Done), x.Tasks, x.Problems, err)
	}
}
