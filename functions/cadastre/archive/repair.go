package archive

import (
	"context"
	"net/http"

	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
	"mappe/shared/cloud/processing"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// maxRepair bounds the KGs of one request: each is a job, of which a client may have as many open.
const maxRepair = 20

var repairKGs = endpoint.ParsedList("kg", "Codes of the KGs, padded or not. Without it the first KGs that need it, by code.",
	austria.ParseKGCode,
	endpoint.Between(1, maxRepair), endpoint.Example("99101"))

// ordered is what became of a KG of a request.
type ordered struct {
	KG     austria.KGCode `json:"kg_code"`
	Status string         `json:"status" enum:"queued,skipped"`
	Reason *string        `json:"reason"`
	JobID  *string        `json:"job_id"`
}

type repairBody struct {
	Data    []ordered `json:"data"`
	Queued  int       `json:"queued"`
	Skipped int       `json:"skipped"`
	Waiting int       `json:"waiting" doc:"KGs that need a repair and are not in this answer: repeat the request"`
	Stats   string    `json:"stats_url"`
}

// unjoined says whether the address points of a KG's snapshot are not joined to its parcels.
func unjoined(k *register.KG) bool {
	return k.Snapshot.Key != "" && !rowschema.EpochID(k.Ingest).Has(rowschema.AddressPointJoin)
}

func (d Deps) repair() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/buildings/repair", ID: "buildings_repair", Tag: tag, Summary: "Join address points to their parcels",
		Doc: `Joins the address points of KGs whose data is of an ingest generation before the join (coords_verified false) to the parcels that contain them,
and publishes the snapshots. A KG whose address points are joined already, or that has no snapshot, is skipped. Without kg: up to 20 KGs that need it.`,
		Params: []endpoint.AnyParam{repairKGs}, Cache: endpoint.Live,
		Answer: endpoint.Answer{Status: http.StatusAccepted, Body: repairBody{}, Others: []endpoint.Other{
			{Status: http.StatusTooManyRequests, Doc: "Too many KGs wait; Retry-After says when to ask again.", Body: fault.Schema()}}},
		Example: "/api/v1/buildings/repair?kg=99101",
		Serve:   d.orderRepairs,
	}
}

func (d Deps) orderRepairs(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	v, err := d.view(ctx)
	if err == nil {
		err = d.noQueue()
	}
	if err != nil {
		return nil, err
	}
	body := repairBody{Data: []ordered{}, Stats: endpoint.Prefix(r.HTTP) + "/api/v1/buildings/repair/stats"}
	asked := repairKGs.Of(r)
	for _, code := range asked {
		if err := known(v, code); err != nil {
			return nil, err
		}
	}
	if !repairKGs.Given(r) {
		kgs := v.Register().KGs()
		for i := range kgs {
			if !unjoined(&kgs[i]) {
				continue
			}
			if len(asked) < maxRepair {
				asked = append(asked, kgs[i].Code)
			} else {
				body.Waiting++
			}
		}
	}
	for i, code := range asked {
		o, err := d.orderRepair(ctx, r.HTTP, v.Register().KG(code))
		if err != nil && i > 0 && fault.From(err).Code == fault.RateLimited {
			body.Waiting += len(asked) - i // what was ordered is told
			break
		}
		if err != nil {
			return nil, err
		}
		if o.Status == "queued" {
			body.Queued++
		} else {
			body.Skipped++
		}
		body.Data = append(body.Data, o)
	}
	return accepted(body, body.Stats), nil
}

func (d Deps) orderRepair(ctx context.Context, r *http.Request, k *register.KG) (ordered, error) {
	o := ordered{KG: k.Code, Status: "skipped"}
	because := func(reason string) { o.Reason = &reason }
	switch {
	case k.Snapshot.Key == "":
		because("the KG has no snapshot")
		return o, nil
	case !unjoined(k):
		because("the address points are joined already")
		return o, nil
	}
	j, created, err := d.order(ctx, r, processing.Repair, processing.Order{KG: k.Code})
	if err != nil {
		return o, err
	}
	o.Status, o.JobID = "queued", &j.ID
	if !created {
		because("the KG waits or is repaired already")
	}
	return o, nil
}

type repairStats struct {
	Queued   int `json:"queued"`
	Running  int `json:"running"`
	Repaired int `json:"repaired" doc:"KGs that were repaired"`
	Failed   int `json:"failed" doc:"repairs that failed for good"`
	Needed   int `json:"needed" doc:"KGs of the served generation whose address points are not joined"`
}

func (d Deps) repairStats() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/buildings/repair/stats", ID: "buildings_repair_stats", Tag: tag, Summary: "Repairs of address points",
		Doc:    "How many KGs wait for the join of their address points, how many are being joined, and what became of the others since the service was set up.",
		Answer: endpoint.Answer{Body: repairStats{}}, Cache: endpoint.Live, Example: "/api/v1/buildings/repair/stats",
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			var b repairStats
			v, err := d.view(ctx)
			if err != nil {
				return nil, err
			}
			kgs := v.Register().KGs()
			for i := range kgs {
				if unjoined(&kgs[i]) {
					b.Needed++
				}
			}
			if d.Queue == nil {
				return &reply.Document{Body: b}, nil
			}
			if b.Queued, b.Running, err = d.Queue.Count(ctx, processing.Repair); err != nil {
				return nil, unreachable(err)
			}
			ends, err := processing.ReadEnds(ctx, d.Ledger, processing.Repair)
			if err != nil {
				return nil, unreachable(err)
			}
			b.Repaired, b.Failed = ends.Done, ends.Failed
			return &reply.Document{Body: b}, nil
		},
	}
}
