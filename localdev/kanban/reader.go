package kanban

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mappe/functions/workfeed/worklog"
)

// reader is the state of one reading.
type reader struct {
	board            string
	done             map[string]bool
	columns, members map[string]string    // names by id
	arrived          map[string]time.Time // cards into their column
	seen             map[string]bool
	x                *Export
	now              time.Time
}

// index notes what tasks refer to by id.
func (r *reader) index(top map[string]any) {
	for _, name := range []string{"lists", "columns"} {
		for _, l := range listOf(top[name]) {
			if id := scalar(first(l, "id")); id != "" && len(r.columns) < maxLists {
				r.columns[id] = named(l)
			}
		}
	}
	for _, name := range []string{"members", "users"} {
		for _, m := range listOf(top[name]) {
			if id := scalar(first(m, "id")); id != "" && len(r.members) < maxTasks {
				r.members[id] = named(m)
			}
		}
	}
	for _, a := range listOf(top["actions"]) {
		data, _ := a["data"].(map[string]any)
		card, _ := data["card"].(map[string]any)
		into, _ := data["listAfter"].(map[string]any)
		id := scalar(card["id"])
		if at, ok := moment(a["date"]); ok && id != "" && r.done[fold(named(into))] && at.After(r.arrived[id]) &&
			len(r.arrived) < maxTasks {
			r.arrived[id] = at
		}
	}
}

// walk reads the tasks of an object: of the board, or of one of its columns.
func (r *reader) walk(o map[string]any, column string, depth int) error {
	for _, name := range []string{"tasks", "cards", "items", "issues"} {
		if list, ok := o[name].([]any); ok {
			if err := r.tasks(list, column); err != nil {
				return err
			}
		}
	}
	if depth > 0 {
		return nil
	}
	for _, name := range []string{"columns", "lists"} {
		for _, c := range listOf(o[name]) {
			if err := r.walk(c, named(c), depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) tasks(list []any, column string) error {
	if r.x.Tasks += len(list); r.x.Tasks > maxTasks {
		return fmt.Errorf("the export has more than %d tasks", maxTasks)
	}
	for _, one := range list {
		if t, ok := one.(map[string]any); ok {
			r.task(t, column)
		} else {
			r.problem("a task is no object")
		}
	}
	return nil
}

func (r *reader) problem(form string, args ...any) {
	if len(r.x.Problems) < 1000 {
		r.x.Problems = append(r.x.Problems, fmt.Sprintf(form, args...))
	}
}

func (r *reader) task(t map[string]any, column string) {
	if own := named(first(t, "column", "status", "state", "list")); own != "" {
		column = own
	} else if id := scalar(t["idList"]); id != "" {
		column = r.columns[id]
	}
	id := scalar(first(t, "id", "task_id", "key"))
	at, timed := moment(first(t, "completed_at", "completedAt", "done_at", "closed_at", "finished_at", "completed"))
	if column != "" && !r.done[fold(column)] || column == "" && !timed && t["done"] != true && t["completed"] != true {
		return
	}
	if !timed {
		at = r.arrived[id] // zero where nothing tells it: the feed takes its own clock
	}
	titled := first(t, "title", "name", "summary")
	c := worklog.Completion{TaskID: oneLine(id), Board: oneLine(r.board), Assignee: clip(r.assignee(t), worklog.MaxAssignee),
		Title: clip(oneLine(scalar(titled)), worklog.MaxTitle), CompletedAt: at}
	if text := scalar(first(t, "summary", "description", "desc", "body")); text != scalar(titled) {
		c.Summary = clip(lines(text), worklog.MaxSummary)
	}
	c, err := c.Normal(r.now)
	switch {
	case err != nil:
		r.problem("task %.60q: %v", id, err)
	case r.seen[c.TaskID]:
		r.problem("task %.60q stands there twice: the first counts", id)
	default:
		r.seen[c.TaskID] = true
		r.x.Done = append(r.x.Done, c)
	}
}

// assignee is who the task names; of several all, in their order.
func (r *reader) assignee(t map[string]any) string {
	v := first(t, "assignee", "assignees", "owner", "members", "idMembers")
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var names []string
	for _, one := range list[:min(len(list), 20)] {
		name := named(one)
		if known := r.members[name]; known != "" {
			name = known
		}
		if name = oneLine(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
