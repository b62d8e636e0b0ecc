package processing

import (
	"context"

	"mappe/functions/core/states"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	inState = endpoint.Parsed("state", "Work in this state alone: its digit, or its name in any of its spellings. Without it: everywhere.",
		states.Parse, endpoint.Example("Salzburg"))
	beginAt = params.KG("kg", "Begin at this KG")
	only    = params.KG("kg", "The KG that is analysed alone, before all others", endpoint.Required)
)

// steering is an endpoint that changes the state and answers with it.
func (e *service) steering(path, id, summary, doc string, list []endpoint.AnyParam, example string, change func(r *endpoint.Request,
	s *landprocess.State) error,
	refuse func(ctx context.Context, r *endpoint.Request) error) endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/processing/" + path, ID: id, Tag: tag, Summary: summary, Doc: doc, Params: list,
		Cache:  endpoint.Live,
		Answer: endpoint.Answer{Body: processorBody{}}, Example: example,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			reg, err := e.register(ctx)
			if err != nil {
				return nil, err
			}
			if refuse != nil {
				if err := refuse(ctx, r); err != nil {
					return nil, err
				}
			}
			s, err := e.change(ctx, func(s *landprocess.State) error { return change(r, s) })
			if err != nil {
				return nil, err
			}
			b, err := e.of(ctx, reg, &s)
			return &reply.Document{Body: b}, err
		},
	}
}

const startDoc = `The processor works off its queue, then all KGs that are not up to date, each the nearest one to the last: those of state alone where that is
given. kg is done first. KGs that have failed for good are left out. The answer is the state, as GET /processing/status has it.
`

func (e *service) start() endpoint.Endpoint {
	return e.steering("start", "processing_start", "Start the processor", startDoc, []endpoint.AnyParam{inState, beginAt},
		"/api/v1/processing/start",
		func(r *endpoint.Request, s *landprocess.State) error {
			return s.Start(inState.Of(r), beginAt.Of(r), e.Now())
		}, func(ctx context.Context, r *endpoint.Request) error {
			if !beginAt.Given(r) {
				return nil
			}
			reg, err := e.register(ctx)
			if err != nil {
				return err
			}
			return known(reg, "kg", beginAt.Of(r))
		})
}

func (e *service) pause() endpoint.Endpoint {
	return e.steering("pause", "processing_pause", "Pause the processor",
		"The KG that is worked on rests after its present square and goes on with resume, from its first "+
			"square. A processor that does not run stays as it is: state says so.", nil, "/api/v1/processing/pause",
		func(_ *endpoint.Request, s *landprocess.State) error { s.Pause(e.Now()); return nil }, nil)
}

func (e *service) resume() endpoint.Endpoint {
	return e.steering("resume", "processing_resume", "Go on after a pause", "A processor that is not paused stays as it is: state says so.",
		nil, "/api/v1/processing/resume",
		func(_ *endpoint.Request, s *landprocess.State) error { s.Resume(e.Now()); return nil }, nil)
}

func (e *service) stop() endpoint.Endpoint {
	return e.steering("stop", "processing_stop", "Stop the processor",
		"The KG that is worked on goes back to the head of the queue after its present square. The queue stays.", nil,
		"/api/v1/processing/stop", func(_ *endpoint.Request, s *landprocess.State) error { s.Stop(e.Now()); return nil }, nil)
}

func (e *service) single() endpoint.Endpoint {
	return e.steering("single", "processing_single", "Analyse one KG alone",
		"The KG is done before all others, also by a processor that is stopped or paused, which then stays so. "+
			"A KG whose inputs have not changed is passed over.", []endpoint.AnyParam{only}, "/api/v1/processing/single?kg=99101",
		func(r *endpoint.Request, s *landprocess.State) error {
			if s.Single != "" && s.Single != only.Of(r) {
				return fault.New(fault.Exists, "KG %s is to be analysed alone already: wait until it has begun", s.Single)
			}
			s.One(only.Of(r))
			return nil
		}, func(ctx context.Context, r *endpoint.Request) error {
			reg, err := e.register(ctx)
			if err != nil {
				return err
			}
			return known(reg, "kg", only.Of(r))
		})
}
