package mcp

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/web/fault"
	"mappe/shared/web/params"
)

// The arguments of a study beside the parameters of its endpoint: where, and how much of it.
const (
	argArea    = "area"
	argBox     = "bbox"
	argKG      = "kg"
	argParcels = "parcel_ids"
	argTask    = "task_id"
	argRows    = "rows"
)

// places are the arguments of which exactly one is given.
var places = []string{argArea, argBox, argKG, argParcels, argTask}

const placesWanted = "exactly one of " + argArea + " (GeoJSON), " + argBox + " ([west, south, east, north]), " +
	"" + argKG + ", " + argParcels + ", " + argTask

// studySchemas are the schemas of these arguments.
func studySchemas(rows int, lists bool) map[string]json.RawMessage {
	all := map[string]string{
		argArea:    `{"type":"object","description":"GeoJSON of any type, longitude and latitude in WGS84; several polygons are united, a point is a circle of 100 m. At most 25 km²."}`,
		argBox:     `{"type":"array","items":{"type":"number"},"minItems":4,"maxItems":4,"description":"[west, south, east, north] in degrees (WGS84), at most 25 km²."}`,
		argKG:      `{"type":"string","description":"Code of a KG, whose outline is the area: at most 25 km²."}`,
		argParcels: fmt.Sprintf(`{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":%d,"description":"Parcels of the cadastre, <kg_code>-<gnr>, which together are the area."}`, maxParcels),
		argTask:    `{"type":"string","description":"Task that an answer named: alone it asks what became of it. With rows its features are listed without being computed again."}`,
	}
	if lists {
		all[argRows] = fmt.Sprintf(`{"type":"integer","minimum":0,"maximum":%d,"default":%d,"description":"Single features to list beside the summary."}`, maxRows, rows)
	}
	out := map[string]json.RawMessage{maxKB: maxKBSchema}
	for name, s := range all {
		out[name] = json.RawMessage(s)
	}
	return out
}

// maxParcels bounds the parcels that make an area.
const maxParcels = 50

// studyQuestion is what the arguments ask.
type studyQuestion struct {
	area    json.RawMessage // GeoJSON; nil where another place is given
	kg      string
	parcels string     // ids with commas between
	task    string     // "" where it is to be asked
	values  url.Values // parameters of the endpoint
	rows    int
	bound   int
}

// readStudy makes a question of the arguments.
func (t *tool) readStudy(raw json.RawMessage) (q studyQuestion, err error) {
	given, err := readArguments(raw)
	if err != nil {
		return q, err
	}
	if q.bound, err = bound(given); err != nil {
		return q, err
	}
	if err := q.place(given); err != nil {
		return q, err
	}
	if q.rows, err = t.study.rowsOf(given); err != nil {
		return q, err
	}
	c := &t.study.call
	q.values = url.Values{}
	for name, value := range given {
		if name == argRows && t.study.rank != nil || slices.Contains(places, name) {
			continue
		}
		in, ok := c.inputs[name]
		if !ok {
			return q, fault.UnknownName(name, fault.Shorten(text(value)), t.names())
		}
		if q.task != "" {
			return q, fault.Of(fault.Conflict, name, fault.Shorten(text(value)), "not beside "+argTask+", whose question is asked already")
		}
		v, err := valueOf(name, in, value)
		if err != nil {
			return q, err
		}
		q.values.Set(name, v)
	}
	for name, v := range c.fixed {
		q.values.Set(name, v)
	}
	return q, nil
}

// place reads which area is meant.
func (q *studyQuestion) place(given map[string]json.RawMessage) (err error) {
	var named []string
	for _, name := range places {
		if given[name] != nil {
			named = append(named, name)
		}
	}
	switch {
	case len(named) == 0:
		return fault.Of(fault.Missing, argArea, "", placesWanted)
	case len(named) > 1:
		return fault.Of(fault.Conflict, named[1], fault.Shorten(text(given[named[1]])), "not beside "+named[0]+": "+placesWanted)
	}
	value := given[named[0]]
	plain := text(value)
	switch named[0] {
	case argArea:
		if q.area = json.RawMessage(plain); !strings.HasPrefix(strings.TrimSpace(plain), "{") {
			return fault.BadValue(argArea, fault.Shorten(plain), "a GeoJSON object")
		}
	case argBox:
		q.area, err = params.BoxArea(argBox, value)
	case argKG:
		q.kg = plain
	case argTask:
		q.task = plain
	case argParcels:
		var ids []string
		if json.Unmarshal(value, &ids) != nil {
			ids = strings.Split(plain, ",")
		}
		if len(ids) == 0 || len(ids) > maxParcels {
			return fault.Of(fault.OutOfRange, argParcels, fmt.Sprint(len(ids), " parcels"), fmt.Sprintf("1 to %d parcels", maxParcels))
		}
		for i, id := range ids {
			ids[i] = strings.ReplaceAll(strings.TrimSpace(id), ",", "%2C")
		}
		q.parcels = strings.Join(ids, ",")
	}
	return err
}

// rowsOf is how many features are listed.
func (s *study) rowsOf(given map[string]json.RawMessage) (int, error) {
	raw, ok := given[argRows]
	if !ok || s.rank == nil {
		return s.rows, nil
	}
	n, err := strconv.Atoi(text(raw))
	if err != nil || n < 0 || n > maxRows {
		return 0, fault.Of(fault.OutOfRange, argRows, fault.Shorten(text(raw)), fmt.Sprintf("a whole number from 0 to %d", maxRows))
	}
	return n, nil
}
