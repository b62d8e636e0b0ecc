package books

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mappe/functions/books/studio"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// visit is whom a request's tokens let in, and to what.
type visit struct {
	opened  map[int64]studio.Project // by the tokens
	project studio.Project           // of the path
	book    studio.Book              // of the path
}

type visitKey struct{}

func visitOf(ctx context.Context) visit {
	v, _ := ctx.Value(visitKey{}).(visit)
	return v
}

// cookiePrefix stands before the project's number in the name of the cookie that carries its token.
const cookiePrefix = "prodcal_auth_"

// maxTokens of one request are looked up: a browser sends the cookies of all projects it is signed in to.
const maxTokens = 40

// The scopes of a gate: what the number in the path names.
type scope int

const (
	anyProject scope = iota // none: some token is needed, the handler asks what it opens
	ofProject
	ofBook
)

// gate lets requests with a token pass, before anything else of them is looked at.
func (s *service) gate(what scope) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			v, err := s.admit(r, what)
			if err == nil {
				next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitKey{}, v)))
				return
			}
			f := fault.From(unavailable(err))
			if f.Code == fault.Unauthorized {
				w.Header().Set("WWW-Authenticate", `Bearer realm="books"`)
			}
			if f.Unwrap() != nil && r.Context().Err() == nil {
				s.Logger.ErrorContext(r.Context(), "a token could not be looked up", "error", f.Unwrap())
			}
			reply.Fault(w, f, w.Header().Get("X-Request-Id"))
		})
	}
}

var errUnauthorized = fault.New(fault.Unauthorized, "unauthorized")

// admit finds what the tokens of a request open. A project's number that they do not open is unauthorized,
// whether there is such a project or not; so is a book of another project. Only who has a token learns that
// a book does not exist.
func (s *service) admit(r *http.Request, what scope) (visit, error) {
	v := visit{opened: map[int64]studio.Project{}}
	if s.Studio == nil {
		return v, errNoStudio
	}
	for _, c := range credentials(r) {
		p, err := s.Studio.Open(r.Context(), c.token)
		if errors.Is(err, studio.ErrToken) || err == nil && c.project != 0 && c.project != p.ID {
			continue
		}
		if err != nil {
			return v, err
		}
		v.opened[p.ID] = p
	}
	if len(v.opened) == 0 {
		return v, errUnauthorized
	}
	if what == anyProject {
		return v, nil
	}
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return v, nil // the table says what is wrong with it
	}
	if what == ofBook {
		v.book, err = s.Studio.Book(r.Context(), id)
		if errors.Is(err, studio.ErrNotFound) {
			return v, fault.Missed("book", r.PathValue("id"))
		}
		if err != nil {
			return v, err
		}
		id = v.book.Project
	}
	p, ok := v.opened[id]
	if !ok {
		return visit{}, errUnauthorized
	}
	v.project = p
	return v, nil
}

// credential is a token and the project it was sent for; 0 where the request does not say.
type credential struct {
	token   string
	project int64
}

// credentials are the tokens of a request. A cookie is sent by the browser whoever made the page that asks:
// from another site it counts only where a link is followed, not for what a page takes in as its script.
func credentials(r *http.Request) []credential {
	var all []credential
	if scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		all = append(all, credential{token: strings.TrimSpace(text)})
	}
	if text := r.Header.Get("X-Auth-Token"); text != "" {
		all = append(all, credential{token: strings.TrimSpace(text)})
	}
	site, reads := r.Header.Get("Sec-Fetch-Site"), r.Method == http.MethodGet || r.Method == http.MethodHead
	foreign := site != "" && site != "same-origin" && site != "none"
	if foreign && !(reads && r.Header.Get("Sec-Fetch-Mode") == "navigate") {
		return all
	}
	for _, c := range r.Cookies() {
		number, ok := strings.CutPrefix(c.Name, cookiePrefix)
		id, err := strconv.ParseInt(number, 10, 64)
		if ok && err == nil && id > 0 && len(all) < maxTokens {
			all = append(all, credential{c.Value, id})
		}
	}
	return all
}

// The numbers in paths.
var (
	pProject = endpoint.Int("id", "Number of the project.", endpoint.AtLeast(1), endpoint.Example("1"))
	pBook    = endpoint.Int("id", "Number of the book, as the upload gave it.", endpoint.AtLeast(1), endpoint.Example("123456789"))
)

// live is the desk of a project whose pass lets books be made; a 403 where it does not.
func (s *service) live(ctx context.Context, project int64) (studio.Desk, error) {
	d, err := s.Studio.Desk(ctx, project)
	if err != nil {
		return d, unavailable(err)
	}
	if !d.Pass.Live(s.Studio.Now()) {
		return d, errNoPass(d.Pass)
	}
	return d, nil
}

func errNoPass(p studio.Pass) error {
	why := "none was granted yet"
	switch {
	case p.Status == studio.PassSuspended:
		why = "it is suspended"
	case p.Exists():
		why = "it expired on " + p.Expires.Add(-time.Second).Format("2 January 2006") // midnight is the end of a day
	}
	return fault.New(fault.Forbidden, "the project has no live pass: %s; ask the studio", why)
}
