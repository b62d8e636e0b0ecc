package kgfile

import (
	"errors"
	"unsafe"

	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// Parcels are all parcels in file order, with their geometry.
func (f *File) Parcels() ([]Parcel, error) {
	return f.parcels.get(func() (p []Parcel, err error) {
		if err = f.read(secPatt, func(r *column.Reader, n int) { p = readParcels(r, f.geo, n) }); err != nil {
			return nil, err
		}
		if err = f.read(secPuse, func(r *column.Reader, _ int) { readParcelUse(r, p) }); err != nil {
			return nil, err
		}
		return nilIfEmpty(p), nil
	})
}

// indexFrom is at which number looked for the numbers of a file get an index: to make it takes as long as to look through
// them so often, and of most files that a search over the country opens one number is wanted.
const indexFrom = 8

// ParcelByGNR finds a parcel by its number, exactly as spelled; the first where several have it.
func (f *File) ParcelByGNR(g austria.GNR) (int, bool, error) {
	if f.sought.Load() < indexFrom {
		f.sought.Add(1)
		p, err := f.Parcels()
		for i := range p {
			if p[i].GNR == g {
				return i, true, err
			}
		}
		return 0, false, err
	}
	m, err := f.numbers.get(func() (map[austria.GNR]int32, error) {
		p, err := f.Parcels()
		if err != nil {
			return nil, err
		}
		m := make(map[austria.GNR]int32, len(p))
		for i := len(p) - 1; i >= 0; i-- {
			m[p[i].GNR] = int32(i)
		}
		return m, nil
	})
	i, ok := m[g]
	return int(i), ok, err
}

func (f *File) anchors() anchors { return anchors{f.geo.boxes, f.kg.Box} }

func (f *File) buildingTable() (buildingTable, error) {
	return f.buildings.get(func() (t buildingTable, err error) {
		if err = f.read(secBldg, func(r *column.Reader, n int) { t.rows = nilIfEmpty(readBuildings(r, f.anchors(), n)) }); err != nil {
			return buildingTable{}, err
		}
		boxes := make([]geom.Box, len(t.rows))
		for i, b := range t.rows {
			boxes[i] = geom.Box{MinX: b.At.X, MinY: b.At.Y, MaxX: b.At.X, MaxY: b.At.Y}
		}
		t.tree = packtree.Pack(boxes)
		return t, nil
	})
}

// Buildings are all address points, by rising ID.
func (f *File) Buildings() ([]Building, error) {
	t, err := f.buildingTable()
	return t.rows, err
}

// BuildingsInBox calls visit for the address points in the closed box, in Hilbert order, until visit says false.
func (f *File) BuildingsInBox(q geom.Box, visit func(building int) bool) error {
	t, err := f.buildingTable()
	if err == nil {
		t.tree.Search(q, visit)
	}
	return err
}

func (f *File) footprintTable() (footprintTable, error) {
	return f.footprints.get(func() (t footprintTable, err error) {
		var geo *shapeSet
		err = f.read(secFoot, func(r *column.Reader, n int) { t.rows, geo = readFootprints(r, n, f.NumParcels()) })
		if err != nil {
			return footprintTable{}, err
		}
		return footprintTable{nilIfEmpty(t.rows), packtree.Ordered(geo.boxes)}, nil
	})
}

// Footprints are all building footprints, by rising N.
func (f *File) Footprints() ([]Footprint, error) {
	t, err := f.footprintTable()
	return t.rows, err
}

// FootprintsInBox calls visit for the footprints whose box shares a point with q, in rising order.
func (f *File) FootprintsInBox(q geom.Box, visit func(footprint int) bool) error {
	t, err := f.footprintTable()
	if err == nil {
		t.tree.Search(q, visit)
	}
	return err
}

// FootprintByN gives the index of footprint number n.
func (f *File) FootprintByN(n uint32) (int, bool, error) {
	t, err := f.footprintTable()
	if err != nil {
		return 0, false, err
	}
	// Numbers count from 1 without gaps; a file with gaps is searched.
	if k := int(n) - 1; k >= 0 && k < len(t.rows) && t.rows[k].N == n {
		return k, true, nil
	}
	for i := range t.rows {
		if t.rows[i].N == n {
			return i, true, nil
		}
	}
	return 0, false, nil
}

// LandUse are all land-use polygons.
func (f *File) LandUse() ([]LandUseArea, error) {
	return f.landUse.get(func() (rows []LandUseArea, err error) {
		err = f.read(secLuse, func(r *column.Reader, n int) { rows = nilIfEmpty(readLandUse(r, n)) })
		return rows, err
	})
}

// Symbols are all land-use symbols.
func (f *File) Symbols() ([]Symbol, error) {
	return f.symbols.get(func() (s []Symbol, err error) {
		err = f.read(secSymb, func(r *column.Reader, n int) { s = nilIfEmpty(readSymbols(r, f.anchors(), n)) })
		return s, err
	})
}

// Labels are all parcel-number labels.
func (f *File) Labels() ([]Label, error) {
	return f.labels.get(func() (l []Label, err error) {
		p, err := f.Parcels()
		if err != nil {
			return nil, err
		}
		err = f.read(secLabl, func(r *column.Reader, n int) { l = nilIfEmpty(readLabels(r, f.anchors(), p, n)) })
		return l, err
	})
}

// Folios are all land-register folios, by rising EZ.
func (f *File) Folios() ([]Folio, error) {
	return f.folios.get(func() (l []Folio, err error) {
		p, err := f.Parcels()
		if err != nil {
			return nil, err
		}
		err = f.read(secFoli, func(r *column.Reader, n int) { l = nilIfEmpty(readFolios(r, p, n)) })
		return l, err
	})
}

// Outline is the union of the parcels.
func (f *File) Outline() (geom.MultiPolygon, error) {
	return f.outline.get(func() (m geom.MultiPolygon, err error) {
		err = f.read(secOutl, func(r *column.Reader, n int) {
			if s := readShapes(r, n, f.geo); s != nil && n > 0 {
				m = s.geometry(0)
			}
		})
		return m, err
	})
}

// Snapshot gives the whole model back: equal to what was encoded, after Quantise.
func (f *File) Snapshot() (*Snapshot, error) {
	s := &Snapshot{KG: f.kg, Build: f.build}
	var errs [8]error
	s.Parcels, errs[0] = f.Parcels()
	s.Buildings, errs[1] = f.Buildings()
	s.Footprints, errs[2] = f.Footprints()
	s.LandUse, errs[3] = f.LandUse()
	s.Symbols, errs[4] = f.Symbols()
	s.Labels, errs[5] = f.Labels()
	s.Folios, errs[6] = f.Folios()
	s.Outline, errs[7] = f.Outline()
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return s, nil
}

// memory is what the file takes with every table decoded; the vertices of tables not yet decoded are
// counted at eight bytes for each stored byte of their section, which is above what they take.
func (f *File) memory() int64 {
	n := int64(f.size) + f.geo.bytes() + f.grid.bytes() + f.tree.Bytes()
	row := func(sec int, size uintptr) { n += int64(f.secs[sec].Rows) * int64(size) }
	row(secPatt, unsafe.Sizeof(Parcel{})+12+40) // its number, and its entry in the number index
	row(secBldg, unsafe.Sizeof(Building{})+16+1+4)
	row(secFoot, unsafe.Sizeof(Footprint{})+17+24+24+16)
	row(secLuse, unsafe.Sizeof(LandUseArea{})+24+24+16)
	row(secSymb, unsafe.Sizeof(Symbol{}))
	row(secLabl, unsafe.Sizeof(Label{}))
	row(secFoli, unsafe.Sizeof(Folio{})+4+32)
	for _, sec := range []int{secPuse, secFoot, secLuse, secOutl} {
		n += int64(8 * len(f.secs[sec].Body))
	}
	return n
}
