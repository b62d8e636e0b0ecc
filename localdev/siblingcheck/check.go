// Package siblingcheck asks a service whether it keeps the contract of sibling services (functions/sibling) and says
// in plain words what breaks which rule. It knows the contract from its text alone: it reads what any client reads,
// and shares no code with the services that keep it.
package siblingcheck

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Finding is a rule that is broken.
type Finding struct {
	Address string // path that was asked
	Says    string // what it answers
	Rule    string // what the contract asks for
}

// Report is what was found out of a service.
type Report struct {
	Base, Service string
	KGs           int // that it says it has data of
	Asked         int // requests
	Checked       []string
	Findings      []Finding
}

// Good says that no rule is broken.
func (r *Report) Good() bool { return len(r.Findings) == 0 }

// Options choose what is asked.
type Options struct {
	Client *http.Client // nil: one of 30 seconds
	KG     string       // a KG with data; "" takes the first of the service's coverage
}

// maxBody bounds an answer: 500 KGs of a large service.
const maxBody = 256 << 20

// Check asks the service at a base address, "http://host/cadastre". An error says that it cannot be asked at all.
func Check(ctx context.Context, base string, o Options) (*Report, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q: want the address of a service, such as http://127.0.0.1:8080/cadastre", base)
	}
	if o.Client == nil {
		o.Client = &http.Client{Timeout: 30 * time.Second}
	}
	c := &check{ctx: ctx, client: o.Client, base: strings.TrimSuffix(strings.TrimSuffix(u.String(), "/"), "/llm"), Report: &Report{}}
	c.Base = c.base
	m := c.manifest()
	if c.unreachable != nil {
		return nil, c.unreachable
	}
	covered := c.coverage(m)
	if o.KG == "" && len(covered) > 0 {
		o.KG = covered[0]
	}
	var first map[string]any
	if o.KG != "" {
		first = c.kg(o.KG, m)
	} else {
		c.note("a KG with data: the coverage is empty and --kg names none, so that payloads were not looked at")
	}
	c.missing(covered, o.KG)
	c.batch(o.KG, covered)
	c.parcel(first)
	c.readOnly(o.KG)
	return c.Report, nil
}

// check is one run.
type check struct {
	*Report
	ctx         context.Context
	client      *http.Client
	base        string
	unreachable error
}

// fail notes a broken rule.
func (c *check) fail(address, rule, says string, args ...any) {
	c.Findings = append(c.Findings, Finding{address, fmt.Sprintf(says, args...), rule})
}

// note says what was looked at.
func (c *check) note(text string) { c.Checked = append(c.Checked, text) }

// answer is what came of a request.
type answer struct {
	path   string
	status int
	header http.Header
	body   []byte
}

// ask sends a request; nil where there is no answer, which is a finding.
func (c *check) ask(method, path string, header ...string) *answer {
	address := path
	if !strings.Contains(path, "://") {
		address = c.base + path
	}
	r, err := http.NewRequestWithContext(c.ctx, method, address, nil)
	if err != nil {
		c.fail(path, "Every address of the contract can be asked.", "the address cannot be asked: %v", err)
		return nil
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	c.Asked++
	w, err := c.client.Do(r)
	if err != nil {
		if c.Asked == 1 {
			c.unreachable = fmt.Errorf("the service cannot be reached: %w", err)
			return nil
		}
		c.fail(path, "Every address of the contract answers.", "there is no answer: %v", err)
		return nil
	}
	defer w.Body.Close()
	body, err := io.ReadAll(io.LimitReader(w.Body, maxBody+1))
	if err != nil || len(body) > maxBody {
		c.fail(path, "Every address of the contract answers.", "the answer ends early, or is longer than %d bytes", maxBody)
		return nil
	}
	return &answer{path, w.StatusCode, w.Header, body}
}

// object reads the answer as a JSON object; nil for anything else, which is a finding.
func (c *check) object(a *answer) map[string]any {
	if a == nil {
		return nil
	}
	if t := a.header.Get("Content-Type"); !strings.HasPrefix(t, "application/json") {
		c.fail(a.path, "Answers are JSON, with Content-Type: application/json.", "the Content-Type is %q", t)
	}
	var v map[string]any
	if err := json.Unmarshal(a.body, &v); err != nil || v == nil {
		c.fail(a.path, "Answers are JSON objects.", "the body is no JSON object: %.80q", a.body)
		return nil
	}
	return v
}

// open says whether scripts of every origin may read an answer.
func (c *check) open(a *answer) {
	if a != nil && a.header.Get("Access-Control-Allow-Origin") != "*" {
		c.fail(a.path, "All origins may ask: Access-Control-Allow-Origin: *.", "Access-Control-Allow-Origin is %q",
			a.header.Get("Access-Control-Allow-Origin"))
	}
}

// String is the report for people.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", r.Base)
	if r.Service != "" {
		fmt.Fprintf(&b, " (%s, %d KGs)", r.Service, r.KGs)
	}
	fmt.Fprintf(&b, ": %d requests\n", r.Asked)
	for _, t := range r.Checked {
		fmt.Fprintf(&b, "  note: %s\n", t)
	}
	for i, f := range r.Findings {
		fmt.Fprintf(&b, "%3d. %s\n     %s\n     Rule: %s\n", i+1, f.Address, f.Says, f.Rule)
	}
	if r.Good() {
		b.WriteString("  It keeps the contract as far as these requests show.\n")
	}
	return b.String()
}
