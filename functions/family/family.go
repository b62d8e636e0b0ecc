// Package family says what a group of endpoints is that one function answers: where its requests go, what
// it reads and writes, which program answers them. Each family package has one such value; functions/families
// lists them. The local server, --exact, the coverage table, openapi.json and the tests of template.yaml are
// made from that list or compared with it.
package family

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"mappe/shared/glob"
	"mappe/shared/web/endpoint"
)

// Family is a group of endpoints under the prefix of a service.
type Family struct {
	// Name is that of its archive and of its origin at the CDN: "cadastre-spatial".
	Name string
	// Program is the folder of its Lambda main in the module: "functions/cadastre/spatial/lambda".
	Program string
	// Prefix is the service's place on the host: "/cadastre".
	Prefix string
	// Paths are the patterns of its requests below the prefix, where * stands for any text, slashes
	// included, as in the CDN's cache behaviours: "/api/v1/search/*". None means that the family leads its
	// service: it takes what no other family of the prefix takes, openapi.json and the docs page among it.
	Paths []string
	// Bare says that a leading family answers the prefix itself too, without a slash behind it: /mcp.
	Bare  bool
	Needs Needs
}

// Needs are what a family's function is given, and so what it has rights to: environment variables and
// policies of template.yaml are compared with them.
type Needs struct {
	Store   bool     // reads artefacts (MAPPE_STORE): the pointer, the register, what is national, KG files
	Reads   []string // further folders of the store that it reads: "archive", "cells", "prices", "rasters"
	Warmup  bool     // asks for KGs that are not built (MAPPE_WARMUP)
	Ledger  []string // partitions of the ledger that it reads or writes (MAPPE_LEDGER): "work/*"
	Files   bool     // reads and writes the files of customers (MAPPE_BOOKS)
	Results bool     // keeps the results of long work (MAPPE_SHARES)
	Worker  string   // program that it invokes for long work: "functions/books/worker/lambda" (MAPPE_WORKER)
}

// Leads says whether the family describes its service and takes what the others leave.
func (f Family) Leads() bool { return len(f.Paths) == 0 }

// Patterns are the paths on the host that reach the family, as template.yaml writes them.
func (f Family) Patterns() []string {
	switch {
	case f.Leads() && f.Bare:
		return []string{f.Prefix, f.Prefix + "/*"}
	case f.Leads():
		return []string{f.Prefix + "/*"}
	}
	out := make([]string, len(f.Paths))
	for i, p := range f.Paths {
		out[i] = f.Prefix + p
	}
	return out
}

// Matches says whether a path on the host fits a pattern of the family.
func (f Family) Matches(host string) bool {
	return fits(host, f.Patterns())
}

func fits(host string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return glob.Match(p, host) })
}

// Member is a family with its endpoints.
type Member struct {
	Family
	Service *endpoint.Service
}

// Service is what stands under one prefix: one service in the outside world, made of families.
type Service struct {
	Prefix  string
	Members []Member // the leading one is last
}

// Group puts families of one prefix together, in the order in which the prefixes first come, and lets the
// leading family of each describe the endpoints of the others. It refuses a prefix without a leading family
// and one with two.
func Group(members []Member) ([]Service, error) {
	var out []Service
	for _, m := range members {
		i := slices.IndexFunc(out, func(s Service) bool { return s.Prefix == m.Prefix })
		if i < 0 {
			i = len(out)
			out = append(out, Service{Prefix: m.Prefix})
		}
		s := &out[i]
		n := len(s.Members)
		switch led := n > 0 && s.Members[n-1].Leads(); {
		case led && m.Leads():
			return nil, fmt.Errorf("families %s and %s both lead %s", s.Members[n-1].Name, m.Name, m.Prefix)
		case led:
			s.Members = slices.Insert(s.Members, n-1, m)
		default:
			s.Members = append(s.Members, m)
		}
	}
	for _, s := range out {
		if !s.Lead().Leads() {
			return nil, fmt.Errorf("no family leads %s: one has to have no paths", s.Prefix)
		}
		lead := s.Lead().Service
		for _, m := range s.Members[:len(s.Members)-1] {
			lead.Described = append(lead.Described, m.Service.Endpoints...)
		}
	}
	return out, nil
}

// Lead is the family that describes the service.
func (s Service) Lead() Member { return s.Members[len(s.Members)-1] }

// Endpoints are those of all families of the service, the leading family's last: it says what the service is made of.
func (s Service) Endpoints() (all []endpoint.Endpoint) {
	for _, m := range s.Members {
		all = append(all, m.Service.Endpoints...)
	}
	return all
}

// Routes are the operations of the service.
func (s Service) Routes() []endpoint.Route {
	routes := s.Lead().Service.Routes()
	for _, m := range s.Members[:len(s.Members)-1] {
		for _, e := range m.Service.Endpoints {
			routes = append(routes, endpoint.Route{System: m.Service.System, Method: e.Method, Path: e.Path})
		}
	}
	return routes
}

// For is the family that answers a path on the host, as the CDN chooses it: the first whose pattern fits.
func (s Service) For(host string) Member {
	for _, m := range s.Members {
		if m.Matches(host) {
			return m
		}
	}
	return s.Lead()
}

// Handler serves the families under the prefix, each its own paths.
func (s Service) Handler() (http.Handler, error) {
	handlers, patterns := make([]http.Handler, len(s.Members)), make([][]string, len(s.Members))
	for i, m := range s.Members {
		patterns[i] = m.Patterns()
		h, err := m.Service.Handler()
		if err != nil {
			return nil, err
		}
		handlers[i] = endpoint.Mount(s.Prefix, h)
	}
	if len(handlers) == 1 {
		return handlers[0], nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := endpoint.PlainPath(r.URL.EscapedPath())
		for i := range s.Members {
			if s.Members[i].Leads() || fits(path, patterns[i]) {
				handlers[i].ServeHTTP(w, r)
				return
			}
		}
	}), nil
}

// Check says what of the families' declarations cannot work: a name, a prefix or a path that is not one, an
// endpoint that another family would be sent.
func Check(services []Service) error {
	names := map[string]bool{}
	for _, s := range services {
		if s.Prefix != "/"+path.Base(s.Prefix) {
			return fmt.Errorf("prefix %q: want one step, /cadastre", s.Prefix)
		}
		for _, m := range s.Members {
			if m.Name == "" || names[m.Name] || m.Program == "" {
				return fmt.Errorf("family %q of %s: want a name of its own and a program", m.Name, s.Prefix)
			}
			names[m.Name] = true
			for _, p := range m.Paths {
				if !strings.HasPrefix(p, "/") || strings.Contains(p, "//") {
					return fmt.Errorf("family %s: path %q: want one such as /api/v1/search/*", m.Name, p)
				}
			}
			for _, e := range m.Service.Endpoints {
				if got := s.For(s.Prefix + e.Path); got.Name != m.Name {
					return fmt.Errorf("%s %s%s belongs to the family %s, but its path reaches %s", e.Method, s.Prefix, e.Path, m.Name,
						got.Name)
				}
			}
		}
	}
	return nil
}
