package endpoint

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"mappe/shared/web/format"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

// section is a part of llm.txt.
type section string

const (
	sectionAll         section = "all"
	sectionEndpoints   section = "endpoints"
	sectionIntegration section = "integration"
)

var (
	llmSection     = Enum("section", "The part of the text: the endpoints, or the contract that sibling services follow.", []section{sectionAll, sectionEndpoints, sectionIntegration}, Default(string(sectionAll)))
	llmIntegration = flag("integration", "The same as section=integration.")
)

// Documents are the endpoints by which a service describes itself below a path such as /api/v1/docs: the page to try
// the endpoints, and llm.txt, the endpoint table as plain text. Integration is the contract of sibling services, the
// section of that name. What is described is the service at the time of the request, Elsewhere included.
func (s *Service) Documents(path, integration string) []Endpoint {
	return []Endpoint{
		{
			Method: "GET", Path: path, ID: "docs", Tag: "Documentation", Summary: "The page to try the endpoints",
			Answer: Answer{ContentType: "text/html"}, Cache: Own, Example: path,
			ETag: s.ownTag(func(r *Request) (string, error) { return s.docsPage(s.base(r.HTTP)), nil }),
			Serve: func(_ context.Context, r *Request) (reply.Answer, error) {
				base := s.base(r.HTTP)
				return &reply.Bytes{ContentType: htmlpage.ContentType, Body: []byte(s.docsPage(base)), Header: docsPolicy(base).Header()}, nil
			},
		},
		{
			Method: "GET", Path: path + "/llm.txt", ID: "docs_llm", Tag: "Documentation", Summary: "The endpoints as plain text",
			Doc: `For programs that read text: every endpoint with its parameters, its rows and an example, made from the table that the
service itself is made from, then the contract that sibling services follow.`,
			Params: []AnyParam{llmSection, llmIntegration},
			Answer: Answer{ContentType: "text/plain"}, Cache: Own, Example: path + "/llm.txt?section=integration",
			ETag: s.ownTag(func(r *Request) (string, error) { return s.llm(r, integration) }),
			Serve: func(_ context.Context, r *Request) (reply.Answer, error) {
				text, err := s.llm(r, integration)
				return &reply.Bytes{ContentType: "text/plain; charset=utf-8", Body: []byte(text)}, err
			},
		},
	}
}

// ownTag is the tag of a body that the program makes of itself.
func (s *Service) ownTag(body func(*Request) (string, error)) func(context.Context, *Request) (string, error) {
	return func(_ context.Context, r *Request) (string, error) {
		text, err := body(r)
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:8]), err
	}
}

// llm is the text that a request asks for.
func (s *Service) llm(r *Request, integration string) (string, error) {
	part := llmSection.Of(r)
	if llmIntegration.Of(r) {
		if llmSection.Given(r) && part != sectionIntegration {
			return "", llmIntegration.Clash(r, "section=integration, or no section beside it")
		}
		part = sectionIntegration
	}
	base := s.base(r.HTTP)
	integration = strings.ReplaceAll(integration, "{base_url}", base)
	if part == sectionIntegration {
		return integration, nil
	}
	text, err := s.Text(base)
	if part == sectionAll && integration != "" {
		text += "\n" + integration
	}
	return text, err
}

// conventions are what all endpoints have in common, as their handlers keep it.
const conventions = `## Conventions

- Errors: {error, status, code, errors: [{parameter, value, expected}], request_id}. 400 names the parameter, the value and what is allowed.
- Lists: {data: [...], meta: {total, limit, offset, ...}}. total counts every match. The header Link with rel="next" is the next page.
- format=json|geojson|csv|gpkg|geojsonseq|ndjson|parquet where rows are listed; fields=a,b gives only those columns; pretty=1 indents.
- Coordinates: WGS84, 7 decimals, unless crs= says otherwise. Areas in m², distances in metres.
- Codes of KGs and municipalities are texts of 5 digits with leading zeros. A slash within an id is %2F, once.
- GET answers carry an ETag, weak where the body tells query_time_ms; If-None-Match gives 304. All origins may ask (CORS).
`

// Text describes the service in plain text (Markdown) for programs that read text. The same table gives the same text.
func (s *Service) Text(base string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\nBase URL: %s\nOpenAPI 3.1: %s/openapi.json\nPage to try the endpoints: %s%s\n", s.Title, s.Description, cmp.Or(base, "/"), base, base, s.docsPath())
	if s.Notice.License != "" {
		fmt.Fprintf(&b, "Licence of the data: %s\n", s.Notice.String())
	}
	b.WriteString("\n" + conventions)
	all := slices.Concat(s.Endpoints, s.Elsewhere)
	var tags []string
	for _, e := range all {
		if !slices.Contains(tags, e.Tag) {
			tags = append(tags, e.Tag)
		}
	}
	for _, tag := range tags {
		fmt.Fprintf(&b, "\n## %s\n", cmp.Or(tag, "Endpoints"))
		for _, e := range all {
			if e.Tag != tag {
				continue
			}
			o, err := described(e)
			if err != nil {
				return "", err
			}
			o.text(&b, base)
		}
	}
	return b.String(), nil
}

// text writes one endpoint.
func (o *operation) text(b *strings.Builder, base string) {
	e := o.e
	fmt.Fprintf(b, "\n### %s %s\n\n%s.\n", e.Method, e.Path, strings.TrimSuffix(e.Summary, "."))
	if doc := strings.TrimSpace(e.Doc); doc != "" {
		fmt.Fprintf(b, "\n%s\n", doc)
	}
	b.WriteString("\n")
	for i, s := range o.specs {
		if !s.hidden {
			s.text(b, o.path[i])
		}
	}
	if e.Body != nil {
		spec := e.Body.bodySpec()
		fmt.Fprintf(b, "- body, %s, at most %d bytes: %s\n", cmp.Or(spec.media, "application/json"), spec.maxBytes, spec.doc)
	}
	for _, k := range e.Answer.Rows {
		fmt.Fprintf(b, "- rows %s: %s\n", k.Name, strings.Join(format.FieldNames(k), ", "))
	}
	if e.Bearer != nil {
		fmt.Fprintf(b, "- needs the %s token: Authorization: Bearer TOKEN\n", e.Bearer.Name)
	}
	if e.Example == "" {
		return
	}
	fmt.Fprintf(b, "- example: %s %s%s", e.Method, base, e.Example)
	if e.Method != http.MethodGet && e.ExampleBody != "" {
		fmt.Fprintf(b, " with the body %s", e.ExampleBody)
	}
	b.WriteString("\n")
}

// text writes one parameter.
func (s *spec) text(b *strings.Builder, path bool) {
	kind := s.typ
	if s.list {
		kind = "comma list"
	}
	if len(s.enum) > 0 {
		kind += ", one of " + strings.Join(s.enum, "|")
	}
	if path {
		kind += ", in the path"
	} else if s.required {
		kind += ", required"
	}
	if s.hasDefault && s.def != "" {
		kind += ", default " + s.def
	}
	if !s.list && s.typ != "string" {
		kind += s.bounds()
	}
	fmt.Fprintf(b, "- %s (%s): %s", s.name, kind, s.doc)
	if len(s.aliases) > 0 {
		fmt.Fprintf(b, " Also written %s.", strings.Join(s.aliases, ", "))
	}
	b.WriteString("\n")
}
