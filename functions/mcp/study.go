package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"mappe/shared/web/fault"
)

// A study is a question about an area that takes seconds to minutes. It is asked in the background; a tool waits for it for as
// long as a model does for an answer, else it gives the name of the task, by which it is asked again.
const (
	studyWait = 12 * time.Second
	studyPoll = 150 * time.Millisecond
	maxRows   = 50 // features that an answer lists
)

// study is how a tool asks about an area.
type study struct {
	call  call // the endpoint; its body is the area
	tasks call // progress of tasks
	ended call // their results
	// outlines and parcels give the areas of KGs and parcels.
	outlines, parcels call

	rank    func(feature) float64 // rows stand by it, the greatest first; nil: there are no rows
	rankBy  string                // in words
	columns []string              // of a row
	rows    int                   // listed where the client does not say
	about   []string              // members of meta that are told
	words   func(map[string]json.RawMessage)

	patience time.Duration
}

// calls are all endpoints of a study.
func (s *study) calls() []*call {
	return []*call{&s.call, &s.tasks, &s.ended, &s.outlines, &s.parcels}
}

// taskState is a task as endpoints tell of it.
type taskState struct {
	TaskID   string  `json:"task_id"`
	Status   string  `json:"status"`
	Active   bool    `json:"active"`
	Step     string  `json:"step"`
	Fraction float64 `json:"fraction"`
	Elapsed  float64 `json:"elapsed"`
}

// studied is what a tool over areas answers: a summary, or the task that is not over. The text says why there is no summary.
func (t *tool) studied(ctx context.Context, q studyQuestion, of date, who from) (*content, string, error) {
	if q.task == "" {
		id, why, err := t.study.begin(ctx, q, who)
		if err != nil || why != "" {
			return nil, why, err
		}
		q.task = id
	}
	state, why, err := t.study.wait(ctx, q.task, who)
	if err != nil || why != "" {
		return nil, why, err
	}
	if state.Active {
		return t.unfinished(state, of, who), "", nil
	}
	return t.finished(ctx, q, of, who)
}

// begin asks the question, and gives the task.
func (s *study) begin(ctx context.Context, q studyQuestion, who from) (id, why string, err error) {
	body, why, err := s.area(ctx, q, who)
	if err != nil || why != "" {
		return "", why, err
	}
	values := q.values
	values.Set("async", "true")
	got, err := asking{call: &s.call, target: s.call.endpoint.Path + "?" + values.Encode(), body: body}.do(ctx, who.client)
	if err != nil {
		return "", "", err
	}
	if why := got.refusal(); why != "" {
		return "", why, nil
	}
	var begun taskState
	if err := json.Unmarshal(got.body, &begun); err != nil || begun.TaskID == "" {
		return "", "", fmt.Errorf("task of %s: %w", s.call.id, err)
	}
	return begun.TaskID, "", nil
}

// wait looks at a task until it is over, or the time is.
func (s *study) wait(ctx context.Context, id string, who from) (state taskState, why string, err error) {
	until := time.Now().Add(cmp.Or(s.patience, studyWait))
	for {
		got, err := s.tasks.about(id).do(ctx, who.client)
		if err != nil {
			return state, "", err
		}
		if why := got.refusal(); why != "" {
			return state, why, nil
		}
		if err := json.Unmarshal(got.body, &state); err != nil {
			return state, "", fmt.Errorf("progress of a task: %w", err)
		}
		if !state.Active || time.Now().After(until) {
			return state, "", nil
		}
		select {
		case <-ctx.Done():
			return state, "", ctx.Err()
		case <-time.After(studyPoll):
		}
	}
}

// about asks an endpoint of tasks for one of them.
func (c *call) about(task string) asking {
	return asking{call: c, target: c.endpoint.Path + "?" + url.Values{"task_id": {task}}.Encode()}
}

// unfinished tells of a task that is not over, and how it is asked again.
func (t *tool) unfinished(state taskState, of date, who from) *content {
	task, _ := json.Marshal(map[string]any{"task_id": state.TaskID, "status": "running", "step": state.Step, "fraction": state.Fraction,
		"elapsed_s": state.Elapsed})
	c := &content{Answer: map[string]json.RawMessage{"task": task}, Date: of, Sources: []source{t.noticed(nil)},
		Uncertainty: []string{fmt.Sprintf("The area is still being worked on: call %s with task_id=%q alone in some seconds. The result "+
			"is kept for 7 days.", t.name, state.TaskID)}}
	c.Links = t.studyLinks(t.study.tasks.about(state.TaskID), "Progress", who)
	return c
}

func (t *tool) studyLinks(a asking, title string, who from) []link {
	return []link{{title, who.base + a.call.of.prefix + a.target}, {"Documentation", who.base + a.call.of.prefix + "/docs"}}
}

// noticed is whose data a study holds; header is that of its result.
func (t *tool) noticed(header http.Header) source {
	s := sourceOf(t.study.call.of.service.Notice, t.study.call.of.dataset)
	if who := header.Get("X-Data-Attribution"); who != "" {
		s.Attribution = who
	}
	return s
}

