package tasks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"mappe/functions/core/shares"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/spool"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// Works computes what was asked in the background:
//
//	question ──▶ its generation, or the newest ──▶ Task.Run ──▶ object of the share ──▶ its record ──▶ done
//
// A worker that dies leaves the task to another, which finds the share of one that had come so far, or begins anew under
// the name of its own lease.
type Works struct {
	Place   Place
	Runners []Runner
	// Pin and Repin fix the generation, as those of the service do.
	Pin   func(ctx context.Context) (context.Context, reply.Generation, error)
	Repin func(ctx context.Context, generation string) (context.Context, reply.Generation, error)
	// Notice is the licence of results that name none.
	Notice reply.Notice
	Log    *slog.Logger
	Lease  time.Duration    // of a silent worker; 0: 20 s
	Most   int64            // bytes that a result may have; 0: shares.MaxBytes
	Memory int              // bytes of a result that are held, the rest being in a file; 0: those of a spool
	Whole  int64            // bytes from which a result is an object of its own; 0: shares.Whole
	Now    func() time.Time // by which leases end; nil: time.Now
}

// NewQueue is the queue for a process that does the work.
func (w *Works) NewQueue() (*jobs.Queue, error) {
	all := definitions()
	for name, k := range all {
		k.Run, k.Release = w.run, w.release
		if w.Lease > 0 {
			k.Lease = w.Lease
		}
		all[name] = k
	}
	return jobs.New(w.Place.Ledger, jobs.Options{Types: all, Store: w.Place.Files, Now: w.Now, Log: w.Log})
}

func (w *Works) shares() *shares.Shares {
	return &shares.Shares{Ledger: w.Place.Ledger, Files: w.Place.Files, Now: w.Now, Whole: w.Whole}
}

func (w *Works) now() time.Time {
	if w.Now == nil {
		return time.Now()
	}
	return w.Now()
}

// release takes back what a worker had saved that died before it could say so.
func (w *Works) release(ctx context.Context, j jobs.Job) error {
	return w.shares().Drop(ctx, shares.Auto+j.ID, j.ID)
}

// run does one task in the time that there is.
func (w *Works) run(ctx context.Context, job *jobs.Work) ([]byte, error) {
	j := job.Job()
	if h, err := w.shares().Follow(ctx, shares.Auto+j.ID); err == nil && h.Job == j.ID {
		return json.Marshal(h.Name)
	}
	return Attempt{Attempts: definition.Attempts, Late: late}.Do(ctx, job, func(ctx context.Context, p *Progress) ([]byte, error) {
		h, err := w.answer(ctx, job, p)
		if err != nil {
			return nil, err
		}
		return json.Marshal(h.Name)
	})
}

// late is what a client reads of a task that takes longer than an attempt may.
var late = fmt.Sprintf("The task could not be finished in %d minutes: ask for a smaller area.", int(MaxTime.Minutes()))

// answer computes the result and saves it.
func (w *Works) answer(ctx context.Context, job *jobs.Work, told *Progress) (h shares.Share, err error) {
	body, err := job.Payload(ctx)
	if err != nil {
		return h, err
	}
	var p payload
	if err := json.Unmarshal(body, &p); err != nil {
		return h, err
	}
	r, err := w.runner(p.Name)
	if err != nil {
		return h, err
	}
	ctx, g, err := w.pinned(ctx, p.Generation)
	if err != nil {
		return h, err
	}
	began := w.now()
	answer, err := r.run(ctx, p.Question, told)
	if err != nil {
		return h, err
	}
	if err := told.Step(ctx, "saving the result", 1); err != nil {
		reply.Drop(answer)
		return h, err
	}
	result, err := w.render(ctx, answer, g, func() time.Duration { return w.now().Sub(began) })
	if err != nil {
		return h, err
	}
	defer result.body.Close()
	j := job.Job()
	h = shares.Share{Name: shares.Auto + j.ID, Kind: p.Name, Created: j.Created, Expires: w.now().UTC().Add(Keep), Listed: p.Listed,
		Also: p.Share, ContentType: result.header.Get("Content-Type"), Attribution: result.header.Get("X-Data-Attribution"),
		Layer: r.layer, Job: j.ID, Fence: j.Fence}
	object, raw, err := w.object(&h, &p, r, result)
	if err != nil {
		return h, err
	}
	if err := job.Held(); err != nil { // a worker that stood still saves nothing
		return h, err
	}
	return h, w.shares().Save(ctx, h, object, raw)
}

func (w *Works) runner(name string) (Runner, error) {
	for _, r := range w.Runners {
		if r.Name == name {
			return r, nil
		}
	}
	return Runner{}, jobs.Fail("No worker answers questions of the kind %s.", name)
}

// pinned fixes the generation that the question was asked of, or the newest where that is gone.
func (w *Works) pinned(ctx context.Context, generation string) (context.Context, reply.Generation, error) {
	at, g, err := w.Repin(ctx, generation)
	if errors.Is(err, endpoint.ErrNoGeneration) {
		return w.Pin(ctx)
	}
	return at, g, err
}

