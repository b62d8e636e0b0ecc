package vgd

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mappe/builders/source/outlines"
	"mappe/builders/source/table"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/shapefile"
)

// Limits of a file.
const (
	maxStream   = 8 << 30 // bytes of a stream, unpacked
	maxSmall    = 64 << 10
	maxVertices = 100_000_000 // of the file: the finest edition of the country has some 20 million
)

// Open reads a zipped shapefile. A bad row is reported and left out; the error is about a file of another form,
// or whose columns or system are not those of boundaries.
func Open(name string) (*Boundaries, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("%s: no zip archive that can be read: %w", filepath.Base(name), err)
	}
	defer z.Close() // read only
	b, err := read(&z.Reader, filepath.Base(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return b, nil
}

// members are the files of one shapefile in an archive, by their extension.
func members(z *zip.Reader) (map[string]*zip.File, error) {
	sets := map[string]map[string]*zip.File{}
	var stems []string
	for _, f := range z.File {
		ext := strings.ToLower(path.Ext(f.Name))
		stem := strings.ToLower(strings.TrimSuffix(f.Name, path.Ext(f.Name)))
		if sets[stem] == nil {
			sets[stem] = map[string]*zip.File{}
		}
		sets[stem][ext] = f
		if ext == ".shp" {
			stems = append(stems, stem)
		}
	}
	switch len(stems) {
	case 0:
		return nil, errors.New("no shapefile (.shp) is in the archive")
	case 1:
		set := sets[stems[0]]
		if set[".dbf"] == nil {
			return nil, fmt.Errorf("%s has no .dbf file beside it, which holds the codes and names", path.Base(set[".shp"].Name))
		}
		return set, nil
	}
	slices.Sort(stems)
	return nil, fmt.Errorf("%d shapefiles are in the archive (%s): expected one", len(stems),
		strings.Join(stems[:min(len(stems), 5)], ", "))
}

func small(f *zip.File) (string, error) {
	if f == nil {
		return "", nil
	}
	in, err := f.Open()
	if err != nil {
		return "", err
	}
	defer in.Close() // read only
	b, err := io.ReadAll(io.LimitReader(in, maxSmall))
	return string(bytes.TrimSpace(b)), err
}

func read(z *zip.Reader, file string) (*Boundaries, error) {
	set, err := members(z)
	if err != nil {
		return nil, err
	}
	prj, err := small(set[".prj"])
	if err != nil {
		return nil, err
	}
	page, err := small(set[".cpg"])
	if err != nil {
		return nil, err
	}
	system, err := systemOf(prj)
	if err != nil {
		return nil, err
	}
	shp, err := set[".shp"].Open()
	if err != nil {
		return nil, err
	}
	defer shp.Close() // read only
	dbf, err := set[".dbf"].Open()
	if err != nil {
		return nil, err
	}
	defer dbf.Close() // read only
	in, err := shapefile.New(io.LimitReader(shp, maxStream), io.LimitReader(dbf, maxStream), page)
	if err != nil {
		return nil, err
	}
	if in.Shape() != shapefile.Polygons {
		return nil, errors.New("the shapes are no polygons: expected the areas of the Katastralgemeinden")
	}
	r := &rows{in: in, system: system, file: file, out: &Boundaries{file: file, districts: map[austria.GemeindeCode]austria.DistrictCode{}}}
	return r.read()
}

// systemOf reads the system from the text of a .prj file.
func systemOf(prj string) (crs.System, error) {
	u := strings.ToUpper(prj)
	has := func(words ...string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(u, w) })
	}
	switch {
	case u == "", has("31287"), has("PROJCS", "AUSTRIA", "LAMBERT", "MGI"):
		return crs.LambertMGI, nil
	case has("PROJCS", "AUSTRIA", "LAMBERT", "ETRS"):
		return crs.LambertETRS89, nil
	case has("PROJCS", "LAEA"), has("PROJCS", "LAMBERT_AZIMUTHAL_EQUAL_AREA"):
		return crs.LAEA, nil
	case strings.HasPrefix(u, "GEOGCS") && (has("WGS") || has("ETRS")):
		return crs.WGS84, nil
	}
	return 0, fmt.Errorf("the .prj file names a system that is not known: %.80q; expected MGI / Austria Lambert (EPSG:31287)", prj)
}

// rows reads the rows of one file.
type rows struct {
	in       *shapefile.Reader
	system   crs.System
	file     string
	out      *Boundaries
	parts    []part
	vertices int
}

