package books

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/callback"
	"mappe/functions/books/records"
	"mappe/shared/book/press"
	"mappe/shared/cloud/jobs"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

type convertForm struct {
	Edition  *string `json:"kind,omitempty" doc:"proof or final; absent: final" enum:"proof,final"`
	Format   *string `json:"format,omitempty" doc:"both, pdf or epub; absent: both. An EPUB alone is always a free proof" enum:"both,pdf,epub"`
	Callback *string `json:"callback_url,omitempty" doc:"public https address that gets the body of GET /api/books/{id} once, when the build ends"`
	Index    *bool   `json:"index,omitempty" doc:"set the index at the back of the print PDF; needs the add-on index and a draft"`
}

type convertBody struct {
	BookID    int64  `json:"book_id"`
	Format    string `json:"format"`
	Edition   string `json:"kind"`
	Status    string `json:"status" doc:"converting"`
	StatusURL string `json:"status_url"`
}

var bConvert = endpoint.Body[convertForm]("an object with kind, format, callback_url and index, each of which may be absent",
	16<<10).Optional()

func (s *service) convert() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/books/{id}/convert", ID: "convert", Tag: "Build", Summary: "Build a book",
		Doc: "A proof is free, at most 30 in any 24 hours; its pages bear a line that says so. A final costs one credit, debited now and given back when the build fails. " +
			"One build of a project runs at a time. Ask `status_url` every three seconds, or name a `callback_url`. A final transmittal is applied now.",
		Params: []endpoint.AnyParam{pBook}, Body: bConvert, Gate: s.gate(ofBook),
		Answer: endpoint.Answer{Body: convertBody{}, Others: []endpoint.Other{
			{Status: http.StatusPaymentRequired, Doc: "No finals remain (`credits_remaining`), or an index without the add-on (`addon`).",
				Body: fault.Schema()},
			{Status: http.StatusForbidden, Doc: "The project has no live pass.", Body: fault.Schema()},
			{Status: http.StatusConflict, Doc: "A build of the project is running.", Body: fault.Schema()},
			{Status: http.StatusTooManyRequests, Doc: "30 proofs in 24 hours were made; Retry-After says when the next can be.",
				Body: fault.Schema()},
		}},
		Example: "/api/books/123456789/convert", ExampleBody: `{"kind":"proof","format":"both"}`,
		Serve: s.serveConvert,
	}
}

// order reads what is asked for.
func (f convertForm) order(b records.Book) (records.Build, error) {
	o := records.Build{Project: b.Project, Book: b.ID, Edition: string(press.Final), Format: string(press.Both)}
	if f.Edition != nil {
		if o.Edition = *f.Edition; !slices.Contains(press.AllEditions(), press.Edition(o.Edition)) {
			return o, fault.BadValue("kind", o.Edition, "proof or final")
		}
	}
	if f.Format != nil {
		if o.Format = *f.Format; !slices.Contains(press.AllFormats(), press.Format(o.Format)) {
			return o, fault.BadValue("format", o.Format, "both, pdf or epub")
		}
	}
	if o.Format == string(press.EPUB) {
		o.Edition = string(press.Proof) // an EPUB alone is always a free proof
	}
	if f.Callback != nil && *f.Callback != "" {
		if o.Callback = *f.Callback; callback.Check(o.Callback) != nil {
			return o, fault.BadValue("callback_url", o.Callback, callback.Wanted)
		}
	}
	return o, nil
}

func (s *service) serveConvert(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	b, form := visitOf(ctx).book, bConvert.Of(r)
	order, err := form.order(b)
	if err != nil {
		return nil, err
	}
	account, err := s.live(ctx, b.Project)
	if err != nil {
		return nil, err
	}
	if b.Status == records.Awaiting {
		return nil, errAwaited
	}
	if form.Index != nil && *form.Index {
		if !account.Pass.Has(records.AddonIndex) {
			return nil, errNoAddon()
		}
		state, err := s.Records.Index(ctx, b.ID)
		if errors.Is(err, records.ErrNotFound) {
			return nil, fault.Of(fault.Invalid, "index", "true",
				fmt.Sprintf("a draft of the index first: POST to /api/books/%d/index/draft", b.ID))
		}
		if err != nil {
			return nil, unavailable(err)
		}
		order.Index = state.Key
	}
	data, err := s.finalData(ctx, b.Project)
	if err != nil {
		return nil, unavailable(err)
	}
	accepted, err := s.Records.Accept(ctx, order, data)
	var refused *records.Refused
	if errors.As(err, &refused) {
		if refused.Reason == records.Busy {
			s.heal(ctx, b.Project) // so that what is running does run
		}
		return nil, refusal(refused, account)
	}
	if err != nil {
		return nil, unavailable(err)
	}
	if _, err := build.Enqueue(ctx, s.Queue, accepted); err != nil {
		// It is accepted: whoever asks for the status has its job made.
		s.Logger.ErrorContext(ctx, "the job of an accepted build was not made yet", "book", b.ID, "build", accepted.ID, "error", err)
	}
	return &reply.Document{Body: convertBody{b.ID, accepted.Format, accepted.Edition, string(records.Converting),
		fmt.Sprintf("%s/api/books/%d", s.public(r.HTTP), b.ID)}}, nil
}

