// Package toponyms reads the official geographical names as the survey office hands them out: GeoJSON files in the folder
// names of a raw source, one for each layer or one for several. It owns the raw form; where the names lie is
// builders/toponyms' business.
//
// Properties, in any letter case: NAME; F_CODE and F_NAME, what the name is of; VAR_NAME, another spelling; NAME_SL,
// NAME_HR, NAME_HU, NAME_CS, NAME_SK, the name in the language of a minority; HOEHE in m, where 9999 and 0 say that it is
// not known; BEARBDAT, else ERSTELLDAT, whose year is that of the last revision; GLOBALID, the stable id, else OBJECTID.
// The layer is the property LAYER, else the layer that the file's name holds (ried_flurnamen.geojson), else that of the
// hundred of F_CODE. Of geometries that are no points the middle of the box counts.
package toponyms

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/toponyms"
	"mappe/builders/source/table"
	"mappe/shared/geo/geom"
)

// Folder is its place in a raw source.
const Folder = "names"

// byHundred are the layers of codes. 73 is that of the published summits (7302 Berggipfel); the others follow the order
// of the layers, and count only where neither a property nor the file's name says the layer.
var byHundred = map[int]toponyms.Layer{71: toponyms.Siedlung, 72: toponyms.Gebiet, 73: toponyms.Gelaende, 74: toponyms.Gletscher,
	75: toponyms.Gewaesser, 76: toponyms.Sonstige, 77: toponyms.Ried}

// languages are the properties with names in other languages, and their codes.
var languages = []struct{ property, code string }{{"name_sl", "sl"}, {"name_hr", "hr"}, {"name_hu", "hu"}, {"name_cs", "cs"},
	{"name_sk", "sk"}}

// The limits of a feature.
const (
	maxFeature = 1 << 20 // bytes
	maxText    = 200
)