func (r *rows) read() (*Boundaries, error) {
	for _, c := range []string{"KG_NR", "KG", "GKZ", "PG"} {
		if !slices.ContainsFunc(r.in.Columns(), func(n string) bool { return strings.EqualFold(n, c) }) {
			return nil, fmt.Errorf("column %s is missing: found %s", c, strings.Join(r.in.Columns(), ", "))
		}
	}
	for rec, ok := r.in.Next(); ok; rec, ok = r.in.Next() {
		for _, ring := range rec.Rings {
			r.vertices += len(ring)
		}
		if r.vertices > maxVertices {
			return nil, fmt.Errorf("more than %d vertices", maxVertices)
		}
		if p, ok := r.part(rec); ok {
			r.parts = append(r.parts, p)
		}
	}
	if err := r.in.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(r.parts, func(a, b part) int { return cmp.Compare(a.Code, b.Code) })
	for len(r.parts) > 0 {
		n := 1
		for n < len(r.parts) && r.parts[n].Code == r.parts[0].Code {
			n++
		}
		k, err := join(r.parts[:n])
		if err != nil {
			r.out.Problems.Add(table.Problem{File: r.file, Column: "KG_NR", Value: string(k.Code),
				Expected: fmt.Sprintf("%d rows that can be united: %v", n, err)})
		}
		r.out.KGs = append(r.out.KGs, k)
		r.out.districts[k.GemeindeCode] = r.parts[0].district
		r.parts = r.parts[n:]
	}
	return r.out, nil
}

func (r *rows) bad(rec *shapefile.Record, column, value, expected string) {
	r.out.Problems.Add(table.Problem{File: fmt.Sprintf("%s row %d", r.file, rec.Number), Column: column, Value: value, Expected: expected})
}

// part reads a row; one without a usable code or area is reported.
func (r *rows) part(rec *shapefile.Record) (part, bool) {
	code, err := austria.ParseKGCode(whole(rec.Text("KG_NR")))
	if err != nil {
		r.bad(rec, "KG_NR", rec.Text("KG_NR"), "1 to 5 digits, for example 01004")
		return part{}, false
	}
	g, err := austria.ParseGemeindeCode(whole(rec.Text("GKZ")))
	if err != nil {
		r.bad(rec, "GKZ", rec.Text("GKZ"), "5 digits, the first 1 to 9")
		return part{}, false
	}
	name := rec.Text("PG")
	if g.State() == "9" {
		g, name = "90001", "Wien" // its 23 districts are one municipality, as the registers know it
	}
	p := part{KG: outlines.KG{Code: code, Name: rec.Text("KG"), GemeindeCode: g, GemeindeName: name,
		DistrictName: rec.Text("PB"), StateName: rec.Text("BL")}, district: g.District()}
	if b := whole(rec.Text("BKZ")); b != "" && b != string(p.district) && g.State() != "9" {
		r.bad(rec, "BKZ", b, "district "+string(p.district)+" of municipality "+string(g))
	}
	if a := rec.Text("FL"); a != "" {
		v, ok := table.Decimal([]byte(a))
		if !ok || v < 0 {
			r.bad(rec, "FL", a, "m²")
		}
		p.AreaSqm = max(v, 0)
	}
	var ok bool
	p.Geometry, ok = r.geometry(rec)
	return p, ok
}

// whole takes the decimals off a number that is written with them: 1004.000.
func whole(s string) string {
	n, decimals, ok := strings.Cut(s, ".")
	if ok && strings.Trim(decimals, "0") == "" {
		return n
	}
	return s
}

// Austria with room to spare, in 1e-7 degrees.
var austriaBox = geom.Box{MinX: 90_000_000, MinY: 460_000_000, MaxX: 175_000_000, MaxY: 495_000_000}

// geometry projects the rings and makes polygons of them by the even-odd rule, whatever their order.
func (r *rows) geometry(rec *shapefile.Record) (geom.MultiPolygon, bool) {
	rings := make([]geom.Ring, 0, len(rec.Rings))
	for _, in := range rec.Rings {
		ring := make(geom.Ring, 0, len(in))
		for _, v := range in {
			p, ok := r.system.Point(v[0], v[1])
			if !ok || !austriaBox.Contains(p) {
				r.bad(rec, "", fmt.Sprintf("%g %g", v[0], v[1]), "positions in Austria in "+r.system.String())
				return nil, false
			}
			ring = append(ring, p)
		}
		rings = append(rings, ring)
	}
	m, err := geom.Rebuild(rings)
	if err != nil {
		r.bad(rec, "", "", "polygons whose lines can be compared: "+err.Error())
		return nil, false
	}
	if len(m) == 0 {
		r.bad(rec, "", "", "polygons with an area")
		return nil, false
	}
	return m, true
}
