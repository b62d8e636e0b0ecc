package features

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"mappe/shared/geo/geom"
)

// parseGeometry reads a GeoJSON Polygon or MultiPolygon; the JSON is known to be well formed. The
// coordinates are scanned by hand: there are millions in a national file.
func parseGeometry(raw []byte) (geom.MultiPolygon, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, errors.New("a Polygon or MultiPolygon, not null")
	}
	var v struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, errors.New("a Polygon or MultiPolygon with coordinates")
	}
	s := &scanner{b: v.Coordinates}
	var m geom.MultiPolygon
	var err error
	switch v.Type {
	case "Polygon":
		var p geom.Polygon
		p, err = s.polygon()
		m = geom.MultiPolygon{p}
	case "MultiPolygon":
		err = s.list(func() error {
			p, err := s.polygon()
			m = append(m, p)
			return err
		})
	default:
		return nil, fmt.Errorf("a Polygon or MultiPolygon, not %.40q", v.Type)
	}
	return m, err
}

type scanner struct {
	b        []byte
	i        int
	vertices int
}

func (s *scanner) space() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\n' || s.b[s.i] == '\r' || s.b[s.i] == '\t') {
		s.i++
	}
}

func (s *scanner) take(c byte) bool {
	s.space()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// list calls item for each element of an array.
func (s *scanner) list(item func() error) error {
	if !s.take('[') {
		return errors.New("coordinates nested as the geometry's type says")
	}
	if s.take(']') {
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if s.take(']') {
			return nil
		}
		if !s.take(',') {
			return errors.New("coordinates nested as the geometry's type says")
		}
	}
}

func (s *scanner) polygon() (geom.Polygon, error) {
	var p geom.Polygon
	err := s.list(func() error {
		r, err := s.ring()
		p = append(p, r)
		return err
	})
	return p, err
}

// ring reads a ring and takes off the closing vertex.
func (s *scanner) ring() (geom.Ring, error) {
	var r geom.Ring
	err := s.list(func() error {
		if s.vertices++; s.vertices > maxVertices {
			return fmt.Errorf("at most %d vertices in a feature", maxVertices)
		}
		p, err := s.position()
		r = append(r, p)
		return err
	})
	if n := len(r); n > 1 && r[0] == r[n-1] {
		r = r[:n-1]
	}
	return r, err
}

func (s *scanner) position() (geom.Point, error) {
	var v [2]float64
	n := 0
	err := s.list(func() error {
		f, err := s.number()
		if n < 2 {
			v[n] = f
		}
		n++
		return err
	})
	if err != nil {
		return geom.Point{}, err
	}
	p, ok := geom.PointAt(v[0], v[1])
	switch {
	case n < 2:
		return p, errors.New("positions of longitude and latitude")
	case !ok:
		return p, fmt.Errorf("longitude and latitude in degrees, not %g %g", v[0], v[1])
	case v[0] > 45 && v[0] < 50 && v[1] > 8 && v[1] < 18:
		return p, fmt.Errorf("longitude before latitude: %g %g looks turned round", v[0], v[1])
	}
	return p, nil
}

func (s *scanner) number() (float64, error) {
	s.space()
	start := s.i
	for s.i < len(s.b) && s.b[s.i] != ',' && s.b[s.i] != ']' && s.b[s.i] > ' ' {
		s.i++
	}
	if s.i-start > 64 {
		return 0, errors.New("numbers of at most 64 characters")
	}
	f, err := strconv.ParseFloat(string(s.b[start:s.i]), 64)
	if err != nil {
		return 0, errors.New("numbers as coordinates")
	}
	return f, nil
}
