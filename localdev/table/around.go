package table

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// around is what surrounds a row's position. The distances are those of OpenStreetMap, under its licence.
type around struct {
	Areas      string   `json:"protected_areas,omitempty"` // "none": known to be in none
	Road       *float64 `json:"dist_road_m,omitempty"`
	RoadName   string   `json:"road_name,omitempty"`
	Major      *float64 `json:"dist_major_road_m,omitempty"`
	Transit    *float64 `json:"dist_transit_m,omitempty"`
	Station    *float64 `json:"dist_train_station_m,omitempty"`
	Water      *float64 `json:"dist_water_m,omitempty"`
	Settlement *float64 `json:"dist_settlement_m,omitempty"`
	Licence    string   `json:"licence,omitempty"` // of protected areas and distances, with whom they are credited to
}

// surroundings are the blocks of the answer; nil: missing.
type surroundings struct {
	ID        string
	Protected *struct {
		Sites []struct {
			Name  string `json:"name"`
			Desig string `json:"desig"`
		} `json:"sites"`
	} `json:"protected_area"`
	OSM     *around           `json:"osm"`
	Missing map[string]string // block to the reason
}

// surround asks what surrounds the positions in whose parcels rows lie. A server without the data leaves the columns empty, and
// the run says so once.
func (l *lookup) surround(ctx context.Context) error {
	type point struct {
		position
		ID string `json:"id"`
	}
	var question struct {
		Points []point `json:"points"`
	}
	for i, r := range l.results {
		if p, ok := l.points[i]; ok && r.ParcelID != "" && r.Reason == "" {
			question.Points = append(question.Points, point{p, strconv.Itoa(i)})
		}
	}
	if len(question.Points) == 0 {
		return nil
	}
	var answer struct { // data[] is in the order of the points
		Data []surroundings
		Meta struct {
			License struct{ License, Attribution string }
		}
	}
	err := l.c.ask(ctx, pathAround, question, &answer)
	if no := (*refused)(nil); errors.As(err, &no) {
		l.c.noteOnce("protected areas and distances are left out: " + no.says)
		return nil
	}
	if err != nil {
		return fmt.Errorf("surroundings: %w", err)
	}
	var licence string
	if m := answer.Meta.License; m.License != "" {
		licence = strings.TrimPrefix(m.Attribution+"; "+m.License, "; ")
	}
	for n := range answer.Data {
		a := &answer.Data[n]
		i, err := strconv.Atoi(a.ID)
		if err != nil || i < 0 || i >= len(l.results) {
			return fmt.Errorf("surroundings: an answer to a point %q, which was not asked for", a.ID)
		}
		l.results[i].around = a.taken()
		l.results[i].Licence = licence
		for _, missing := range [...]struct{ block, columns string }{{"protected_area", "protected areas"}, {"osm", "distances"}} {
			if why := a.Missing[missing.block]; why != "" {
				l.c.noteOnce(missing.columns + " are left out: " + why)
			}
		}
	}
	return nil
}

// taken are the columns of an answer.
func (s *surroundings) taken() (a around) {
	if s.OSM != nil {
		a = *s.OSM
	}
	if s.Protected == nil {
		return a
	}
	var names []string
	for _, site := range s.Protected.Sites {
		name := site.Name
		if site.Desig != "" {
			name += " (" + site.Desig + ")"
		}
		names = append(names, name)
	}
	if a.Areas = strings.Join(names, "; "); a.Areas == "" {
		a.Areas = "none"
	}
	return a
}
