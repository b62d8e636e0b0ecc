package workfeed

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"mappe/functions/workfeed/worklog"
	"mappe/shared/cloud/bearer"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// maxBody holds the longest texts, every character escaped.
const maxBody = 64 << 10

// completeBody is what a writer sends.
type completeBody struct {
	TaskID      string `json:"task_id" doc:"names the task on its board; 1 to 200 characters"`
	Board       string `json:"board" doc:"1 to 100 characters"`
	Assignee    string `json:"assignee,omitempty" doc:"who completed it; at most 100 characters"`
	Title       string `json:"title" doc:"1 to 300 characters; a tag may stand in front in brackets"`
	Summary     string `json:"summary,omitempty" doc:"plain text, at most 4000 characters; it is public"`
	CompletedAt string `json:"completed_at,omitempty" doc:"RFC 3339, not in the future; absent: now"`
}

var bComplete = endpoint.Body[completeBody]("a JSON object with task_id, board and title", maxBody)

func (s *service) complete() endpoint.Endpoint {
	same := entryBody{}
	return endpoint.Endpoint{
		Method: "POST", Path: "/work/complete", ID: "complete", Tag: "Write", Summary: "Record that a task is completed",
		Doc: "Needs `Authorization: Bearer TOKEN`. A task (board and task_id) is recorded once: 201 and its entry; the same again is 200 and the same entry, other content is 409. " +
			"A repeat that names no completed_at says nothing of it. With a header `Idempotency-Key` (1 to 255 characters, kept for seven days) other content under the same key is 409 too. " +
			"After an answer of 5xx, or none, the same request may be sent again.",
		Body: bComplete, Cache: endpoint.Live, Gate: s.bearers,
		Answer: endpoint.Answer{Status: http.StatusCreated, Body: same, Others: []endpoint.Other{
			{Status: http.StatusOK, Doc: "The task was recorded before, with the same content.", Body: same},
			{Status: http.StatusUnauthorized, Doc: "No token, or an unknown one.", Body: fault.Schema()},
			{Status: http.StatusForbidden, Doc: "The token may not write this board.", Body: fault.Schema()},
			{Status: http.StatusConflict, Doc: "The task, or the key, was recorded with other content.", Body: fault.Schema()},
		}},
		Example:     "/work/complete",
		ExampleBody: `{"task_id":"MAP-7","board":"Atlas","assignee":"Mira","title":"[design] Legend of the map","summary":"Nine classes, one colour each."}`,
		Serve:       s.serveComplete,
	}
}

type bearerKey struct{}

// bearers lets requests with a token pass, before their body is read.
func (s *service) bearers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse := func(f *fault.Fault) {
			reply.Fault(w, f, w.Header().Get("X-Request-Id"))
		}
		if s.log == nil {
			refuse(errNoLedger)
			return
		}
		scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || text == "" {
			w.Header().Set("WWW-Authenticate", `Bearer realm="work feed"`)
			refuse(fault.New(fault.Unauthorized, "a token is required: expected the header Authorization: Bearer TOKEN"))
			return
		}
		token, err := s.log.Bearer(r.Context(), strings.TrimSpace(text))
		switch {
		case bearer.Refused(err):
			w.Header().Set("WWW-Authenticate", `Bearer realm="work feed", error="invalid_token"`)
			refuse(fault.New(fault.Unauthorized, "the token is not known here, or was revoked"))
		case err != nil:
			refuse(fault.From(unavailable(err)))
		default:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), bearerKey{}, token)))
		}
	})
}

func (s *service) serveComplete(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	token, ok := ctx.Value(bearerKey{}).(worklog.Token)
	if !ok {
		return nil, errors.New("a request came past the gate")
	}
	c, err := s.completion(bComplete.Of(r))
	if err != nil {
		return nil, err
	}
	if !token.May(c.Board) {
		return nil, fault.Of(fault.Forbidden, "board", c.Board, "one of "+strings.Join(token.Boards, ", ")+", which this token may write")
	}
	if key, given := r.HTTP.Header["Idempotency-Key"]; given {
		if err := s.useKey(ctx, token, strings.Join(key, ","), c); err != nil {
			return nil, err
		}
	}
	e, created, err := s.log.Complete(ctx, c)
	switch {
	case errors.Is(err, worklog.ErrDiffers):
		return nil, fault.New(fault.Exists, "task %q of board %q was recorded with other content as entry %s: %s", fault.Shorten(c.TaskID),
			fault.Shorten(c.Board), e.ID, difference(&e, c))
	case err != nil:
		return nil, unavailable(err)
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return &reply.Document{Body: bodyOf(&e), Status: status}, nil
}

func (s *service) useKey(ctx context.Context, t worklog.Token, key string, c worklog.Completion) error {
	if len(key) == 0 || len(key) > 255 {
		return fault.BadValue("Idempotency-Key", key, "1 to 255 characters")
	}
	err := s.log.UseKey(ctx, t, key, c)
	if errors.Is(err, worklog.ErrDiffers) {
		return fault.Of(fault.Exists, "Idempotency-Key", key, "a key of its own for each completion: this one was sent with other content")
	}
	if err != nil {
		return unavailable(err)
	}
	return nil
}

// completion checks what was sent.
func (s *service) completion(b completeBody) (worklog.Completion, error) {
	for _, f := range []struct{ name, text string }{{"task_id", b.TaskID}, {"board", b.Board}, {"title", b.Title}} {
		if f.text == "" {
			return worklog.Completion{}, fault.Of(fault.Missing, f.name, "", "a text that is not empty")
		}
	}
	c := worklog.Completion{TaskID: b.TaskID, Board: b.Board, Assignee: b.Assignee, Title: b.Title, Summary: b.Summary}
	if b.CompletedAt != "" {
		t, err := time.Parse(time.RFC3339Nano, b.CompletedAt)
		if err != nil || t.IsZero() {
			return c, fault.BadValue("completed_at", b.CompletedAt, "an RFC 3339 time such as 2026-11-01T09:30:00Z")
		}
		c.CompletedAt = t
	}
	c, err := c.Normal(s.now())
	var invalid *worklog.Invalid
	if errors.As(err, &invalid) {
		return c, fault.BadValue(invalid.Field, invalid.Value, invalid.Expected)
	}
	return c, err
}

// difference names the first field that a repeat tells otherwise.
func difference(e *worklog.Entry, c worklog.Completion) string {
	for _, f := range []struct{ name, was, is string }{
		{"assignee", e.Assignee, c.Assignee}, {"title", e.Title, c.Title}, {"summary", e.Summary, c.Summary},
		{"completed_at", instant(e.CompletedAt), instant(c.CompletedAt)},
	} {
		if f.was != f.is {
			return f.name + " was \"" + fault.Shorten(f.was) + "\""
		}
	}
	return "it differs"
}
