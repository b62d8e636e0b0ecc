// Package e2e is one script of requests that a running Mappe must answer, whichever way it runs: in
// one process, or as the real bootstraps behind the template's limits. It finds its places and ids in
// the served data, so it works on any published country.
package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strings"
)

// Exchange is one request and what must hold of its answer.
type Exchange struct {
	Name    string
	Method  string
	Path    string // with query
	Header  http.Header
	Body    []byte
	Status  int
	Type    string // media type of the answer, "" is not looked at
	Holds   string // a text the body must hold
	Compare bool   // the body is the same in every mode once volatile members are gone
}

// place is what the script learns of the served country.
type place struct {
	west, south, east, north float64
	lon, lat                 float64
	parcel, footprint, kg    string
	slashed                  string // a parcel id with a slash, "" when the sample has none
	date                     string // of the newest snapshot
}

// learn asks the server for places and ids that the script can use.
func learn(base string) (place, error) {
	var kgs struct {
		Data struct {
			KGs []struct {
				Code string     `json:"kg_code"`
				BBox [4]float64 `json:"bbox"`
			} `json:"kgs"`
		} `json:"data"`
	}
	if err := getJSON(base+"/context/api/v1/kgs", &kgs); err != nil {
		return place{}, err
	}
	var pointer struct {
		Stichtag string `json:"stichtag"`
	}
	if err := getJSON(base+"/artefacts/current.json", &pointer); err != nil {
		return place{}, err
	}
	for _, k := range kgs.Data.KGs {
		p := place{date: pointer.Stichtag, kg: k.Code, west: k.BBox[0], south: k.BBox[1], east: k.BBox[2], north: k.BBox[3]}
		box := p.box()
		var rows struct {
			Data []struct {
				ID  string  `json:"parcel_id"`
				Lon float64 `json:"lon"`
				Lat float64 `json:"lat"`
			} `json:"data"`
		}
		if err := getJSON(base+"/cadastre/api/v1/spatial/bbox?"+box+"&has_buildings=true&limit=500&fields=parcel_id,lon,lat",
			&rows); err != nil {
			return place{}, err
		}
		var prints struct {
			Data []struct {
				ID string `json:"footprint_id"`
			} `json:"data"`
		}
		if err := getJSON(base+"/cadastre/api/v1/spatial/footprints?"+box+"&geometry=0&limit=1", &prints); err != nil {
			return place{}, err
		}
		if len(rows.Data) == 0 || len(prints.Data) == 0 {
			continue
		}
		p.parcel, p.lon, p.lat, p.footprint = rows.Data[0].ID, rows.Data[0].Lon, rows.Data[0].Lat, prints.Data[0].ID
		for _, r := range rows.Data {
			if strings.Contains(r.ID, "/") {
				p.slashed = r.ID
			}
		}
		return p, nil
	}
	return place{}, fmt.Errorf("no KG with a parcel and a footprint is served at %s", base)
}

func getJSON(address string, into any) error {
	reply, err := http.Get(address)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	b, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode != 200 {
		return fmt.Errorf("%s: status %d: %.300s", address, reply.StatusCode, b)
	}
	return json.Unmarshal(b, into)
}

// Answer is what came back of an exchange.
type Answer struct {
	Status int
	Type   string
	ETag   string
	Body   []byte
}

// Do sends one exchange.
func Do(client *http.Client, base string, e Exchange) (Answer, error) {
	req, err := http.NewRequest(e.Method, base+e.Path, bytes.NewReader(e.Body))
	if err != nil {
		return Answer{}, err
	}
	for k, v := range e.Header {
		req.Header[k] = v
	}
	if len(e.Body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	reply, err := client.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	t, _, _ := strings.Cut(reply.Header.Get("Content-Type"), ";")
	return Answer{reply.StatusCode, t, reply.Header.Get("ETag"), body}, err
}

// volatile members differ from one request to the next.
var volatile = map[string]bool{"query_time_ms": true, "request_id": true, "duration_ms": true, "generated_at": true, "cache_resolved": true,
	"kgs_loaded": true}

// Stable is a body without its volatile members, so that two answers to one question are equal.
func Stable(body []byte) string {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return string(body)
	}
	strip(v)
	b, err := json.Marshal(v)
	if err != nil {
		return string(body)
	}
	return string(b)
}

func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for k := range v {
			names = append(names, k)
		}
		sort.Strings(names)
		for _, k := range names {
			if volatile[k] {
				delete(v, k)
			} else {
				strip(v[k])
			}
		}
	case []any:
		for _, x := range v {
			strip(x)
		}
	}
}
