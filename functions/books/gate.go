package books

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"mappe/functions/books/records"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// visit is whom a request's tokens let in, and to what.
type visit struct {
	opened  map[int64]records.Project // by the tokens
	project records.Project           // of the path
	book    records.Book              // of the path
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
// whether there is such a project or not. A book of another project is not found, as a number is that no book
// has: nobody learns which numbers others have.
func (s *service) admit(r *http.Request, what scope) (visit, error) {
	v := visit{opened: map[int64]records.Project{}}
	if s.Records == nil {
		return v, errNoRecords
	}
	for _, c := range s.credentials(r) {
		p, err := s.Records.Open(r.Context(), c.token)
		if errors.Is(err, records.ErrToken) || err == nil && c.project != 0 && c.project != p.ID {
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
		return s.admitToBook(r, v, id)
	}
	p, ok := v.opened[id]
	if !ok {
		return visit{}, errUnauthorized
	}
	v.project = p
	return v, nil
}

func (s *service) admitToBook(r *http.Request, v visit, id int64) (visit, error) {
	b, err := s.Records.Book(r.Context(), id)
	if err != nil && !errors.Is(err, records.ErrNotFound) {
		return visit{}, err
	}
	p, ok := v.opened[b.Project]
	if err != nil || !ok {
		return visit{}, fault.Missed("book", r.PathValue("id"))
	}
	v.book, v.project = b, p
	return v, nil
}

// credential is a token and the project it was sent for; 0 where the request does not say.
type credential struct {
	token   string
	project int64
}

// credentials are the tokens of a request. A cookie is sent by the browser whoever made the page that asks, so it
// counts only where cookies may.
func (s *service) credentials(r *http.Request) []credential {
	var all []credential
	if scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		all = append(all, credential{token: strings.TrimSpace(text)})
	}
	if text := r.Header.Get("X-Auth-Token"); text != "" {
		all = append(all, credential{token: strings.TrimSpace(text)})
	}
	if !s.cookiesCount(r) {
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

// cookiesCount says whether the cookies of a request carry tokens. A change needs a page of the same origin. What
// is read may also be typed in, or be a link that is followed from elsewhere, but nothing that another page takes
// in as its script or its data. Browsers say so in Sec-Fetch-Site; of those that do not, Origin decides, and
// without it Referer. Programs that are no browsers send none of them and hold the cookie themselves.
func (s *service) cookiesCount(r *http.Request) bool {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "":
	case "same-origin":
		return true
	default:
		return reads && (site == "none" || r.Header.Get("Sec-Fetch-Mode") == "navigate")
	}
	if from := r.Header.Values("Origin"); len(from) > 0 {
		return len(from) == 1 && s.ours(r, from[0])
	}
	if from := r.Header.Get("Referer"); from != "" && !reads {
		return s.ours(r, from)
	}
	return true
}

// ours says whether an address is of the service's own origin.
func (s *service) ours(r *http.Request, address string) bool {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" {
		return false
	}
	own, err := url.Parse(s.public(r))
	return err == nil && strings.EqualFold(at.Scheme, own.Scheme) && strings.EqualFold(at.Host, own.Host)
}

// The numbers in paths.
var (
	pProject = endpoint.Int("id", "Number of the project.", endpoint.AtLeast(1), endpoint.Example("1"))
	pBook    = endpoint.Int("id", "Number of the book, as the upload gave it.", endpoint.AtLeast(1), endpoint.Example("123456789"))
)

// live is the account of a project whose pass lets books be made; a 403 where it does not.
func (s *service) live(ctx context.Context, project int64) (records.Account, error) {
	d, err := s.Records.Account(ctx, project)
	if err != nil {
		return d, unavailable(err)
	}
	if !d.Pass.Live(s.Records.Now()) {
		return d, errNoPass(d.Pass)
	}
	return d, nil
}

func errNoPass(p records.Pass) error {
	why := "none was granted yet"
	switch {
	case p.Status == records.PassSuspended:
		why = "it is suspended"
	case p.Exists():
		why = "it expired on " + p.Expires.Add(-time.Second).Format("2 January 2006") // midnight is the end of a day
	}
	return fault.New(fault.Forbidden, "the project has no live pass: %s; ask the studio", why)
}
