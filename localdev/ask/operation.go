package ask

import (
	"fmt"
	"strings"

	"mappe/functions/families"
	"mappe/functions/family"
	"mappe/shared/web/endpoint"
)

// Service is a service with the operations that can be asked.
type Service struct {
	Name       string // "cadastre"
	Title      string
	Prefix     string // "/cadastre"
	Operations []Operation
}

// Operation is an endpoint as a command has it.
type Operation struct {
	Name      string // the operation id with hyphens: "spatial-point"
	Prefix    string // of its service
	Endpoint  endpoint.Endpoint
	Arguments []endpoint.Input // in the path, then required ones of the query: they may stand without their names
	Inputs    []endpoint.Input // all
	Body      bool             // takes a body
	NoBody    bool             // the body may be absent
}

// Services are those of the endpoint table. What takes the parts of a form or answers another protocol is left out: a
// command line is no help there.
func Services() ([]Service, error) {
	var list []Service
	for _, s := range families.All(families.Deps{}) {
		if s.Lead().Bare { // the Model Context Protocol has its own clients
			continue
		}
		one := Service{Name: strings.TrimPrefix(s.Prefix, "/"), Title: s.Lead().Service.Title, Prefix: s.Prefix}
		for _, e := range s.Endpoints() {
			o, offered, err := operation(s, e)
			if err != nil {
				return nil, err
			}
			if offered {
				one.Operations = append(one.Operations, o)
			}
		}
		list = append(list, one)
	}
	return list, nil
}

// operation makes an operation of an endpoint; offered is false for one that a command line cannot ask.
func operation(s family.Service, e endpoint.Endpoint) (o Operation, offered bool, err error) {
	media, optional := e.BodyMedia()
	if media != "" && media != "application/json" {
		return o, false, nil
	}
	inputs, err := e.Inputs()
	if err != nil {
		return o, false, fmt.Errorf("%s: %w", s.Prefix, err)
	}
	o = Operation{Name: strings.ReplaceAll(e.ID, "_", "-"), Prefix: s.Prefix, Endpoint: e, Body: media != "", NoBody: optional}
	for _, in := range inputs {
		if in.Name == "callback" || in.Name == "pretty" { // for web pages; --json is indented
			continue
		}
		o.Inputs = append(o.Inputs, in)
	}
	for _, inPath := range []bool{true, false} {
		for _, in := range o.Inputs {
			if in.Required && in.InPath == inPath {
				o.Arguments = append(o.Arguments, in)
			}
		}
	}
	return o, true, nil
}

// Has says whether the operation has a parameter.
func (o Operation) Has(name string) bool {
	for _, in := range o.Inputs {
		if in.Name == name {
			return true
		}
	}
	return false
}

// Flag is how a parameter is written on a command line.
func Flag(name string) string { return strings.ReplaceAll(name, "_", "-") }
