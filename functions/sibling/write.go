package sibling

import (
	"math"
	"time"

	"mappe/shared/web/format"
)

// head writes what every payload begins with.
func (s *Service) head(j *format.JSON) {
	j.Member("service", s.Slug)
	j.Member("dataset", s.Dataset)
}

// payload writes the members of a KG's payload.
func (s *Service) payload(j *format.JSON, b *Block) {
	s.head(j)
	j.Member("kg_code", string(b.KG))
	s.data(j, b, s.Metrics)
	j.Key("history")
	j.Array()
	for _, p := range b.History {
		j.Object()
		j.Member("as_of", p.AsOf)
		numbers(j, s.Metrics[:min(len(p.Metrics), len(s.Metrics))], p.Metrics)
		j.EndObject()
	}
	j.EndArray()
	if s.Granularity == Gemeinde {
		return
	}
	j.Key(string(s.Granularity) + "s")
	j.Array()
	if b.Elements != nil {
		b.Elements(func(e *Element) bool {
			s.element(j, e)
			return j.Err() == nil
		})
	}
	j.EndArray()
}

// element writes a parcel or a point.
func (s *Service) element(j *format.JSON, e *Element) {
	j.Object()
	if s.Granularity == Point {
		j.Member("id", e.ID)
		j.Key("lon")
		j.Value(format.Degrees(e.Lon))
		j.Key("lat")
		j.Value(format.Degrees(e.Lat))
	} else {
		j.Member("parcel_id", e.ID)
	}
	j.Key("metrics")
	j.Object()
	numbers(j, s.ElementMetrics, e.Metrics)
	j.EndObject()
	j.EndObject()
}

// data writes what the payload of a KG and that of a parcel have in common.
func (s *Service) data(j *format.JSON, b *Block, metrics []Metric) {
	j.Member("gemeinde_code", nullable(string(b.Gemeinde)))
	j.Member("granularity", string(s.Granularity))
	j.Member("as_of", b.AsOf)
	j.Member("updated_at", stamp(b.Updated))
	j.Member("source", b.Source)
	j.Member("license", s.License)
	j.Key("unit_glossary")
	j.Object()
	for _, list := range s.glossary(metrics) {
		for _, m := range list {
			j.Member(m.Key, m.meaning())
		}
	}
	j.EndObject()
	j.Key("metrics")
	j.Object()
	numbers(j, metrics, b.Metrics)
	j.EndObject()
}

// glossary are the metrics that a payload explains, each key once: its own, and those of its elements.
func (s *Service) glossary(metrics []Metric) [][]Metric {
	seen := map[string]bool{}
	for _, m := range metrics {
		seen[m.Key] = true
	}
	var more []Metric
	for _, m := range s.ElementMetrics {
		if !seen[m.Key] {
			more = append(more, m)
		}
	}
	return [][]Metric{metrics, more}
}

// meaning is the unit of a metric with what it says.
func (m Metric) meaning() string {
	if m.Unit == "" {
		return m.Doc
	}
	return m.Unit + "; " + m.Doc
}

// numbers writes metrics; one that is missing or no number is unknown.
func numbers(j *format.JSON, metrics []Metric, values []float64) {
	for i, m := range metrics {
		v := math.NaN()
		if i < len(values) {
			v = values[i]
		}
		j.Key(m.Key)
		j.Value(format.Float(v, m.Decimals))
	}
}

// stamp is a time as RFC 3339, null where it is not known.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}
