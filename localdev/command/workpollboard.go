package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"mappe/functions/workfeed/worklog"
)

// Bounds of an export.
const (
	maxExport = 16 << 20 // bytes
	maxTasks  = 100_000
	maxLists  = 10_000
)

// doneColumns are the names of columns and states that mean completed, in lower case.
var doneColumns = []string{"done", "complete", "completed", "closed", "finished", "resolved", "shipped", "erledigt", "fertig", "abgeschlossen"}

// export is a kanban board as its JSON export tells it.
type export struct {
	Tasks    int                  // of the board, completed or not
	Done     []worklog.Completion // in the order of the export, ready to be posted
	Problems []string             // of completed tasks that cannot be posted, one sentence each
}

// readExport reads a board's export. It looks for what it needs under the names that boards use:
//
//	the board   {"board": "Atlas"} or {"name": ..} or {"title": ..}; --board-name stands above it
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
func readExport(data []byte, boardName string, done []string, now time.Time) (export, error) {
	var x export
	if len(data) > maxExport {
		return x, fmt.Errorf("the export has %d bytes: at most %d are read", len(data), maxExport)
	}
	var root any
	if err := json.Unmarshal(data, &root); err != nil {
		return x, fmt.Errorf("the export is not JSON: %w", err)
	}
	r := exportReader{done: map[string]bool{}, columns: map[string]string{}, members: map[string]string{}, arrived: map[string]time.Time{}, seen: map[string]bool{}, x: &x, now: now}
	for _, d := range done {
		r.done[fold(d)] = true
	}
	top, isObject := root.(map[string]any)
	if r.board = boardName; r.board == "" && isObject {
		r.board = named(first(top, "board", "name", "title"))
	}
	if r.board == "" {
		return x, errors.New("the export does not name its board: give it with --board-name")
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

type exportReader struct {
	board            string
	done             map[string]bool
	columns, members map[string]string    // names by id
	arrived          map[string]time.Time // cards into their column
	seen             map[string]bool
	x                *export
	now              time.Time
}

// index notes what tasks refer to by id.
func (r *exportReader) index(top map[string]any) {
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
		if at, ok := moment(a["date"]); ok && id != "" && r.done[fold(named(into))] && at.After(r.arrived[id]) && len(r.arrived) < maxTasks {
			r.arrived[id] = at
		}
	}
}

// walk reads the tasks of an object: of the board, or of one of its columns.
func (r *exportReader) walk(o map[string]any, column string, depth int) error {
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

func (r *exportReader) tasks(list []any, column string) error {
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

func (r *exportReader) problem(form string, args ...any) {
	if len(r.x.Problems) < 1000 {
		r.x.Problems = append(r.x.Problems, fmt.Sprintf(form, args...))
	}
}

func (r *exportReader) task(t map[string]any, column string) {
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
	c := worklog.Completion{TaskID: oneLine(id), Board: oneLine(r.board), Assignee: clip(r.assignee(t), worklog.MaxAssignee), Title: clip(oneLine(scalar(titled)), worklog.MaxTitle), CompletedAt: at}
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
func (r *exportReader) assignee(t map[string]any) string {
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

// first is the first member that is there and says something.
func first(o map[string]any, names ...string) any {
	for _, n := range names {
		switch v := o[n].(type) {
		case nil:
		case string:
			if strings.TrimSpace(v) != "" {
				return v
			}
		default:
			return v
		}
	}
	return nil
}

// named is a text, or the name of an object.
func named(v any) string {
	if o, ok := v.(map[string]any); ok {
		return scalar(first(o, "name", "fullName", "displayName", "title", "username", "login", "id"))
	}
	return scalar(v)
}

// scalar is a text or a number as text.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

func listOf(v any) []map[string]any {
	list, _ := v.([]any)
	var out []map[string]any
	for _, one := range list {
		if o, ok := one.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

// moment reads a time: RFC 3339, a date, Unix seconds or milliseconds.
func moment(v any) (time.Time, bool) {
	switch v := v.(type) {
	case string:
		for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
			if t, err := time.Parse(layout, strings.TrimSpace(v)); err == nil && t.Unix() >= 0 {
				return t, true
			}
		}
	case float64:
		if v > 0 && v < 1e11 {
			return time.UnixMilli(int64(math.Round(v * 1000))), true
		}
		if v >= 1e11 && v < 1e14 {
			return time.UnixMilli(int64(v)), true
		}
	}
	return time.Time{}, false
}

func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// oneLine puts a blank in the place of what a title cannot hold.
func oneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return allowed(r)
	}, s))
}

func lines(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return ' '
		}
		return allowed(r)
	}, strings.ReplaceAll(s, "\r\n", "\n")))
}

// allowed leaves out what the feed refuses: marks that turn the direction of text, and no characters.
func allowed(r rune) rune {
	if r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfffe || r == 0xffff {
		return -1
	}
	return r
}

// clip shortens a text to most characters, an ellipsis among them: boards hold longer ones than the feed.
func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:most-1])) + "…"
}
