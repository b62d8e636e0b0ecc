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

// steering completes an endpoint that changes the state and answers with it. refuse looks at a request before; nil refuses none.
func (e *service) steering(of endpoint.Endpoint, change func(r *endpoint.Request, s *landprocess.State) error,
	refuse func(ctx context.Context, r *endpoint.Request) error) endpoint.Endpoint {
	of.Method, of.Tag, of.Cache, of.Answer = "POST", tag, endpoint.Live, endpoint.Answer{Body: processorBody{}}
	of.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
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
	}
	return of
}

const startDoc = `The processor works off its queue, then all KGs that are not up to date, each the nearest one to the last: those of state alone where that is
given. kg is done first. KGs that have failed for good are left out. The answer is the state, as GET /processing/status has it.
`

func (e *service) start() endpoint.Endpoint {
	return e.steering(endpoint.Endpoint{
		Path: "/api/v1/processing/start", ID: "processing_start", Summary: "Start the processor", Doc: startDoc,
		Params: []endpoint.AnyParam{inState, beginAt}, Example: "/api/v1/processing/start",
	}, func(r *endpoint.Request, s *landprocess.State) error {
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
	return e.steering(endpoint.Endpoint{
		Path: "/api/v1/processing/pause", ID: "processing_pause", Summary: "Pause the processor",
		Doc: "The KG that is worked on rests after its present square and goes on with resume, from its first " +
			"square. A processor that does not run stays as it is: state says so.",
		Example: "/api/v1/processing/pause",
	}, func(_ *endpoint.Request, s *landprocess.State) error { s.Pause(e.Now()); return nil }, nil)
}

func (e *service) resume() endpoint.Endpoint {
	return e.steering(endpoint.Endpoint{
		Path: "/api/v1/processing/resume", ID: "processing_resume", Summary: "Go on after a pause",
		Doc:     "A processor that is not paused stays as it is: state says so.",
		Example: "/api/v1/processing/resume",
	}, func(_ *endpoint.Request, s *landprocess.State) error { s.Resume(e.Now()); return nil }, nil)
}

func (e *service) stop() endpoint.Endpoint {
	return e.steering(endpoint.Endpoint{
		Path: "/api/v1/processing/stop", ID: "processing_stop", Summary: "Stop the processor",
		Doc:     "The KG that is worked on goes back to the head of the queue after its present square. The queue stays.",
		Example: "/api/v1/processing/stop",
	}, func(_ *endpoint.Request, s *landprocess.State) error { s.Stop(e.Now()); return nil }, nil)
}

func (e *service) single() endpoint.Endpoint {
	return e.steering(endpoint.Endpoint{
		Path: "/api/v1/processing/single", ID: "processing_single", Summary: "Analyse one KG alone",
		Doc: "The KG is done before all others, also by a processor that is stopped or paused, which then stays so. " +
			"A KG whose inputs have not changed is passed over.",
		Params: []endpoint.AnyParam{only}, Example: "/api/v1/processing/single?kg=99101",
	}, func(r *endpoint.Request, s *landprocess.State) error {
		if s.Single != "" && s.Single != only.Of(r) {
			return fault.New(fault.Exists, "KG %s already waits to be analysed alone: wait until it has started", s.Single)
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