// finished reads the result of a task.
func (t *tool) finished(ctx context.Context, q studyQuestion, of date, who from) (*content, string, error) {
	s := t.study
	a := s.ended.about(q.task)
	d := digest{rank: s.rank, columns: s.columns, most: q.rows}
	whole := a
	whole.target += "&redirect=false" // a large one, too, is read here
	header, why, err := whole.stream(ctx, who.client, d.read)
	if err != nil || why != "" {
		return nil, why, err
	}
	if d.strange {
		return nil, fmt.Sprintf("the task %s is of another question than those of %s", fault.Shorten(q.task), t.name), nil
	}
	c := &content{Answer: map[string]json.RawMessage{}, Date: d.date(of), Sources: []source{t.noticed(header)},
		Uncertainty: append(slices.Clone(t.caution), d.warnings()...)}
	for _, name := range []string{"summary", "data"} {
		if v := d.members[name]; v != nil {
			c.Answer[name] = v
		}
	}
	if s.words != nil {
		s.words(c.Answer)
	}
	about := map[string]json.RawMessage{}
	for _, name := range s.about {
		if v := d.meta[name]; v != nil {
			about[name] = v
		}
	}
	c.put("about", about)
	c.put("task_id", q.task)
	c.Links = t.studyLinks(a, "The whole result", who)
	if s.rank != nil {
		c.Total = &d.features
	}
	if !d.within(c, q.bound) {
		return nil, fmt.Sprintf("the answer is larger than %s=%d: give a larger one, at most %d", maxKB, q.bound>>10, mostKB), nil
	}
	if n := c.rows; n > 0 {
		c.Uncertainty = append(c.Uncertainty, fmt.Sprintf("answer.data lists %d of %d, %s.", n, d.features, s.rankBy))
	}
	return c, "", nil
}

// put sets a member of the answer.
func (c *content) put(name string, v any) {
	if b, err := json.Marshal(v); err == nil { // it is made of JSON
		c.Answer[name] = b
	}
}

// stream asks an endpoint whose answer is too large to be held, and gives it to read as it comes.
func (a asking) stream(ctx context.Context, who client, read func(io.Reader) error) (http.Header, string, error) {
	h, err := a.call.of.handler()
	if err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	r, err := a.request(ctx, who)
	if err != nil {
		return nil, "", err
	}
	from, to := io.Pipe()
	w := &piped{header: http.Header{}, to: to, begun: make(chan struct{}), status: http.StatusOK}
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil { // an answer that is cut
				err = fmt.Errorf("%s broke off: %v", a.call.id, p)
			}
			w.begin()
			to.CloseWithError(err)
		}()
		h.ServeHTTP(w, r)
	}()
	defer from.Close()
	<-w.begun
	if w.status >= http.StatusBadRequest {
		body, err := io.ReadAll(io.LimitReader(from, maxAnswer))
		return nil, answered{w.status, w.header, body}.refusal(), err
	}
	if err := read(from); err != nil {
		return nil, "", fmt.Errorf("result of %s: %w", a.call.id, err)
	}
	_, err = io.Copy(io.Discard, from)
	return w.header, "", err
}

// piped passes an answer on while it is written.
type piped struct {
	header http.Header
	status int
	to     *io.PipeWriter
	begun  chan struct{}
	is     bool
}

func (w *piped) Header() http.Header { return w.header }

func (w *piped) WriteHeader(status int) {
	if !w.is {
		w.status = status
		w.begin()
	}
}

func (w *piped) Write(p []byte) (int, error) {
	w.begin()
	return w.to.Write(p)
}

func (w *piped) begin() {
	if !w.is {
		w.is = true
		close(w.begun)
	}
}

// area is the body of a question: the area that the client gives, a box, or the outlines of a KG or of parcels.
func (s *study) area(ctx context.Context, q studyQuestion, who from) (json.RawMessage, string, error) {
	if q.area != nil {
		return q.area, "", nil
	}
	c, values := &s.parcels, url.Values{"ids": {q.parcels}, "format": {"geojson"}}
	if q.kg != "" {
		c, values = &s.outlines, url.Values{"code": {q.kg}, "format": {"geojson"}}
	}
	got, err := asking{call: c, target: c.endpoint.Path + "?" + values.Encode(), most: 4 << 20}.do(ctx, who.client)
	if err != nil {
		return nil, "", err
	}
	if why := got.refusal(); why != "" {
		return nil, why, nil
	}
	var found struct {
		Features []struct{ Geometry json.RawMessage }
	}
	if err := json.Unmarshal(got.body, &found); err != nil {
		return nil, "", fmt.Errorf("outlines of %s: %w", c.id, err)
	}
	parts := [][]byte{}
	for _, f := range found.Features {
		if len(f.Geometry) > 0 && string(f.Geometry) != "null" {
			parts = append(parts, f.Geometry)
		}
	}
	if len(parts) == 0 {
		return nil, "nothing is drawn there: " + q.kg + q.parcels + " is not known, or its snapshot is not at hand", nil
	}
	return slices.Concat([]byte(`{"type":"GeometryCollection","geometries":[`), bytes.Join(parts, []byte(",")), []byte(`]}`)), "", nil
}
