// Package contrib takes the reports of observers on cells: digests of the chunks that they have computed or measured
// themselves, compared with a published container, the baseline. It owns the endpoint and its token; tokens and sightings
// are functions/context/contrib/observers. It changes no artefact: what two observers see alike is confirmed, and an
// operator or a builder may act on it.
package contrib

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/context/contrib/observers"
	"mappe/functions/core/cells"
	"mappe/functions/core/generation"
	"mappe/functions/family"
	"mappe/shared/cloud/bearer"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Family is how the endpoint is reached and what its function is given.
var Family = family.Family{
	Name: "context-contrib", Program: "functions/context/contrib/lambda", Prefix: "/context",
	Paths: []string{"/contrib/*"},
	Needs: family.Needs{Store: true, Reads: []string{"cells"}, Ledger: []string{"cells/*"}},
}

// Deps are what the endpoint stands on. Without Records reports are refused.
type Deps struct {
	Library *library.Library
	Records *observers.Records
	Version string
	Now     func() time.Time // default time.Now
	Log     *slog.Logger     // default: silent
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	s := &service{d.Records}
	return &endpoint.Service{
		System: "context", Title: "Reports on cells", Version: d.Version,
		Description: "Observers compare what they see with the published cells.",
		Endpoints:   []endpoint.Endpoint{s.report()}, Notice: cells.Notice, Pin: generation.Pin(d.Library), Now: d.Now, Log: d.Log,
		Explain: generation.Fault,
	}
}

type service struct{ records *observers.Records }

const retryLedger = 5 * time.Second

// unavailable is the fault of a ledger that cannot be read or written; what was sent may be sent again.
func unavailable(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fault.Retry(fault.Unavailable, retryLedger, "reports cannot be kept just now: try again").Because(err)
}

type tokenKey struct{}

// bearers lets requests with a token pass, before their body is read.
func (s *service) bearers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse := func(f *fault.Fault, challenge string) {
			if challenge != "" {
				w.Header().Set("WWW-Authenticate", challenge)
			}
			reply.Fault(w, f, w.Header().Get("X-Request-Id"))
		}
		if s.records == nil {
			refuse(fault.New(fault.Unavailable, "reports are not taken here: there is no ledger"), "")
			return
		}
		const realm = `Bearer realm="contributor"`
		scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || strings.TrimSpace(text) == "" {
			refuse(fault.New(fault.Unauthorized,
				"a contributor token is required: expected the header Authorization: Bearer TOKEN; POST /feedback with category token asks for one"), realm)
			return
		}
		t, err := s.records.Bearer(r.Context(), strings.TrimSpace(text))
		switch {
		case bearer.Refused(err):
			refuse(fault.New(fault.Unauthorized, "%v", err), realm+`, error="invalid_token"`)
		case err != nil:
			refuse(fault.From(unavailable(err)), "")
		default:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, t)))
		}
	})
}
