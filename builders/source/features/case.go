package features

import (
	"strings"

	"mappe/shared/geo/geom"
)

// spell gives the property of a name whatever the case of its letters: editions of one data set differ in it.
func (f *Feature) spell(name string) string {
	if _, ok := f.props[name]; ok {
		return name
	}
	found := ""
	for k := range f.props {
		if strings.EqualFold(k, name) && (found == "" || k < found) {
			found = k
		}
	}
	return found
}

// Unite is the union of polygons that may lie over each other. Where they run so close beside each other that no
// union can be drawn it gives, with the error, what the even-odd rule makes of their rings.
func Unite(m geom.MultiPolygon) (geom.MultiPolygon, error) {
	each := make([]geom.MultiPolygon, len(m))
	for i := range m {
		each[i] = geom.MultiPolygon{m[i]}
	}
	united, err := geom.Dissolve(each, 0)
	if err != nil {
		if united, even := geom.Rebuild(m.Rings()); even == nil {
			return united, err
		}
		return m, err
	}
	return united, nil
}