// rendered is a result as it would have been answered, and the generation that it was computed from.
type rendered struct {
	generation reply.Generation
	header     http.Header
	body       *spool.Spool
}

// render writes a result. The caller closes its body.
func (w *Works) render(ctx context.Context, answer reply.Answer, g reply.Generation, elapsed func() time.Duration) (out rendered,
	err error) {
	to := &page{ctx: ctx, header: http.Header{}, body: spool.New(w.Memory), most: cmp.Or(w.Most, shares.MaxBytes)}
	defer func() {
		if p := recover(); p != nil { // an answer that breaks off in its middle
			err = errors.Join(to.err, fmt.Errorf("tasks: the result could not be written: %v", p))
		}
		if err != nil {
			err = errors.Join(err, to.body.Close())
		}
	}()
	ask := &reply.Ask{Format: format.FormJSON, Generation: g, Notice: w.Notice, Elapsed: elapsed, Context: ctx}
	if _, rows := answer.(*reply.Rows); rows {
		ask.Format = format.FormGeoJSON
	}
	w.Notice.Sign(to.header, &ask.Generation)
	if err := reply.Write(to, ask, answer); err != nil {
		return rendered{}, err
	}
	return rendered{g, to.header, to.body}, to.err
}

// object is what is stored of a result, and where in it the result stands. A result that is no JSON is stored beside, and so is a
// large one: then the object of the first has what its headers say.
func (w *Works) object(h *shares.Share, p *payload, r Runner, result rendered) (object, raw spool.Body, err error) {
	geometry, err := r.place(p.Question)
	if err != nil {
		return nil, nil, err
	}
	head, err := shares.Front(h.Name, h.Expires)
	if err != nil {
		return nil, nil, err
	}
	front, err := json.Marshal(struct {
		Kind       string          `json:"kind"`
		CreatedAt  time.Time       `json:"created_at"`
		Generation string          `json:"generation"`
		Software   string          `json:"software"`
		Question   json.RawMessage `json:"question"`
		Geometry   json.RawMessage `json:"geometry"`
	}{p.Name, h.Created, result.generation.ID, p.Version, p.Question, geometry})
	if err != nil {
		return nil, nil, err
	}
	h.FrontAt = int64(len(head))
	front = append(append(head, front[1:len(front)-1]...), `,"result":`...)
	inner, err := trimmed(result.body)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case !isJSON(h.ContentType):
		figures, err := about(result.header, h, result.body.Size())
		if err != nil {
			return nil, nil, err
		}
		raw, inner = result.body, bytes.NewReader(figures)
	case w.shares().Large(inner.Size()):
		raw = inner
	}
	h.ResultAt, h.ResultBytes = int64(len(front)), inner.Size()
	return spool.Joined{bytes.NewReader(front), inner, bytes.NewReader([]byte("}"))}, raw, nil
}

// trimmed is a result of JSON without the line end behind it.
func trimmed(result *spool.Spool) (spool.Body, error) {
	end := result.Size()
	for last := make([]byte, 1); end > 0; end-- {
		if _, err := result.ReadAt(last, end-1); err != nil {
			return nil, err
		}
		if last[0] != '\n' {
			break
		}
	}
	return io.NewSectionReader(result, 0, end), nil
}

// isJSON says whether a media type is JSON.
func isJSON(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

// about is what the object of a result says that is no JSON. The headers X-Name of the result are its figures, and are kept
// for its answers.
func about(header http.Header, h *shares.Share, size int64) ([]byte, error) {
	h.Headers = map[string]string{}
	figures := map[string]string{}
	for name, v := range header {
		own, ok := strings.CutPrefix(name, "X-")
		if name == "X-Data-Attribution" || name == "X-Content-Type-Options" || !ok && name != "Content-Disposition" || len(v) == 0 {
			continue
		}
		h.Headers[name] = v[0]
		if ok {
			figures[strings.ReplaceAll(strings.ToLower(own), "-", "_")] = v[0]
		}
	}
	return json.Marshal(struct {
		ContentType string            `json:"content_type"`
		Bytes       int64             `json:"bytes"`
		Data        map[string]string `json:"data"`
	}{h.ContentType, size, figures})
}

// page is a ResponseWriter that keeps what it is given, up to the bytes that can be kept.
type page struct {
	ctx    context.Context
	header http.Header
	body   *spool.Spool
	most   int64
	err    error
}

func (p *page) Header() http.Header { return p.header }
func (p *page) WriteHeader(int)     {}

// Write implements http.ResponseWriter. It ends with the work.
func (p *page) Write(b []byte) (n int, err error) {
	switch {
	case p.ctx.Err() != nil:
		p.err = context.Cause(p.ctx)
	case p.body.Size()+int64(len(b)) > p.most:
		p.err = fault.New(fault.TooLarge, "the result has more than the %d MB that are kept: ask for a smaller area", p.most>>20)
	default:
		n, p.err = p.body.Write(b)
	}
	return n, p.err
}
