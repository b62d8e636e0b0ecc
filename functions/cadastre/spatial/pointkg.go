package spatial

import (
	"mappe/artefacts/register"
	"mappe/shared/web/format"
)

// kgPart is what the register says of the KG of a point.
type kgPart struct {
	name, doc string
	of        func(*register.KG) string
}

// kgParts are the columns that a point has of its KG, in their order.
var kgParts = []kgPart{
	{"kg_code", "Code of the Katastralgemeinde, 5 digits.", func(k *register.KG) string { return string(k.Code) }},
	{"kg_name", "Name of the Katastralgemeinde.", func(k *register.KG) string { return k.Name }},
	{"gemeinde_code", "Code of the municipality, 5 digits.", func(k *register.KG) string { return string(k.GemeindeCode) }},
	{"gemeinde_name", "Name of the municipality.", func(k *register.KG) string { return k.GemeindeName }},
	{"district_code", "Code of the district, 3 digits.", func(k *register.KG) string { return string(k.DistrictCode) }},
	{"district_name", "Name of the district.", func(k *register.KG) string { return k.DistrictName }},
}

// kgOf is the KG of a point as far as it is known; nil: it is not.
func (c *containment) kgOf(l *located) *register.KG {
	switch {
	case l.parcel != nil:
		return l.kg
	case l.pending != "" && len(l.candidates) == 1: // the KG is known, its parcels are not
		return c.v.Register().KG(l.pending)
	}
	return nil
}

// value is null where nothing is known.
func (p *kgPart) value(k *register.KG) format.Value {
	if k == nil {
		return format.Null
	}
	return format.Text(p.of(k))
}

// matchedKG are the columns of rows.
func matchedKG() (list format.Fields[pointMatch]) {
	for i := range kgParts {
		p := &kgParts[i]
		list = append(list, format.Field[pointMatch]{Column: format.Column{Name: p.name, Doc: p.doc},
			Get: func(m *pointMatch) format.Value { return p.value(m.c.kgOf(m.l)) }})
	}
	return list
}
