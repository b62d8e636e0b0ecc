package books

import (
	"context"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

type projectBody struct {
	ID     int64  `json:"id"`
	Client string `json:"client_slug"`
	Slug   string `json:"project_slug"`
	Title  string `json:"title"`
}

type projectsBody struct {
	Projects []projectBody `json:"projects"`
}

var pClient = endpoint.String("client", "Slug of the client.", endpoint.Example("demo"))

func (s *service) projects() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/clients/{client}/projects", ID: "client_projects", Tag: "Project", Summary: "Projects of a client",
		Doc:    "The projects of the client that the token opens, by slug: the row whose `project_slug` matches carries `id`. A client whose projects it does not open is 401.",
		Params: []endpoint.AnyParam{pClient}, Answer: endpoint.Answer{Body: projectsBody{}}, Gate: s.gate(anyProject),
		Example: "/api/clients/demo/projects",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			body := projectsBody{Projects: []projectBody{}}
			all, err := s.Records.Projects(ctx, pClient.Of(r))
			if err != nil {
				return nil, unavailable(err)
			}
			for _, p := range all {
				if _, ok := visitOf(ctx).opened[p.ID]; ok {
					body.Projects = append(body.Projects, projectBody{p.ID, p.Client, p.Slug, p.Title})
				}
			}
			if len(body.Projects) == 0 {
				return nil, errUnauthorized
			}
			return &reply.Document{Body: body}, nil
		},
	}
}

type passBody struct {
	Exists    bool     `json:"exists"`
	Status    string   `json:"status" doc:"active, suspended, expired or none"`
	Live      bool     `json:"live" doc:"books can be made now"`
	Included  int      `json:"builds_included"`
	Extra     int      `json:"builds_extra"`
	Used      int      `json:"builds_used"`
	Remaining int      `json:"credits_remaining" doc:"finals that can still be ordered"`
	Expires   *string  `json:"expires_at"`
	Customer  string   `json:"customer_name"`
	Addons    []string `json:"addons" doc:"index: a back-of-book index may be set"`
	Proofs    int      `json:"proofs_last_24_hours"`
	MaxProofs int      `json:"proofs_allowed"`
}

func (s *service) pass() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/projects/{id}/pass", ID: "project_pass", Tag: "Project", Summary: "The production pass of a project",
		Params: []endpoint.AnyParam{pProject}, Answer: endpoint.Answer{Body: passBody{}}, Gate: s.gate(ofProject),
		Example: "/api/projects/1/pass",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			d, err := s.Records.Account(ctx, visitOf(ctx).project.ID)
			if err != nil {
				return nil, unavailable(err)
			}
			return &reply.Document{Body: passView(d, s.Records.Now())}, nil
		},
	}
}

func passView(d records.Account, now time.Time) passBody {
	p := d.Pass
	body := passBody{
		Exists: p.Exists(), Status: string(p.Status), Live: p.Live(now), Included: p.Included, Extra: p.Extra, Used: p.Used,
		Remaining: p.Remaining(), Customer: p.Customer, Addons: append([]string{}, p.Addons...), MaxProofs: records.MaxProofs,
	}
	switch {
	case !p.Exists():
		body.Status = "none"
	case p.Status == records.PassActive && !p.Live(now):
		body.Status = "expired"
	}
	if !p.Expires.IsZero() {
		at := p.Expires.UTC().Format(time.RFC3339)
		body.Expires = &at
	}
	for _, at := range d.Proofs {
		if at.After(now.Add(-records.ProofWindow)) {
			body.Proofs++
		}
	}
	return body
}

type booksBody struct {
	Books []build.BookView `json:"books"`
}

// maxBooks of a project are listed, the newest.
const maxBooks = 500

func (s *service) books() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/projects/{id}/books", ID: "project_books", Tag: "Project",
		Summary: "The books of a project, newest first",
		Params:  []endpoint.AnyParam{pProject}, Answer: endpoint.Answer{Body: booksBody{}}, Gate: s.gate(ofProject),
		Example: "/api/projects/1/books",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			project := visitOf(ctx).project.ID
			running, job, err := s.running(ctx, project)
			if err != nil {
				return nil, err
			}
			all, err := s.Records.Books(ctx, project, maxBooks)
			if err != nil {
				return nil, unavailable(err)
			}
			body := booksBody{Books: []build.BookView{}}
			for _, b := range all {
				own := job
				if running == nil || running.Book != b.ID {
					own = nil
				}
				body.Books = append(body.Books, build.View(b, s.public(r.HTTP), own))
			}
			return &reply.Document{Body: body}, nil
		},
	}
}
