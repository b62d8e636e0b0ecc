package processing

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

// maxQueueBody bounds a body: all codes of the country take 80 KB, objects of GET the tenfold.
const maxQueueBody = 1 << 20

// queued is a KG in a body: its code as a text or a number, or a member of what GET answers.
type queued string

func (q *queued) UnmarshalJSON(b []byte) error {
	var code string
	var object struct {
		Code   string `json:"code"`
		KGCode string `json:"kg_code"`
	}
	switch {
	case len(b) > 0 && b[0] == '"':
		if err := json.Unmarshal(b, &code); err != nil {
			return err
		}
	case len(b) > 0 && b[0] == '{':
		if err := json.Unmarshal(b, &object); err != nil {
			return err
		}
		if code = object.Code; code == "" {
			code = object.KGCode
		}
	default:
		n, err := strconv.ParseUint(string(b), 10, 32)
		if err != nil {
			return fmt.Errorf("%.20s is no code of a KG", b)
		}
		code = strconv.FormatUint(n, 10)
	}
	*q = queued(code)
	return nil
}

// parsed reads the codes of a member.
func parsed(member string, list []queued) ([]austria.KGCode, error) {
	if len(list) > landprocess.MaxQueue {
		return nil, fault.New(fault.TooLarge, "%s has %d KGs, at most %d wait", member, len(list), landprocess.MaxQueue)
	}
	out := make([]austria.KGCode, len(list))
	for i, text := range list {
		code, err := austria.ParseKGCode(string(text))
		if err != nil {
			return nil, fault.BadValue(fmt.Sprintf("%s[%d]", member, i), string(text), "the code of a KG, padded or not")
		}
		out[i] = code
	}
	return out, nil
}

// waiting is a KG in the queue.
type waiting struct {
	named
	Gemeinde  string `json:"gemeinde_name"`
	Position  int    `json:"position" doc:"from 0"`
	Processed bool   `json:"processed" doc:"whether it has a result already"`
}

type queueBody struct {
	Queue  []waiting `json:"queue"`
	Count  int       `json:"count"`
	Failed []failed  `json:"permanently_failed" doc:"KGs that are left out until they are queued again"`
}

func (e *service) queue() endpoint.Endpoint {
	depends, serve := document(func(ctx context.Context, _ *endpoint.Request) (queueBody, error) {
		reg, err := e.register(ctx)
		if err != nil {
			return queueBody{}, err
		}
		s, err := e.records.State(ctx)
		if err != nil {
			return queueBody{}, unreachable(err)
		}
		return e.queueOf(ctx, reg, &s)
	})
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/processing/queue", ID: "processing_queue", Tag: tag, Summary: "The KGs that wait",
		Doc:   "The KGs that wait in their order. The processor does them before it looks for the nearest KG that is not up to date.",
		Cache: endpoint.Live, Answer: endpoint.Answer{Body: queueBody{}}, Example: "/api/v1/processing/queue", Depends: depends,
		Serve: serve,
	}
}

func (e *service) queueOf(ctx context.Context, reg *register.Register, s *landprocess.State) (queueBody, error) {
	b := queueBody{Queue: []waiting{}, Count: len(s.Queue), Failed: []failed{}}
	done, err := e.processed(ctx)
	if err != nil {
		return b, err
	}
	for i, code := range s.Queue {
		w := waiting{named: nameOf(reg, code), Position: i, Processed: done[code]}
		if k := reg.KG(code); k != nil {
			w.Gemeinde = k.GemeindeName
		}
		b.Queue = append(b.Queue, w)
	}
	for _, f := range s.Failed {
		b.Failed = append(b.Failed, failed{named: nameOf(reg, f.KG), Error: f.Error})
	}
	return b, nil
}

func (e *service) processed(ctx context.Context) (map[austria.KGCode]bool, error) {
	entries, err := e.records.Entries(ctx)
	if err != nil {
		return nil, unreachable(err)
	}
	done := make(map[austria.KGCode]bool, len(entries))
	for _, x := range entries {
		done[x.KG] = true
	}
	return done, nil
}

// addBody asks for KGs to be queued.
type addBody struct {
	KGs      []queued `json:"kgs" doc:"codes of KGs, padded or not"`
	Position *int     `json:"position,omitempty" doc:"from 0; -1, the default: behind all others"`
	Skip     *bool    `json:"skip_processed,omitempty" doc:"leave out KGs that have a result already; default true"`
}

// Check sets defaults.
func (b *addBody) Check() error {
	if len(b.KGs) == 0 {
		return fault.Of(fault.Missing, "kgs", "", "a list of at least one KG")
	}
	if b.Position == nil {
		end := -1
		b.Position = &end
	}
	if *b.Position < -1 {
		return fault.BadValue("position", strconv.Itoa(*b.Position), "-1, the end, or a place from 0")
	}
	if b.Skip == nil {
		yes := true
		b.Skip = &yes
	}
	return nil
}

type added struct {
	named
	Position int `json:"position"`
}

