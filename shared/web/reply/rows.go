package reply

import (
	"net/http"
	"strings"

	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/shapefile"
)

func writeRows(w http.ResponseWriter, a *Ask, t *Rows) error {
	if a.Format == format.FormGeoPackage && a.GeoPackage == nil {
		return fault.BadValue("format", string(a.Format), "another form: this service writes no GeoPackage")
	}
	if t.Limit > 0 {
		a.Limit = t.Limit
	}
	rows, total, err := a.page(t)
	if err != nil {
		return err
	}
	rowTypes := t.RowTypes
	if rowTypes == nil {
		rowTypes = a.RowTypes
	}
	l := format.NewLayout(a.Fields, rowTypes...)
	l.Geometry = t.Geometry
	l.Projection = a.Projection
	a.headers(w.Header(), t.Header)
	a.rowHeaders(w.Header(), t, total, format.HasShape(rowTypes))
	name := t.Name
	if name == "" {
		name = a.Name
	}
	if a.Format.Attachment() {
		w.Header().Set("Content-Disposition", disposition(name+"."+a.Format.Extension()))
	}
	switch a.Format {
	case format.FormJSON:
		return a.json(w, a.Format.ContentType(), 0, func(j *format.JSON) error { return a.envelope(j, t, l, rows, total) })
	case format.FormGeoJSON:
		return a.json(w, a.Format.ContentType(), 0, func(j *format.JSON) error { return a.collection(j, t, l, rows, total) })
	}
	b := a.start(w, a.Format.ContentType(), a.Format.Compresses(), 0)
	defer b.close()
	if a.Head {
		return b.end(nil)
	}
	switch a.Format {
	case format.FormCSV:
		err = format.WriteCSV(b.Buffer, l, rows)
	case format.FormNDJSON:
		err = format.WriteNDJSON(b.Buffer, l, rows)
	case format.FormGeoJSONSeq:
		err = format.WriteGeoJSONSeq(b.Buffer, l, rows)
	case format.FormGeoPackage:
		err = a.GeoPackage.WriteRows(a.context(), b.Buffer, name, l, rows)
	case format.FormKML:
		err = format.WriteKML(b.Buffer, name, a.license(), l, rows)
	case format.FormParquet:
		err = format.WriteParquet(b.Buffer, l, rows)
	case format.FormShapefile:
		err = shapefile.Answer{Name: name, About: a.license(), Layout: l, Rows: rows}.Write(a.context(), b.Buffer)
	}
	return b.end(err)
}

// rowHeaders sets the link to the next page, and the coordinate system of rows with shapes.
func (a *Ask) rowHeaders(h http.Header, t *Rows, total int, shapes bool) {
	place, more := "", a.Offset+a.Limit < total
	if t.Place != nil {
		place, more = t.Place()
	}
	if a.Next != nil && more {
		h.Add("Link", "<"+a.Next(a.Offset+a.Limit, place)+`>; rel="next"`)
	}
	if !shapes {
		return
	}
	if a.Projection.EPSG == 0 {
		h["Content-Crs"] = wgs84
	} else {
		h.Set("Content-Crs", a.Projection.URI())
	}
}

// page cuts the page out of a sequence that holds every match.
func (a *Ask) page(t *Rows) (format.Seq, int, error) {
	if t.Total != CountRows {
		return t.Rows, t.Total, nil
	}
	return a.cut(t)
}

func (a *Ask) cut(t *Rows) (format.Seq, int, error) {
	total := 0
	for _, err := range t.Rows {
		if err != nil {
			return nil, 0, err
		}
		total++
	}
	if !a.Paged {
		return t.Rows, total, nil
	}
	return func(yield func(format.Row, error) bool) {
		i := 0
		for r, err := range t.Rows {
			if err != nil {
				yield(nil, err)
				return
			}
			if i >= a.Offset+a.Limit {
				return
			}
			if i >= a.Offset && !yield(r, nil) {
				return
			}
			i++
		}
	}, total, nil
}

// envelope writes {data, meta, ...}.
func (a *Ask) envelope(j *format.JSON, t *Rows, l *format.Layout, rows format.Seq, total int) error {
	j.Object()
	j.Key("data")
	if d := t.Data; d != nil {
		j.Object()
		writeMembers(j, d.Before)
		j.Key(d.Key)
	}
	if err := j.Rows(rows, l); err != nil {
		return err
	}
	if d := t.Data; d != nil {
		writeMembers(j, d.After)
		j.EndObject()
	}
	a.tail(j, t, total)
	j.EndObject()
	return nil
}

// collection writes a FeatureCollection with meta as a foreign member.
func (a *Ask) collection(j *format.JSON, t *Rows, l *format.Layout, rows format.Seq, total int) error {
	j.Object()
	j.Key("type")
	j.String("FeatureCollection")
	if l.Projection.EPSG != 0 && l.Projection.EPSG != 4326 {
		j.Key("crs")
		j.Value(format.RawJSON(`{"type":"name","properties":{"name":"` + l.Projection.URN() + `"}}`))
	}
	j.Key("features")
	if err := j.Features(rows, l); err != nil {
		return err
	}
	a.tail(j, t, total)
	j.EndObject()
	return nil
}

func (a *Ask) tail(j *format.JSON, t *Rows, total int) {
	j.Key("meta")
	j.Object()
	j.Key("total")
	j.Int(total)
	if a.Paged {
		j.Key("limit")
		j.Int(a.Limit)
		j.Key("offset")
		j.Int(a.Offset)
	}
	j.Key("format")
	j.String(string(a.Format))
	writeMembers(j, t.Meta)
	a.meta(j)
	j.EndObject()
	writeMembers(j, t.Members)
}

// disposition is the header of an attachment; the name keeps letters, digits, dot, hyphen, underscore.
func disposition(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}, name)
	return `attachment; filename="` + clean + `"`
}
