// Package processing steers the analysis of all KGs and tells of it: state, queue, log and manifest. It analyses nothing:
// builders/landscape/process does, whose turn it is stands in shared/cloud/landprocess. What changes something asks for the
// operator's token where one is set up.
package processing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/core/generation"
	"mappe/functions/landscape/scans"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Deps are what the endpoints stand on.
type Deps struct {
	Library *library.Library
	Ledger  ledger.Ledger    // has the state; nil: nothing is processed, and every answer is 503
	BaseURL string           // what stands before the paths in the outside world
	Version string           // of the software
	Now     func() time.Time // default time.Now
	Log     *slog.Logger     // default: silent
	// Operator says whether a text is the operator's token; nil if there is no token, and the endpoints are open.
	Operator func(ctx context.Context, text string) (bool, error)
}

const tag = "Processing"

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	if d.Now == nil {
		d.Now = time.Now
	}
	e := &service{Deps: d, records: landprocess.Records{Ledger: d.Ledger}}
	return &endpoint.Service{
		System: "landscape", Title: "Landscape: processing", Version: d.Version, BaseURL: d.BaseURL,
		Description: "The analysis of all KGs in the background: state, queue, log and manifest.",
		Endpoints: []endpoint.Endpoint{e.status(), e.log(), e.manifest(), e.operated(e.start()), e.operated(e.pause()),
			e.operated(e.resume()),
			e.operated(e.stop()),
			e.operated(e.single()), e.queue(), e.operated(e.add()), e.operated(e.replace()), e.operated(e.remove()),
			e.operated(e.rebuild())},
		Notice: scans.Notice, Pin: generation.Pin(d.Library), Repin: generation.Repin(d.Library), Now: d.Now, Log: d.Log,
		Explain: generation.Fault,
	}
}

// service is what requests share.
type service struct {
	Deps
	records landprocess.Records
	ended   ended
}

// operated puts an endpoint behind the operator's token where there is one.
func (e *service) operated(x endpoint.Endpoint) endpoint.Endpoint {
	if e.Operator == nil {
		x.Cache = endpoint.Live
		return x
	}
	return endpoint.Bearer{Name: "operator", Doc: "The operator's token.", Check: e.Operator}.Protect(x)
}

// register is that of the newest generation.
func (e *service) register(ctx context.Context) (*register.Register, error) {
	if e.Ledger == nil {
		return nil, fault.New(fault.Unavailable, "nothing is processed here: no worker is set up")
	}
	v, err := e.Library.View(ctx)
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	return v.Register(), nil
}

// unreachable is the fault of a ledger that gives no answer.
func unreachable(err error) error {
	return fault.Retry(fault.Unavailable, 5*time.Second,
		"the state of the processor cannot be reached at the moment: try again").Because(err)
}

// change changes the state and answers with it as it is then. A fault of change is the answer.
func (e *service) change(ctx context.Context, change func(*landprocess.State) error) (landprocess.State, error) {
	var refused error
	s, err := e.records.Change(ctx, func(s *landprocess.State) error {
		refused = change(s)
		return refused
	})
	switch {
	case refused != nil:
		return s, refused
	case err != nil:
		return s, unreachable(err)
	}
	return s, nil
}

// known is the fault of a code that the register does not have, or of a KG without a snapshot.
func known(r *register.Register, name string, code austria.KGCode) error {
	k := r.KG(code)
	if k == nil {
		return fault.BadValue(name, string(code), "the code of a KG of the register")
	}
	if k.Snapshot.Key == "" {
		return fault.BadValue(name, string(code), "a KG whose data is loaded: this one is not")
	}
	return nil
}

// named is a KG with its name.
type named struct {
	Code austria.KGCode `json:"code"`
	Name string         `json:"name"`
}

func nameOf(r *register.Register, code austria.KGCode) named {
	n := named{Code: code}
	if k := r.KG(code); k != nil {
		n.Name = k.Name
	}
	return n
}

// document answers with a body; depends names its state, for ETags.
func document[T any](read func(ctx context.Context, r *endpoint.Request) (T, error)) (depends func(context.Context,
	*endpoint.Request) (string, error),
	serve func(context.Context, *endpoint.Request) (reply.Answer, error)) {
	return func(ctx context.Context, r *endpoint.Request) (string, error) {
			b, err := read(ctx, r)
			if err != nil {
				return "", err
			}
			r.Memo = b
			text, err := json.Marshal(b)
			sum := sha256.Sum256(text)
			return hex.EncodeToString(sum[:16]), err
		}, func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if b, ok := r.Memo.(T); ok {
				return &reply.Document{Body: b}, nil
			}
			b, err := read(ctx, r)
			if err != nil {
				return nil, err
			}
			return &reply.Document{Body: b}, nil
		}
}
