package feedback

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"mappe/shared/cloud/clientlimit"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

const tag = "Feedback"

// open is the only status: nothing moves a report on.
const open = "open"

// Rate is how many reports a client may send: ten at once, then one in half a minute.
var Rate = clientlimit.Rate{Every: 30 * time.Second, Burst: 10}

// Deps are what the endpoints stand on. Without an Intake they are described and answer 503.
type Deps struct {
	Intake     *Intake
	Categories []Category       // nil: Categories()
	Now        func() time.Time // nil: time.Now
}

type service struct {
	Deps
	limit *clientlimit.Limiter
	body  *endpoint.BodyOf[Report]
}

// New are the endpoints.
func New(d Deps) []endpoint.Endpoint {
	if d.Categories == nil {
		d.Categories = Categories()
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	s := &service{d, clientlimit.New(Rate), endpoint.Body[Report]("a JSON object with a title", maxBody)}
	return []endpoint.Endpoint{s.post(), s.list()}
}

type feedbackCreated struct {
	Status  string `json:"status"` // created
	ID      string `json:"id"`
	Message string `json:"message"`
}

type feedbackList struct {
	Feedback []Record     `json:"feedback"`
	Meta     feedbackMeta `json:"meta"`
}

type feedbackMeta struct {
	Open      int    `json:"open"`
	Returned  int    `json:"returned"`
	Timestamp string `json:"timestamp"`
	Total     int    `json:"total"`
}

func (s *service) post() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/feedback", ID: "feedback_post", Tag: tag, Summary: "Report a problem, a wish or a question",
		Doc: "title is required; category is one of " + strings.Join(names(s.Categories),
			", ") + ` (default other), severity critical, high, normal
or low (default normal).` + s.aboutTokens() + ` The report is public: GET lists it. It is kept and returned as plain text. A client may send ten reports at
once and then one in half a minute (429 with Retry-After); a service takes 1,000 reports a day. A report that was stored already is
answered with its id again, so that a client whose answer was lost may repeat it.`,
		Body: s.body, Cache: endpoint.Live, Gate: s.flood,
		Answer: endpoint.Answer{Status: http.StatusCreated, Body: feedbackCreated{}, Others: []endpoint.Other{
			{Status: http.StatusOK, Doc: "The same report was stored before.", Body: feedbackCreated{}},
			{Status: http.StatusTooManyRequests, Doc: "Too many reports of this client, or of this day.", Body: fault.Schema()},
		}},
		Example:     "/api/v1/feedback",
		ExampleBody: `{"title":"Parcel 99101-1 has two labels","category":"bug","severity":"low","endpoint":"/api/v1/search/parcel"}`,
		Serve:       s.add,
	}
}

// aboutTokens says how a contributor token is asked for, where the service issues some.
func (s *service) aboutTokens() string {
	if !slices.Contains(s.Categories, Token) {
		return ""
	}
	return ` The category token asks for a contributor token: contact says where it is sent, and is the one member that GET does not list.`
}

func (s *service) list() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/feedback", ID: "feedback_list", Tag: tag, Summary: "The reports, newest first",
		Doc: `feedback holds the newest reports; meta {open, returned, timestamp, total} counts all. Texts are plain text: whoever shows
them on a page escapes them.`,
		Params: []endpoint.AnyParam{status, limit},
		Answer: endpoint.Answer{Body: feedbackList{}}, Cache: endpoint.Live,
		Example: "/api/v1/feedback?status=open&limit=20",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if s.Intake == nil {
				return nil, errNoLedger
			}
			records, total, err := s.Intake.List(ctx, limit.Of(r))
			if err != nil {
				return nil, unavailable(err)
			}
			return &reply.Document{Body: feedbackList{records, feedbackMeta{total, len(records), s.Now().UTC().Format(time.RFC3339),
				total}}}, nil
		},
	}
}

var (
	status = endpoint.Enum("status", "Only reports of this status; every report is open.", []string{open}, endpoint.Default(open))
	limit  = endpoint.Int("limit", "Reports in the answer at most.", endpoint.Between(1, 100), endpoint.Default("20"))
)

var errNoLedger = fault.New(fault.Unavailable, "this service takes no reports here: it has no ledger")

// unavailable is the fault of a ledger that cannot be read or written.
func unavailable(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fault.Retry(fault.Unavailable, 5*time.Second, "reports cannot be stored or read just now: try again").Because(err)
}

// flood stands before the body is read: a client that sends too much is refused by its address.
func (s *service) flood(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client, _ := netip.ParseAddrPort(r.RemoteAddr) // one that cannot be read is not limited
		if wait := s.limit.Take(client.Addr(), s.Now()); wait > 0 {
			for name, value := range s.limit.Headers(wait) {
				w.Header().Set(name, value)
			}
			w.Header().Set("Cache-Control", "no-store")
			reply.Fault(w, fault.Retry(fault.RateLimited, wait, "%s", s.limit.Message(wait)), w.Header().Get("X-Request-Id"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *service) add(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	if s.Intake == nil {
		return nil, errNoLedger
	}
	report, err := s.body.Of(r).normal(s.Categories)
	if err != nil {
		return nil, err
	}
	record, created, err := s.Intake.Add(ctx, report)
	switch {
	case errors.Is(err, errFull):
		return nil, fault.Retry(fault.RateLimited, time.Hour,
			"the service has taken %d reports in the last 24 hours and takes no more: try again later", maxDaily)
	case err != nil:
		return nil, unavailable(err)
	case !created:
		return &reply.Document{Body: feedbackCreated{"created", record.ID, "This report was stored before. Thank you."}}, nil
	}
	return &reply.Document{Status: http.StatusCreated, Body: feedbackCreated{"created", record.ID, "Thank you for the report."}}, nil
}

func names(list []Category) []string {
	out := make([]string, 0, len(list))
	for _, c := range list {
		out = append(out, string(c))
	}
	return out
}
