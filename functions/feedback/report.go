package feedback

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"mappe/shared/web/fault"
)

// Category is what a report is about.
type Category string

// The categories. Token asks for a contributor token; services that issue none do not have it.
const (
	Bug         Category = "bug"
	Feature     Category = "feature"
	Improvement Category = "improvement"
	Question    Category = "question"
	Other       Category = "other"
	Token       Category = "token"
)

// WithToken are the categories of a service that issues contributor tokens.
func WithToken() []Category { return append(Categories(), Token) }

// Categories are those of a service that issues no tokens.
func Categories() []Category { return []Category{Bug, Feature, Improvement, Question, Other} }

// Severity is how bad it is.
type Severity string

// The severities.
const (
	Critical Severity = "critical"
	High     Severity = "high"
	Normal   Severity = "normal"
	Low      Severity = "low"
)

// AllSeverities lists the severities, the worst first.
func AllSeverities() []Severity { return []Severity{Critical, High, Normal, Low} }

// The limits of a report. Texts are counted in characters, the context in bytes of its shortest JSON.
const (
	maxTitle       = 200
	maxDescription = 20_000
	maxShort       = 500 // of agent, endpoint and contact
	maxContext     = 16 << 10
	// maxBody holds the longest texts with every character escaped as two code units, and the context.
	maxBody = 12*(maxTitle+maxDescription+3*maxShort) + 4*maxContext
)

// Report is what a client sends.
type Report struct {
	Title       string          `json:"title" doc:"what it is about; 1 to 200 characters"`
	Agent       string          `json:"agent,omitempty" doc:"who reports: a program, a person; at most 500 characters. The listing is public."`
	Category    Category        `json:"category,omitempty" doc:"default other"`
	Severity    Severity        `json:"severity,omitempty" doc:"critical, high, normal or low; default normal"`
	Description string          `json:"description,omitempty" doc:"plain text, at most 20,000 characters"`
	Endpoint    string          `json:"endpoint,omitempty" doc:"the endpoint it is about; at most 500 characters"`
	Contact     string          `json:"contact,omitempty" doc:"where the answer goes, such as a mail address; at most 500 characters. Required with the category token and refused with every other; it is not in the listing."`
	Context     json.RawMessage `json:"context,omitempty" doc:"an object of at most 16 KiB, kept as it is"`
}

// Record is a stored report.
type Record struct {
	ID          string          `json:"id"`
	Agent       string          `json:"agent"`
	Category    Category        `json:"category"`
	Severity    Severity        `json:"severity"`
	Status      string          `json:"status"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Endpoint    string          `json:"endpoint"`
	Context     json.RawMessage `json:"context"`
	CreatedAt   string          `json:"created_at"` // RFC 3339, UTC
}

// normal is the report with its defaults, checked. Texts lose spaces at their ends and are one line where they are
// names; control characters, which terminals would obey, are refused.
func (r Report) normal(categories []Category) (Report, error) {
	r.Title, r.Agent, r.Endpoint, r.Contact = strings.TrimSpace(r.Title), strings.TrimSpace(r.Agent), strings.TrimSpace(r.Endpoint),
		strings.TrimSpace(r.Contact)
	if r.Title == "" {
		return r, fault.Of(fault.Missing, "title", "", fmt.Sprintf("a text of 1 to %d characters", maxTitle))
	}
	for _, f := range []struct {
		name, text string
		most       int
		lines      bool
	}{{"title", r.Title, maxTitle, false}, {"agent", r.Agent, maxShort, false}, {"endpoint", r.Endpoint, maxShort, false}, {"contact",
		r.Contact, maxShort, false}, {"description", r.Description, maxDescription, true}} {
		if n := utf8.RuneCountInString(f.text); n > f.most {
			return r, fault.Of(fault.OutOfRange, f.name, f.text, fmt.Sprintf("at most %d characters, and not %d", f.most, n))
		}
		if strings.ContainsFunc(f.text, func(c rune) bool { return control(c, f.lines) }) {
			return r, fault.BadValue(f.name, f.text, "a text without control characters")
		}
	}
	if r.Category == "" {
		r.Category = Other
	}
	if r.Severity == "" {
		r.Severity = Normal
	}
	if err := oneOf("category", r.Category, categories); err != nil {
		return r, err
	}
	if err := oneOf("severity", r.Severity, AllSeverities()); err != nil {
		return r, err
	}
	if err := r.reachable(); err != nil {
		return r, err
	}
	context, err := object(r.Context)
	r.Context = context
	return r, err
}

// reachable checks the contact: who asks for a token has to be sent it, and nobody else is asked who they are.
func (r Report) reachable() error {
	switch {
	case r.Category == Token && r.Contact == "":
		return fault.Of(fault.Missing, "contact", "", "where the token is sent, such as a mail address, with the category token")
	case r.Category != Token && r.Contact != "":
		return fault.Of(fault.Conflict, "contact", "",
			"no contact, or the category token: only requests for a token are answered in person")
	}
	return nil
}

// control says whether a character steers a terminal; lines lets line ends and tabs pass.
func control(c rune, lines bool) bool {
	if lines && (c == '\n' || c == '\r' || c == '\t') {
		return false
	}
	return c < 0x20 || c >= 0x7f && c <= 0x9f
}

func oneOf[T ~string](name string, v T, allowed []T) error {
	known := make([]string, len(allowed))
	for i, a := range allowed {
		if a == v {
			return nil
		}
		known[i] = string(a)
	}
	return fault.BadValue(name, string(v), "one of "+strings.Join(known, ", ")+fault.DidYouMean(string(v), known))
}

// maxDepth bounds how deep the context nests, for those who read it.
const maxDepth = 32

// object is the context in its shortest JSON, null where none is given.
func object(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("null"), nil
	}
	short, depth, err := compact(raw)
	switch {
	case err != nil || short[0] != '{':
		return nil, fault.BadValue("context", string(raw), "a JSON object")
	case len(short) > maxContext:
		return nil, fault.Of(fault.OutOfRange, "context", "", fmt.Sprintf("an object of at most %d bytes, and not %d", maxContext,
			len(short)))
	case depth > maxDepth:
		return nil, fault.Of(fault.OutOfRange, "context", "", fmt.Sprintf("an object that nests at most %d deep", maxDepth))
	}
	return short, nil
}

// digest tells reports of the same content.
func (r Report) digest() string {
	b, _ := json.Marshal(r) // texts and JSON that was read: it cannot fail
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}
