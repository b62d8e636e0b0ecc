package endpoint

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"mappe/shared/web/catalogue"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

// language is one that a service is described in.
type language string

const (
	english language = "en"
	german  language = "de"
)

// pageLanguage is asked by the page's own script.
var pageLanguage = Enum("lang", "Language of the page. Where it is absent, the browser's.", []language{english, german},
	Example(string(german)))

// languages are those that openapi.json is given in.
func (s *Service) languages() []language {
	if len(s.German) == 0 {
		return []language{english}
	}
	return []language{english, german}
}

func languageList(list []language) string { return strings.Join(texts(list), " ") }

// own are the endpoints by which a service describes itself, but those that it declares itself; rt has what they answer.
func (s *Service) own(rt *router) []Endpoint {
	page := s.docsEndpoint(s.docsPath(), "docs_page")
	return slices.DeleteFunc([]Endpoint{s.openAPIEndpoint(rt), page}, func(own Endpoint) bool {
		return slices.ContainsFunc(slices.Concat(s.Endpoints, s.Described), func(e Endpoint) bool {
			return e.Method == own.Method && e.Path == own.Path
		})
	})
}

// docsEndpoint is the page to try the endpoints.
func (s *Service) docsEndpoint(path, id string) Endpoint {
	return Endpoint{
		Method: http.MethodGet, Path: path, ID: id, Tag: "Documentation", Summary: "The page to try the endpoints",
		Params: []AnyParam{pageLanguage}, Answer: Answer{ContentType: "text/html"}, Cache: Own, Example: path,
		ETag: s.ownTag(func(r *Request) (string, error) { return s.docsPage(s.base(r.HTTP)), nil }),
		Serve: func(_ context.Context, r *Request) (reply.Answer, error) {
			base := s.base(r.HTTP)
			return &reply.Bytes{ContentType: htmlpage.ContentType, Body: []byte(s.docsPage(base)), Header: docsPolicy(base).Header()}, nil
		},
	}
}

// openAPIType is the media type of descriptions that the OGC's and STAC's links name, and that their clients ask for.
const openAPIType = "application/vnd.oai.openapi+json"

// openAPIShape is the form of a description, as far as OpenAPI does not say it itself.
type openAPIShape struct {
	OpenAPI    string           `json:"openapi" doc:"version of OpenAPI: 3.1.0"`
	Info       map[string]any   `json:"info" doc:"title, version and description of the service"`
	Servers    []map[string]any `json:"servers" doc:"one: what stands before the paths"`
	Paths      map[string]any   `json:"paths" doc:"the endpoints by path and method"`
	Components map[string]any   `json:"components" doc:"the schemas that the endpoints name"`
}

// openAPIEndpoint is the service's description.
func (s *Service) openAPIEndpoint(rt *router) Endpoint {
	lang := Enum("lang", "Language of the summaries and descriptions; names, values and units are the same in each.", s.languages(),
		Default(string(english)))
	return Endpoint{
		Method: http.MethodGet, Path: "/openapi.json", ID: "openapi", Tag: "Documentation", Summary: "The endpoints in OpenAPI 3.1",
		Params: []AnyParam{lang}, Cache: Own, Example: "/openapi.json",
		Answer: Answer{ContentType: "application/json", Body: openAPIShape{},
			Others:  []Other{{Status: http.StatusOK, ContentType: openAPIType, Body: openAPIShape{}}},
			Headers: []Header{{Name: "Content-Language", Doc: "Language of the summaries and descriptions."}}},
		ETag: func(_ context.Context, r *Request) (string, error) {
			d, err := rt.description(s.base(r.HTTP), lang.Of(r))
			if err != nil {
				return "", err
			}
			tag := d.tag
			if openAPIMedia(r) != "application/json" {
				tag += "-openapi"
			}
			return tag, nil
		},
		Serve: func(_ context.Context, r *Request) (reply.Answer, error) {
			d, err := rt.description(s.base(r.HTTP), lang.Of(r))
			if err != nil {
				return nil, err
			}
			return &reply.Bytes{ContentType: openAPIMedia(r), Body: d.body,
				Header: http.Header{"Content-Language": {string(lang.Of(r))}}}, nil
		},
	}
}

// openAPIMedia is the media type in which a request wants the description.
func openAPIMedia(r *Request) string {
	media := reply.AcceptedType(r.HTTP.Header, "application/json", openAPIType)
	if media == openAPIType {
		media += ";version=3.1"
	}
	return media
}

// description is openapi.json under a base URL. A service has one base URL, or one for each prefix it is
// mounted under: the one asked for last is kept.
type description struct {
	base, tag string
	body      []byte
}

// description is the service's in a language.
func (rt *router) description(base string, in language) (*description, error) {
	kept := &rt.described[slices.Index([]language{english, german}, in)]
	if d := kept.Load(); d != nil && d.base == base {
		return d, nil
	}
	body, err := marshalAPI(rt.api, base)
	if err == nil && in == german {
		body, err = inGerman(body, rt.s.German)
	}
	if err != nil {
		return nil, err
	}
	d := &description{base, bodyTag(body), body}
	kept.Store(d)
	return d, nil
}

// Endings are sentences behind those of fields and parameters, which are translated by themselves.
var Endings = []string{requiredDoc, repeatedDoc, carriedDoc}

// inGerman is a description with the sentences of these files.
func inGerman(document []byte, files []string) ([]byte, error) {
	sentences, err := catalogue.Read(files...)
	if err != nil {
		return nil, err
	}
	return catalogue.Rewording{Of: sentences.Of, Endings: Endings}.Reword(document)
}
