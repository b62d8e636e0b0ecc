package ogc

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"mappe/functions/family"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/ogcapi"
)

// process is an endpoint that is run in the background.
type process struct {
	id, title, doc string
	task           string // name of its questions: that of the tasks.Task
	place          string // input that is the body of the request; "" where the area is a parameter
	must           string // parameter without which there is no question; "": none
	background     bool   // it is a task anyway, and takes no async
	media          []string

	prefix   string
	endpoint endpoint.Endpoint
	inputs   []endpoint.Input
	handler  func() (http.Handler, error) // made when it is first asked
}

const (
	geoJSON = "application/geo+json"
	plain   = ogcapi.JSON
)

// processVersion is that of the descriptions: inputs keep their meaning, and are only added to.
const processVersion = "1.0.0"

// processes are the endpoints of the families that are processes.
func processes(families []family.Member) []*process {
	all := []*process{
		{id: "segment", task: "segment", place: "area", media: []string{geoJSON}},
		{id: "trees", task: "trees-v2", place: "area", media: []string{geoJSON}},
		{id: "changes", task: "changes", place: "area", media: []string{geoJSON}},
		{id: "tree-changes", task: "changes-trees", place: "area", media: []string{geoJSON}},
		{id: "terrain", task: "terrain", place: "area", media: []string{plain}},
		{id: "elevation", task: "elevation", place: "features", media: []string{geoJSON}},
		{id: "onestop", task: "onestop", must: "bbox", background: true, media: []string{geoJSON, "application/geopackage+sqlite3",
			"application/vnd.google-earth.kml+xml"}},
	}
	endpoints := map[string]string{"trees": "trees_v2", "tree-changes": "changes_trees"}
	for _, p := range all {
		id := p.id
		if other, ok := endpoints[id]; ok {
			id = other
		}
		if err := p.find(families, id); err != nil {
			panic(err)
		}
	}
	return all
}

// find takes the endpoint of a process.
func (p *process) find(families []family.Member, id string) error {
	for _, m := range families {
		i := slices.IndexFunc(m.Service.Endpoints, func(e endpoint.Endpoint) bool { return e.ID == id })
		if i < 0 {
			continue
		}
		p.endpoint, p.prefix = m.Service.Endpoints[i], m.Prefix
		p.title = p.endpoint.Summary
		p.doc, _, _ = strings.Cut(p.endpoint.Doc, ". ")
		p.doc = strings.ReplaceAll(p.doc, "\n", " ") + "."
		p.handler = sync.OnceValues(func() (http.Handler, error) {
			h, err := m.Service.Handler()
			if err != nil {
				return nil, err
			}
			return endpoint.Mount(m.Prefix, h), nil
		})
		all, err := p.endpoint.Inputs()
		if err != nil {
			return err
		}
		p.inputs = slices.DeleteFunc(all, func(in endpoint.Input) bool {
			return in.Common || slices.Contains([]string{"async", "task_id"}, in.Name)
		})
		return nil
	}
	return fmt.Errorf("ogc: no family has the endpoint %s", id)
}

// find is a process by its id.
func (s *service) find(id string) *process {
	for _, p := range s.processes {
		if p.id == id {
			return p
		}
	}
	return nil
}

// control are the ways in which a process may be run.
var control = []string{"sync-execute", "async-execute"}

// summary is a process in the list.
type summary struct {
	ID           string        `json:"id"`
	Title        string        `json:"title"`
	Description  string        `json:"description"`
	Version      string        `json:"version"`
	Control      []string      `json:"jobControlOptions"`
	Transmission []string      `json:"outputTransmission"`
	Links        []ogcapi.Link `json:"links"`
}

func (p *process) summary(base string) summary {
	at := base + "/ogc/processes/" + p.id
	return summary{p.id, p.title, p.doc, processVersion, control, []string{"value"}, []ogcapi.Link{
		{Href: at, Rel: "self", Type: plain, Title: "This process"},
		{Href: at + "/execution", Rel: "http://www.opengis.net/def/rel/ogc/1.0/execute", Title: "Its executions"}}}
}

// input describes an input.
type input struct {
	Title       string          `json:"title"`
	Description string          `json:"description"`
	MinOccurs   int             `json:"minOccurs"`
	Schema      json.RawMessage `json:"schema"`
}

// output describes the output.
type output struct {
	Title  string         `json:"title"`
	Schema map[string]any `json:"schema"`
}

// description is a process with its inputs and its output.
type description struct {
	summary
	Inputs  map[string]input  `json:"inputs"`
	Outputs map[string]output `json:"outputs"`
}

// outputID is the one output of every process.
const outputID = "result"

func (p *process) description(base string) description {
	d := description{p.summary(base), map[string]input{}, map[string]output{outputID: {"What the analysis found", p.form()}}}
	if p.place != "" {
		d.Inputs[p.place] = input{"Where",
			"GeoJSON of any type in longitude and latitude (WGS84), or {bbox: [west, south, east, north]}; " +
				"in Austria, at most 25 km².", 1,
			json.RawMessage(`{"type":"object","contentMediaType":"` + geoJSON + `"}`)}
	}
	for _, in := range p.inputs {
		least := 0
		if in.Required || in.Name == p.must {
			least = 1
		}
		d.Inputs[in.Name] = input{in.Name, in.Doc, least, in.Schema}
	}
	return d
}

// form is the schema of the output.
func (p *process) form() map[string]any {
	var all []any
	for _, m := range p.media {
		one := map[string]any{"type": "object", "contentMediaType": m}
		if m != geoJSON && m != plain {
			one = map[string]any{"type": "string", "contentEncoding": "binary", "contentMediaType": m}
		}
		all = append(all, one)
	}
	if len(all) == 1 {
		one, _ := all[0].(map[string]any)
		return one
	}
	return map[string]any{"oneOf": all}
}
