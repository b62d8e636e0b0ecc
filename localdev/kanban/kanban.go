// Package kanban reads the completed tasks of a kanban board's JSON export, Trello's among them, as completions that
// the work feed takes. It knows the names that boards use and the bounds of the feed; what is sent, and when, is
// localdev/workpoll's.
package kanban

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mappe/functions/workfeed/worklog"
)

// Bounds of an export.
const (
	MaxBytes = 16 << 20
	maxTasks = 100_000
	maxLists = 10_000
)

// ErrNoBoard is that of an export that does not name its board, where Options do not either.
var ErrNoBoard = errors.New("the export does not name its board")

// DoneColumns are the usual names of columns and states that mean completed, in lower case.
var DoneColumns = []string{"done", "complete", "completed", "closed", "finished", "resolved", "shipped", "erledigt", "fertig",
	"abgeschlossen"}

// Options are what an export does not say.
type Options struct {
	Board string    // its name, where it is not the export's
	Done  []string  // columns or states that mean completed, see DoneColumns
	Now   time.Time // no task was completed later
}

// Export is what was read.
type Export struct {
	Tasks    int                  // of the board, completed or not
	Done     []worklog.Completion // in the order of the export, ready to be posted
	Problems []string             // of completed tasks that cannot be posted, one sentence each
}

// Read reads a board's export. It looks for what it needs under the names that boards use:
//
//	the board   {"board": "Atlas"} or {"name": ..} or {"title": ..}; Options.Board stands above it
//	the tasks   "tasks", "cards", "items" or "issues"; or "columns" or "lists" that hold them; or the
//	            whole file is the list
//	of a task   id: id, task_id, key · title: title, name, summary · text: summary, description, desc,
//	            body · assignee: assignee, assignees, owner, members (a text, an object with a name, a
//	            list) · column: column, status, state, list (a text, an object with a name) ·
//	            completed_at, completedAt, done_at, closed_at, finished_at, completed (a time)
//
// Trello's export names columns and members apart (idList, idMembers) and tells when a card came into its
// column in "actions"; both are followed. A task is completed when its column is one of the done ones, or,
// where it names no column, when it has a time of completion or says done or completed.
func Read(data []byte, o Options) (Export, error) {
	var x Export
	if len(data) > MaxBytes {
		return x, fmt.Errorf("the export has %d bytes: at most %d are read", len(data), MaxBytes)
	}
	var root any
	if err := json.Unmarshal(data, &root); err != nil {
		return x, fmt.Errorf("the export is not JSON: %w", err)
	}
	r := reader{done: map[string]bool{}, columns: map[string]string{}, members: map[string]string{}, arrived: map[string]time.Time{},
		seen: map[string]bool{}, x: &x, now: o.Now}
	for _, d := range o.Done {
		r.done[fold(d)] = true
	}
	top, isObject := root.(map[string]any)
	if r.board = o.Board; r.board == "" && isObject {
		r.board = named(first(top, "board", "name", "title"))
	}
	if r.board == "" {
		return x, ErrNoBoard
	}
	if isObject {
		r.index(top)
		return x, r.walk(top, "", 0)
	}
	list, isList := root.([]any)
	if !isList {
		return x, errors.New("the export is neither an object nor a list of tasks")
	}
	return x, r.tasks(list, "")
}