type addedBody struct {
	Status  string           `json:"status" enum:"added"`
	Count   int              `json:"added_count"`
	Length  int              `json:"queue_length"`
	Added   []added          `json:"added"`
	Skipped []austria.KGCode `json:"skipped" doc:"KGs that have a result already"`
}

const addDoc = `KGs are put into the queue at position, from 0; -1 and a position beyond the end are behind all others. One that waits already moves. With
skip_processed KGs that have a result already are left out. A KG that has failed is tried again.
`

func (e *service) add() endpoint.Endpoint {
	body := endpoint.Body[addBody]("an object with kgs", maxQueueBody)
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/processing/queue", ID: "processing_queue_add", Tag: tag, Summary: "Queue KGs", Doc: addDoc,
		Cache: endpoint.Live, Body: body,
		Answer: endpoint.Answer{Body: addedBody{}}, Example: "/api/v1/processing/queue",
		ExampleBody: `{"kgs":["99101"],"position":0,"skip_processed":false}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			in := body.Of(r)
			reg, codes, err := e.codes(ctx, "kgs", in.KGs)
			if err != nil {
				return nil, err
			}
			out := addedBody{Status: "added", Added: []added{}, Skipped: []austria.KGCode{}}
			if *in.Skip {
				done, err := e.processed(ctx)
				if err != nil {
					return nil, err
				}
				codes = slices.DeleteFunc(codes, func(c austria.KGCode) bool {
					if done[c] {
						out.Skipped = append(out.Skipped, c)
					}
					return done[c]
				})
			}
			var positions []int
			s, err := e.change(ctx, func(s *landprocess.State) error {
				var err error
				if positions, err = s.Insert(codes, *in.Position); err != nil {
					return fault.New(fault.TooLarge, "%v", err)
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			for i, p := range positions {
				out.Added = append(out.Added, added{nameOf(reg, codes[i]), p})
			}
			out.Count, out.Length = len(out.Added), len(s.Queue)
			return &reply.Document{Body: out}, nil
		},
	}
}

// codes are the KGs of a body, each once, that the register knows.
func (e *service) codes(ctx context.Context, member string, list []queued) (*register.Register, []austria.KGCode, error) {
	codes, err := parsed(member, list)
	if err != nil {
		return nil, nil, err
	}
	reg, err := e.register(ctx)
	if err != nil {
		return nil, nil, err
	}
	var out []austria.KGCode
	seen := map[austria.KGCode]bool{}
	for _, c := range codes {
		if err := known(reg, member, c); err != nil {
			return nil, nil, err
		}
		if !seen[c] {
			out = append(out, c)
		}
		seen[c] = true
	}
	return reg, out, nil
}

type replaceBody struct {
	Queue []queued `json:"queue" doc:"codes of KGs, or what GET answers"`
}

// Check refuses a body without a queue: an empty one is written as [].
func (b *replaceBody) Check() error {
	if b.Queue == nil {
		return fault.Of(fault.Missing, "queue", "", "a list of KGs, [] for none")
	}
	return nil
}

func (e *service) replace() endpoint.Endpoint {
	body := endpoint.Body[replaceBody]("an object with queue", maxQueueBody)
	return endpoint.Endpoint{
		Method: "PUT", Path: "/api/v1/processing/queue", ID: "processing_queue_replace", Tag: tag, Summary: "Replace the queue",
		Doc: "The queue becomes the one of the body, in its order; [] empties it. The KG that is worked on stays.", Cache: endpoint.Live,
		Body:   body,
		Answer: endpoint.Answer{Body: queueBody{}}, Example: "/api/v1/processing/queue", ExampleBody: `{"queue":["99101"]}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			reg, codes, err := e.codes(ctx, "queue", body.Of(r).Queue)
			if err != nil {
				return nil, err
			}
			s, err := e.change(ctx, func(s *landprocess.State) error { return s.Replace(codes) })
			if err != nil {
				return nil, err
			}
			b, err := e.queueOf(ctx, reg, &s)
			return &reply.Document{Body: b}, err
		},
	}
}

type removedBody struct {
	Status  string `json:"status" enum:"removed"`
	Removed int    `json:"removed_count"`
	Length  int    `json:"queue_length"`
}

var remove = params.KG("kg", "Take this KG out", endpoint.Required)

func (e *service) remove() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "DELETE", Path: "/api/v1/processing/queue", ID: "processing_queue_remove", Tag: tag, Summary: "Take a KG out of the queue",
		Doc:    "A KG that does not wait is no error: removed_count is 0 then. PUT with an empty list empties the queue.",
		Params: []endpoint.AnyParam{remove}, Cache: endpoint.Live, Answer: endpoint.Answer{Body: removedBody{}},
		Example: "/api/v1/processing/queue?kg=99101",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if _, err := e.register(ctx); err != nil {
				return nil, err
			}
			n := 0
			s, err := e.change(ctx, func(s *landprocess.State) error { n = s.Remove(remove.Of(r)); return nil })
			if err != nil {
				return nil, err
			}
			return &reply.Document{Body: removedBody{"removed", n, len(s.Queue)}}, nil
		},
	}
}
