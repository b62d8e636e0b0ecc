package national

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"mappe/builders/source/addresses"
	"mappe/builders/source/dkm"
	"mappe/builders/source/edition"
	"mappe/builders/source/outlines"
	"mappe/builders/source/registers"
	"mappe/builders/source/table"
	"mappe/builders/source/tiles"
	"mappe/builders/source/vgd"
)

// handed are the survey office's files as it hands them out, found by their names.
type handed struct {
	maps       []string // GeoPackages of the cadastral map; none: the parcels come from tiles
	boundaries string   // "" when the publication has no boundaries
	addresses  string   // likewise
}

// findHanded looks for them; the map is not looked for when tiles are named instead.
func findHanded(o SourceOptions) (h handed, err error) {
	if o.Tiles == "" && o.Reader == nil {
		if h.maps, _, err = dkm.Find(o.Dir); err != nil {
			return h, err
		}
	}
	found, _, err := vgd.Find(o.Dir)
	if len(found) > 0 {
		h.boundaries = found[0]
	}
	if err != nil {
		return h, err
	}
	if found, _, err = addresses.Find(o.Dir); len(found) > 0 {
		h.addresses = found[0]
	}
	return h, err
}

// date is that of the map, or else of the boundaries; "" when no name has one. Of the map's files the newest
// counts.
func (h handed) date() (newest string) {
	for _, m := range h.maps {
		newest = max(newest, edition.Date(m))
	}
	return cmp.Or(newest, edition.Date(h.boundaries))
}

// given is what the source says of KGs and municipalities.
type given struct {
	rows      registers.Registers
	kgs       []outlines.KG
	gemeinden []outlines.Gemeinde
}

// standIn takes from the boundaries what the source does not say itself. They are not read when it says all.
func (s *Source) standIn(h handed, g *given) error {
	if h.boundaries == "" || len(g.kgs) > 0 && len(g.rows.KGs) > 0 && len(g.gemeinden) > 0 {
		return nil
	}
	b, err := vgd.Open(h.boundaries)
	if err != nil {
		return err
	}
	rows := b.Registers()
	if len(g.kgs) == 0 {
		g.kgs = b.KGs
	}
	if len(g.rows.KGs) == 0 {
		g.rows.KGs = rows.KGs
	}
	if len(g.rows.Gemeinden) == 0 {
		g.rows.Gemeinden = rows.Gemeinden
	}
	if len(g.rows.Districts) == 0 {
		g.rows.Districts = rows.Districts
	}
	if len(g.gemeinden) == 0 {
		g.gemeinden = b.Gemeinden()
	}
	s.problems(b.Problems)
	return nil
}

// check refuses a source that does not say which KGs there are and where.
func (g *given) check(dir string) error {
	const instead = "download the administrative boundaries (VGD_Oesterreich_gen_50_YYYYMMDD.zip) into the folder"
	if len(g.kgs) == 0 {
		return fmt.Errorf("%s has no outlines of KGs: %s, or write %s", dir, instead, "kg.geojson")
	}
	if len(g.rows.KGs) == 0 {
		return fmt.Errorf("%s has no list of KGs: %s, or write %s", dir, instead, "registers/kg.csv")
	}
	return nil
}

// openParcels opens the map: the reader or the tiles that were named, else GeoPackages, else the folder tiles.
func (s *Source) openParcels(ctx context.Context, o SourceOptions, h handed) (err error) {
	switch {
	case o.Reader != nil:
		s.tiles = o.Reader
		return nil
	case o.Tiles != "":
		s.tiles, err = tiles.Open(o.Tiles, tiles.Options{CacheDir: o.Cache})
		return err
	case len(h.maps) == 0:
		if !exists(filepath.Join(o.Dir, "tiles")) {
			return fmt.Errorf("%s has no parcels: download the cadastral map (KAT_DKM_GST_epsg31287_YYYYMMDD.gpkg) into the folder, or name a server of tiles", o.Dir)
		}
		s.tiles, err = tiles.Open(o.Dir, tiles.Options{CacheDir: o.Cache})
		return err
	}
	if exists(filepath.Join(o.Dir, "tiles")) {
		s.warn("the folder tiles is not read: the parcels are those of " + filepath.Base(h.maps[0]))
	}
	if s.dkm, err = dkm.Open(ctx, h.maps...); err != nil {
		return err
	}
	for _, m := range s.dkm.Missing() {
		s.warn(m)
	}
	s.tiles = s.dkm
	s.Settings.ParcelZoom, s.Settings.LandUseZoom = dkm.Zoom, dkm.Zoom // those of source.json are a server's
	return nil
}

// MapProblems are the features of the map's GeoPackages that could not be read, as far as they were asked for.
func (s *Source) MapProblems() table.Problems {
	if s.dkm == nil {
		return table.Problems{}
	}
	return s.dkm.Problems()
}

// Close closes the files that are read while KGs are built.
func (s *Source) Close() error {
	if s.dkm == nil {
		return nil
	}
	return s.dkm.Close()
}
