package endpoint

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Bearer is a token that endpoints ask for: Authorization: Bearer TOKEN. It is declared once and protects any
// number of endpoints; openapi.json shows it as a security scheme of its name.
type Bearer struct {
	Name string // of the scheme and of the realm: "operator"
	Doc  string // who has the token, and where from
	// Check says whether a text is the token; an error where that cannot be told now. nil: nobody has it here.
	Check func(ctx context.Context, text string) (ok bool, err error)
}

// Protect puts an endpoint behind the token: nothing of a request is looked at before. The answer is kept by
// nobody. Without the token it is 401, and 403 where nobody has one; both are described.
func (b Bearer) Protect(e Endpoint) Endpoint {
	inner := e.Gate
	e.Gate = func(next http.Handler) http.Handler {
		if inner != nil {
			next = inner(next)
		}
		return b.wrap(next)
	}
	e.Bearer, e.Cache = &b, Live
	e.Answer.Others = append(slices.Clip(e.Answer.Others),
		Other{Status: http.StatusUnauthorized, Doc: "The token is missing or wrong.", Body: fault.Schema()},
		Other{Status: http.StatusForbidden, Doc: "Nobody may do this here: no token is set up.", Body: fault.Schema()})
	return e
}

func (b Bearer) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, challenge := b.refuse(r)
		if f == nil {
			next.ServeHTTP(w, r)
			return
		}
		if challenge != noChallenge {
			w.Header().Set("WWW-Authenticate", `Bearer realm="`+b.Name+`"`+challenge)
		}
		w.Header().Set("Cache-Control", "no-store")
		reply.Fault(w, f, w.Header().Get("X-Request-Id"))
	})
}

// retryCheck is when a client asks again whose token could not be compared.
const retryCheck = 5 * time.Second

// What a refusal adds to the challenge, where it has one.
const (
	noMore      = ""
	noChallenge = "-"
)

// refuse gives the fault of a request that does not pass, and what RFC 6750 adds to the challenge.
func (b Bearer) refuse(r *http.Request) (f *fault.Fault, challenge string) {
	if b.Check == nil {
		return fault.New(fault.Forbidden, "this cannot be done here: no %s token is set up", b.Name), noMore
	}
	text, ok := bearerOf(r.Header)
	if !ok {
		return fault.New(fault.Unauthorized, "the %s token is missing: expected the header Authorization: Bearer TOKEN", b.Name), noMore
	}
	switch ok, err := b.Check(r.Context(), text); {
	case err != nil:
		return fault.Retry(fault.Unavailable, retryCheck, "the %s token cannot be compared just now: try again", b.Name).Because(err),
			noChallenge
	case !ok:
		return fault.New(fault.Unauthorized, "this is not the %s token", b.Name), `, error="invalid_token"`
	}
	return nil, noChallenge
}

// bearerOf is the token of a request that sends exactly one.
func bearerOf(h http.Header) (string, bool) {
	lines := h.Values("Authorization")
	if len(lines) != 1 {
		return "", false
	}
	scheme, text, _ := strings.Cut(lines[0], " ")
	text = strings.TrimSpace(text)
	return text, strings.EqualFold(scheme, "Bearer") && text != ""
}