// Read reads all files of the folder, by file, then in their order; nil if the folder has no file. A name that cannot be read is
// a problem of the source.
func Read(files fs.FS, p *table.Problems) ([]toponyms.Name, error) {
	entries, err := fs.ReadDir(files, Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Folder, err)
	}
	var all []toponyms.Name
	seen := map[string]bool{}
	for _, e := range entries {
		name := path.Join(Folder, e.Name())
		if e.IsDir() || !strings.HasSuffix(strings.ToLower(name), ".geojson") {
			continue
		}
		f, err := files.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		r := &reader{file: name, p: p, seen: seen, out: &all}
		for _, l := range toponyms.AllLayers() {
			if strings.Contains(strings.ToLower(e.Name()), l.String()) {
				r.layer, r.layered = l, true
			}
		}
		if err := errors.Join(r.walk(f), f.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return all, nil
}

// reader reads one file.
type reader struct {
	file    string
	p       *table.Problems
	seen    map[string]bool
	out     *[]toponyms.Name
	layer   toponyms.Layer // of the file's name
	layered bool
	n       int
}

// feature is the raw form.
type feature struct {
	Properties map[string]any  `json:"properties"`
	Geometry   json.RawMessage `json:"geometry"`
}

// walk reads the features of a collection one at a time.
func (r *reader) walk(in io.Reader) error {
	d := json.NewDecoder(in)
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("expected a FeatureCollection: %w", err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if key != "features" {
			var skip json.RawMessage
			if err := d.Decode(&skip); err != nil {
				return err
			}
			continue
		}
		if t, err := d.Token(); err != nil || t != json.Delim('[') {
			return fmt.Errorf("features: expected an array: %w", err)
		}
		for d.More() {
			at := d.InputOffset()
			var f feature
			if err := d.Decode(&f); err != nil {
				return fmt.Errorf("feature %d: %w", r.n, err)
			}
			if r.n++; d.InputOffset()-at > maxFeature {
				r.bad("", "a feature of at most 1 MB")
				continue
			}
			r.add(&f)
		}
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	return nil
}

func (r *reader) bad(value, expected string) {
	r.p.Add(table.Problem{File: r.file, Line: r.n, Value: value, Expected: expected})
}

// add reads one name.
func (r *reader) add(f *feature) {
	props := make(map[string]any, len(f.Properties))
	for k, v := range f.Properties {
		props[strings.ToLower(k)] = v
	}
	text := func(key string) string {
		switch v := props[key].(type) {
		case string:
			return strings.TrimSpace(v)
		case json.Number:
			return v.String()
		}
		return ""
	}
	n := toponyms.Name{Name: text("name"), Feature: text("f_name"), Variant: text("var_name"), Elevation: toponyms.NoElevation}
	if n.Name == "" || len(n.Name) > maxText || len(n.Variant) > maxText || len(n.Feature) > maxText {
		r.bad(n.Name, "a NAME of 1 to 200 bytes")
		return
	}
	code, _ := number(text("f_code"), 1, 99_999)
	n.Code = int(code)
	var ok bool
	if n.Layer, ok = r.layerOf(text("layer"), n.Code); !ok {
		r.bad(text("layer")+" "+text("f_code"), "a LAYER, a layer in the file's name, or an F_CODE of one")
		return
	}
	if n.At, ok = middle(f.Geometry); !ok {
		r.bad(n.Name, "a geometry with longitudes and latitudes")
		return
	}
	if h, ok := number(text("hoehe"), -500, 9000); ok && h != 0 {
		n.Elevation = int(math.Round(h))
	}
	for _, date := range []string{text("bearbdat"), text("erstelldat")} {
		if year, ok := number(date[:min(len(date), 4)], 1800, 2200); ok {
			n.Year = int(year)
			break
		}
	}
	for _, l := range languages {
		if other := text(l.property); other != "" && len(other) <= maxText && !strings.ContainsAny(other, "\n") {
			n.Others = append(n.Others, toponyms.Other{Language: l.code, Name: other})
		}
	}
	if n.ID = idOf(text("globalid"), text("objectid"), &n); r.seen[n.ID] {
		r.bad(n.ID, "a GLOBALID that stands once")
		return
	}
	r.seen[n.ID] = true
	*r.out = append(*r.out, n)
}

func (r *reader) layerOf(property string, code int) (toponyms.Layer, bool) {
	if property != "" {
		l, err := toponyms.ParseLayer(property)
		return l, err == nil
	}
	if r.layered {
		return r.layer, true
	}
	l, ok := byHundred[code/100]
	return l, ok
}

// idOf is the stable id: that of the source, else one of what the name is.
func idOf(global, object string, n *toponyms.Name) string {
	if id := strings.ToLower(strings.Trim(global, "{}")); id != "" && len(id) <= 60 && isID(id) {
		return id
	}
	if object != "" && len(object) <= 20 {
		if v, ok := number(object, 1, 1<<53); ok {
			return n.Layer.String() + "-" + strconv.FormatInt(int64(v), 10)
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%d|%s|%d|%d", n.Layer, n.Code, n.Name, n.At.X, n.At.Y))
	return "x" + hex.EncodeToString(sum[:8])
}

// isID says that a text can stand in a path as it is.
func isID(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' })
}

func number(s string, least, most float64) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && v >= least && v <= most
}

// middle is the place of a geometry: a point, else the middle of the box of its positions.
func middle(raw json.RawMessage) (geom.Point, bool) {
	var g struct {
		Type        string
		Coordinates json.RawMessage
	}
	if json.Unmarshal(raw, &g) != nil {
		return geom.Point{}, false
	}
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	d := json.NewDecoder(strings.NewReader(string(g.Coordinates)))
	depth, at := 0, 0
	for {
		t, err := d.Token()
		if err != nil {
			break
		}
		switch v := t.(type) {
		case json.Delim:
			if v == '[' {
				depth, at = depth+1, 0
			} else {
				depth--
			}
		case float64:
			if at < 2 {
				lo[at], hi[at] = min(lo[at], v), max(hi[at], v)
			}
			at++
		default:
			return geom.Point{}, false
		}
	}
	if lo[0] > hi[0] || lo[1] > hi[1] {
		return geom.Point{}, false
	}
	return geom.PointAt((lo[0]+hi[0])/2, (lo[1]+hi[1])/2)
}

// Sorted puts names in the order of their ids: that of no file.
func Sorted(list []toponyms.Name) []toponyms.Name {
	slices.SortFunc(list, func(a, b toponyms.Name) int { return cmp.Compare(a.ID, b.ID) })
	return list
}
