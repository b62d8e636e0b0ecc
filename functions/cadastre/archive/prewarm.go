package archive

import (
	"context"
	"net/http"
	"time"

	"mappe/functions/core/generation"
	"mappe/shared/austria"
	"mappe/shared/cloud/warmup"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// maxPrewarm bounds the KGs of one request: each is a write.
const maxPrewarm = 100

var prewarmKGs = endpoint.ParsedList("kg", "Codes of the KGs to load, padded or not.", austria.ParseKGCode, endpoint.Required,
	endpoint.Between(1, maxPrewarm), endpoint.Example("99101"))

type prewarmBody struct {
	Queued []austria.KGCode `json:"queued" doc:"KGs that will be loaded"`
	Warm   []austria.KGCode `json:"warm" doc:"KGs whose snapshot is already loaded"`
	Stats  string           `json:"stats_url"`
}

func (d Deps) prewarm() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/prewarm", ID: "prewarm", Tag: tag, Summary: "Load KGs before they are asked for",
		Doc: `Asks for the snapshots of up to 100 KGs to be brought into the object store, from the research repository or else from the source, as a
request that touches a cold KG does. KGs whose snapshot is there are named in warm.`,
		Params: []endpoint.AnyParam{prewarmKGs}, Cache: endpoint.Live, Answer: endpoint.Answer{Status: http.StatusAccepted,
			Body: prewarmBody{}},
		Example: "/api/v1/prewarm?kg=99101",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := d.view(ctx)
			if err != nil {
				return nil, err
			}
			for _, code := range prewarmKGs.Of(r) {
				if err := known(v, code); err != nil {
					return nil, err
				}
			}
			missing, err := v.Missing(ctx, prewarmKGs.Of(r))
			if err != nil {
				return nil, generation.Fault(ctx, err)
			}
			if len(missing) > 0 && (d.Store == nil || !d.Library.Warms()) {
				return nil, fault.New(fault.Unavailable, "KGs cannot be loaded here: no source, no archive and no worker are set up")
			}
			for _, code := range missing {
				if !v.Warm(code) && !d.Library.Builds() {
					return nil, fault.New(fault.Unavailable, "KG %s was never built and cannot be built here: no source is set up", code)
				}
			}
			body := prewarmBody{Queued: []austria.KGCode{}, Warm: []austria.KGCode{},
				Stats: endpoint.Prefix(r.HTTP) + "/api/v1/prewarm/stats"}
			cold := map[austria.KGCode]bool{}
			for _, code := range missing {
				if cold[code] {
					continue
				}
				cold[code] = true
				if err := warmup.Request(ctx, d.Store, code); err != nil {
					return nil, fault.Retry(fault.Unavailable, 5*time.Second, "the KGs could not be asked for: try again").Because(err)
				}
				body.Queued = append(body.Queued, code)
			}
			for _, code := range prewarmKGs.Of(r) {
				if !cold[code] {
					body.Warm = append(body.Warm, code)
				}
			}
			return accepted(body, body.Stats), nil
		},
	}
}

type prewarmStats struct {
	Queued  int `json:"queued"`
	Running int `json:"running"`
	Warmed  int `json:"warmed" doc:"KGs that were loaded since the store was set up"`
	Failed  int `json:"failed" doc:"KGs whose last attempt failed; they are tried again an hour later, five times"`
}

func (d Deps) prewarmStats() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/prewarm/stats", ID: "prewarm_stats", Tag: tag, Summary: "KGs that are being loaded",
		Doc:    "How many KGs wait to be loaded, because a request touched them or prewarm named them, how many are being loaded, were loaded, and could not be.",
		Answer: endpoint.Answer{Body: prewarmStats{}}, Cache: endpoint.Live, Example: "/api/v1/prewarm/stats",
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			if d.Store == nil {
				return &reply.Document{Body: prewarmStats{}}, nil
			}
			n, err := warmup.Count(ctx, d.Store, d.Now())
			if err != nil {
				return nil, fault.Retry(fault.Unavailable, 5*time.Second,
					"the requests cannot be read at the moment: try again").Because(err)
			}
			return &reply.Document{Body: prewarmStats{n.Queued, n.Running, n.Warmed, n.Failed}}, nil
		},
	}
}