func errNoAddon() error {
	f := fault.New(fault.PaymentRequired, "the pass has no add-on for a back-of-book index; ask the studio for it")
	f.Members = map[string]any{"addon": records.AddonIndex}
	return f
}

func refusal(r *records.Refused, d records.Account) error {
	switch r.Reason {
	case records.NoLivePass:
		return errNoPass(d.Pass)
	case records.Busy:
		return fault.New(fault.Exists, "a build of the project is running: wait until it has ended")
	case records.NoAddon:
		return errNoAddon()
	case records.NoCredit:
		f := fault.New(fault.PaymentRequired, "no finals remain on the pass; proofs are free, for more finals ask the studio")
		f.Members = map[string]any{"credits_remaining": r.Remaining}
		return f
	case records.TooManyProofs:
		return fault.Retry(fault.RateLimited, r.After, "%d proofs were made in the last 24 hours: the next can be made in %s",
			records.MaxProofs, durationText(r.After))
	}
	return r
}

// specData is the data of the specification that the next build has: of the final transmittal, or what an
// earlier one set.
func (s *service) specData(ctx context.Context, project int64) (json.RawMessage, error) {
	data, err := s.finalData(ctx, project)
	if err != nil || data != nil {
		return data, err
	}
	d, err := s.Records.Account(ctx, project)
	return d.Spec, err
}

// finalData is the data of the project's transmittal when that is final; nil otherwise.
func (s *service) finalData(ctx context.Context, project int64) (json.RawMessage, error) {
	t, err := s.Records.Transmittal(ctx, project)
	if err != nil || t.Status != records.TransmittalFinal {
		return nil, err
	}
	return knownMembers(t.Data)
}

// running is the build that runs for a project, with its job; nil where none does. The job is made here
// when whoever accepted the build did not come to it.
func (s *service) running(ctx context.Context, project int64) (*records.Build, *jobs.Job, error) {
	d, err := s.Records.Account(ctx, project)
	if err != nil {
		return nil, nil, unavailable(err)
	}
	if d.Running == nil {
		return nil, nil, nil
	}
	j, err := s.jobOf(ctx, *d.Running)
	if err != nil {
		return nil, nil, unavailable(err)
	}
	return d.Running, &j, nil
}

// jobOf is the job of a running build. One that was lost is made again, where the service writes; else it waits.
func (s *service) jobOf(ctx context.Context, b records.Build) (jobs.Job, error) {
	if !s.reads {
		return build.Enqueue(ctx, s.Queue, b)
	}
	j, err := s.Queue.Find(ctx, build.JobType, b.ID)
	if errors.Is(err, jobs.ErrNotFound) {
		return jobs.Job{}, nil
	}
	return j, err
}

func (s *service) heal(ctx context.Context, project int64) {
	if _, _, err := s.running(ctx, project); err != nil {
		s.Logger.WarnContext(ctx, "the running build could not be looked after", "project", project, "error", err)
	}
}

// durationText says a time to wait as people do: "5 minutes", "1 hour", "3 hours and 20 minutes"; never less than a minute.
func durationText(d time.Duration) string {
	minutes := max(int((d+time.Minute-1)/time.Minute), 1)
	say := func(n int, unit string) string {
		if n == 1 {
			return "1 " + unit
		}
		return fmt.Sprintf("%d %ss", n, unit)
	}
	switch hours, rest := minutes/60, minutes%60; {
	case hours == 0:
		return say(rest, "minute")
	case rest == 0:
		return say(hours, "hour")
	default:
		return say(hours, "hour") + " and " + say(rest, "minute")
	}
}
