package forms

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/shared/cloud/spool"
	"mappe/shared/web/format"
	"mappe/shared/web/gpkg"
)

// GeoPackage writes the six layers of rowschema as one file. The time in it is the Stichtag.
func GeoPackage(s *kgfile.Snapshot) (body []byte, err error) {
	day, err := time.Parse(time.DateOnly, s.Build.Stichtag)
	if err != nil {
		return nil, fmt.Errorf("stichtag %q is not a date YYYY-MM-DD", s.Build.Stichtag)
	}
	m := rowschema.MetaOf(s)
	f := gpkg.File{Time: day}
	for _, l := range rowschema.AllLayers() {
		f.Layers = append(f.Layers, gpkg.Layer{
			Name: l.String(),
			Description: fmt.Sprintf("%s KG %s %s, Stichtag %s. %s, %s (%s). %s.", l.RowType().Doc, m.KGCode, m.KGName, m.Stichtag,
				m.Attribution, m.License, m.LicenseURL, m.Changes),
			Layout: format.NewLayout(nil, l.RowType()),
			Rows:   l.Rows(s),
			Style:  l.Style(),
		})
	}
	path, done, err := spool.Folder("kg.gpkg")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	if err := gpkg.WriteFile(context.Background(), path, f); err != nil {
		return nil, err
	}
	return os.ReadFile(path) // its size is known: a growing buffer would take twice the memory
}
