package kanban

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"mappe/functions/workfeed/worklog"
)

var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

const plainBoard = `{"board":"Atlas","tasks":[
 {"id":7,"title":"[design] Legend","description":"Nine classes.","assignee":{"name":"Mira"},"status":"Done","completed_at":"2026-11-20T10:00:00Z"},
 {"id":"8","title":"Open","column":"Doing","completed_at":"2026-11-20T10:00:00Z"},
 {"id":"9","title":"Told\nby time","assignees":["Jon",{"displayName":"Ida"},"Jon"],"finished_at":1795248000},
 {"id":"10","title":"Neither column nor time"},
 {"id":"11","name":"Flag","done":true,"owner":"Mira"},
 {"id":"12","title":"Tomorrow","status":"done","completed_at":"2026-11-22T10:00:00Z"},
 {"id":"7","title":"Twice","status":"done"},
 {"title":"No id","status":"done"}, 5]}`

const trelloBoard = `{"name":"Survey","lists":[{"id":"l1","name":"To do"},{"id":"l2","name":"Done"}],
 "members":[{"id":"m1","fullName":"Mira Example","username":"mira"}],
 "cards":[{"id":"c1","name":"[research] Borders","desc":"Two lines\r\nof text","idList":"l2","idMembers":["m1"],"dateLastActivity":"2026-11-19T00:00:00.000Z"},
  {"id":"c2","name":"Open","idList":"l1","idMembers":[]},{"id":"c3","name":"No action","idList":"l2","idMembers":["gone"]}],
 "actions":[{"type":"updateCard","date":"2026-11-18T08:00:00.000Z","data":{"card":{"id":"c1"},"listBefore":{"name":"To do"},"listAfter":{"name":"Done"}}},
  {"type":"updateCard","date":"2026-11-18T07:00:00.000Z","data":{"card":{"id":"c1"},"listAfter":{"name":"Done"}}},
  {"type":"updateCard","date":"2026-11-18T09:00:00.000Z","data":{"card":{"id":"c1"},"listAfter":{"name":"To do"}}}]}`

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, export, board string
		tasks               int
		want                []worklog.Completion
		problems            []string
	}{
		{"plain", plainBoard, "", 9, []worklog.Completion{
			{TaskID: "7", Board: "Atlas", Assignee: "Mira", Title: "[design] Legend", Summary: "Nine classes.",
				CompletedAt: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)},
			{TaskID: "9", Board: "Atlas", Assignee: "Jon, Ida", Title: "Told by time", CompletedAt: time.Unix(1795248000, 0).UTC()},
			{TaskID: "11", Board: "Atlas", Assignee: "Mira", Title: "Flag"},
		}, []string{`task "12": completed_at`, `task "7" stands there twice`, `task "": task_id`, "no object"}},
		{"Trello", trelloBoard, "", 3, []worklog.Completion{
			{TaskID: "c1", Board: "Survey", Assignee: "Mira Example", Title: "[research] Borders", Summary: "Two lines\nof text",
				CompletedAt: time.Date(2026, 11, 18, 8, 0, 0, 0, time.UTC)},
			{TaskID: "c3", Board: "Survey", Assignee: "gone", Title: "No action"},
		}, nil},
		{"columns that hold tasks", `{"title":"B","columns":[{"name":"Done","cards":[{"key":"K-1","summary":"Title","assignee":null}]},{"name":"New","cards":[{"key":"K-2","summary":"x"}]}]}`, "", 2,
			[]worklog.Completion{{TaskID: "K-1", Board: "B", Title: "Title"}}, nil},
		{"a bare list", `[{"id":"a","title":"x","status":{"name":"Closed"},"completed_at":"2026-11-01"}]`, "Mine", 1,
			[]worklog.Completion{{TaskID: "a", Board: "Mine", Title: "x", CompletedAt: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}}, nil},
		{"long texts", `{"board":"B","tasks":[{"id":"a","title":"` + strings.Repeat("ä", 400) + `","desc":"` + strings.Repeat("b ",
			3000) + `","status":"done"}]}`, "", 1,
			[]worklog.Completion{{TaskID: "a", Board: "B", Title: strings.Repeat("ä", 299) + "…",
				Summary: strings.TrimSpace(strings.Repeat("b ", 3999/2)+"b") + "…"}}, nil},
	} {
		x, err := Read([]byte(c.export), Options{c.board, DoneColumns, now})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if x.Tasks != c.tasks || !reflect.DeepEqual(x.Done, c.want) {
			t.Errorf("%s: %d tasks\nwant %+v\ngot  %+v", c.name, x.Tasks, c.want, x.Done)
		}
		if len(x.Problems) != len(c.problems) {
			t.Errorf("%s: problems %q", c.name, x.Problems)
			continue
		}
		for i, p := range c.problems {
			if !strings.Contains(x.Problems[i], p) {
				t.Errorf("%s: want %q in %q", c.name, p, x.Problems[i])
			}
		}
	}
	for export, holds := range map[string]string{
		"[]": "does not name its board", `{"tasks":[]}`: "does not name its board", "5": "does not name its board", "{": "not JSON",
		"": "not JSON",
		`{"board":"B","tasks":[` + strings.Repeat("1,", maxTasks) + `1]}`: "more than 100000 tasks",
		strings.Repeat(" ", MaxBytes+1):                                   "at most",
	} {
		if _, err := Read([]byte(export), Options{"", DoneColumns, now}); err == nil || !strings.Contains(err.Error(), holds) {
			t.Errorf("%.20q: want %q, got %v", export, holds, err)
		}
	}
}

// FuzzRead: whatever a file holds, each task it gives can be posted.
func FuzzRead(f *testing.F) {
	f.Add([]byte(plainBoard))
	f.Add([]byte(trelloBoard))
	f.Add([]byte(`{"board":"B","columns":[{"name":"Done","items":[{"id":1e300,"title":"\u202ex\u0000"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := Read(data, Options{"", DoneColumns, now})
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, c := range x.Done {
			n, err := c.Normal(now)
			if err != nil || n != c || seen[c.TaskID] {
				t.Fatalf("%+v: %v", c, err)
			}
			seen[c.TaskID] = true
		}
	})
}
