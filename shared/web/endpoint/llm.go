package endpoint

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"mappe/shared/web/fault"
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
	llmSection = Enum("section", "The part of the text: the endpoints, or the contract that sibling services follow.",
		[]section{sectionAll, sectionEndpoints, sectionIntegration}, Default(string(sectionAll)))
	llmTag         = String("tag", "Only the endpoints of this tag, in full; the headings of the text are the tags.", Example("Search"))
	llmIntegration = flag("integration", "The same as section=integration.")
)

// Documents are the endpoints by which a service describes itself below a path such as /api/v1/docs: the page to try
// the endpoints, and llm.txt, the endpoint table as plain text. Integration is the contract of sibling services, the
// section of that name. What is described is the service at the time of the request, Elsewhere included.
func (s *Service) Documents(path, integration string) []Endpoint {
	return []Endpoint{
		s.docsEndpoint(path, "docs"),
		{
			Method: "GET", Path: path + "/llm.txt", ID: "docs_llm", Tag: "Documentation", Summary: "The endpoints as plain text",
			Doc: `For programs that read text: every endpoint with its parameters, its rows and an example, made from the table that the
service itself is made from, then the contract that sibling services follow.`,
			Params: []AnyParam{llmSection, llmTag, llmIntegration},
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
		return bodyTag([]byte(text)), err
	}
}

// bodyTag names bytes.
func bodyTag(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:8])
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
	if llmTag.Given(r) {
		return s.oneTag(base, llmTag.Of(r))
	}
	text, err := s.Text(base)
	if part == sectionAll && integration != "" {
		text += "\n" + integration
	}
	return text, err
}

// oneTag is the text of the endpoints of a tag.
func (s *Service) oneTag(base, tag string) (string, error) {
	var tags []string
	for _, e := range slices.Concat(s.Endpoints, s.Described) {
		if !slices.Contains(tags, e.Tag) {
			tags = append(tags, e.Tag)
		}
	}
	if !slices.Contains(tags, tag) {
		return "", fault.BadValue("tag", tag, "one of "+strings.Join(tags, ", ")+fault.DidYouMean(tag, tags))
	}
	return s.textOf(base, tag, false)
}

// conventions are what all endpoints have in common, as their handlers keep it.
const conventions = `## Conventions

- Errors: {error, status, code, errors: [{parameter, value, expected}], request_id}. 400 names the parameter, the value and what is allowed.
- Lists: {data: [...], meta: {total, limit, offset, ...}}. total counts every match. The header Link with rel="next" is the next page.
- format=json|geojson|csv|gpkg|geojsonseq|ndjson|parquet where rows are listed, shapefile where they have shapes (a zip); fields=a,b gives only those columns; pretty=1 indents.
- Coordinates: WGS84, 7 decimals, unless crs= says otherwise. Areas in m², distances in metres.
- Codes of KGs and municipalities are texts of 5 digits with leading zeros. A slash within an id is %2F, once.
- GET answers carry an ETag, weak where the body tells query_time_ms; If-None-Match gives 304. All origins may ask (CORS).
`
