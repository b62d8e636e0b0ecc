package forms

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
)

// sameGeoParquet reads the file column by column.
func sameGeoParquet(s *kgfile.Snapshot, b []byte) error {
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	if f.NumRows() != int64(len(s.Parcels)) {
		return difference("parcel table", "number of rows", f.NumRows(), len(s.Parcels))
	}
	geo, ok := f.Lookup("geo")
	if !ok || !json.Valid([]byte(geo)) {
		return errors.New(`the "geo" metadata is missing or no JSON`)
	}
	for _, kv := range rowschema.MetaOf(s).Pairs() {
		if got, _ := f.Lookup(kv[0]); got != kv[1] {
			return difference("metadata", kv[0], got, kv[1])
		}
	}
	paths := f.Schema().Columns()
	c := parquetCheck{s: s, row: rowschema.ParcelRow{KG: &s.KG}, values: make([]parquet.Value, 1024)}
	attributes := rowschema.Parcel.Columns
	if len(paths) != len(attributes)+5 {
		return difference("parcel table", "number of columns", len(paths), len(attributes)+5)
	}
	for leaf, path := range paths {
		var check func(i int, v parquet.Value) error
		switch {
		case leaf < len(attributes):
			if path[0] != attributes[leaf].Name {
				return difference("parcel table", fmt.Sprintf("name of column %d", leaf), path[0], attributes[leaf].Name)
			}
			check = c.attribute(leaf)
		case leaf < len(attributes)+4:
			check = c.bbox(leaf - len(attributes))
		default:
			check = c.geometry
		}
		if err := c.column(f, leaf, check); err != nil {
			return err
		}
	}
	return nil
}

type parquetCheck struct {
	s      *kgfile.Snapshot
	row    rowschema.ParcelRow
	values []parquet.Value
	wkb    wkbReader
}

// column gives the values of a leaf in row order.
func (c *parquetCheck) column(f *parquet.File, leaf int, check func(i int, v parquet.Value) error) error {
	at := 0
	for _, g := range f.RowGroups() {
		pages := g.ColumnChunks()[leaf].Pages()
		err := func() error {
			for {
				page, err := pages.ReadPage()
				if errors.Is(err, io.EOF) {
					return nil
				}
				if err != nil {
					return err
				}
				if err := c.page(page, &at, check); err != nil {
					return err
				}
				parquet.Release(page)
			}
		}()
		if err := errors.Join(err, pages.Close()); err != nil {
			return err
		}
	}
	if at != len(c.s.Parcels) {
		return difference("parcel table", fmt.Sprintf("number of values of column %d", leaf), at, len(c.s.Parcels))
	}
	return nil
}

func (c *parquetCheck) page(page parquet.Page, at *int, check func(i int, v parquet.Value) error) error {
	r := page.Values()
	for {
		n, err := r.ReadValues(c.values)
		for _, v := range c.values[:n] {
			if *at >= len(c.s.Parcels) {
				return errors.New("a column has more values than rows")
			}
			if err := check(*at, v); err != nil {
				return err
			}
			*at++
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (c *parquetCheck) attribute(column int) func(i int, v parquet.Value) error {
	field := rowschema.Parcel.Fields[column]
	return func(i int, v parquet.Value) error {
		c.row.P = &c.s.Parcels[i]
		var got cell
		switch {
		case v.IsNull():
		case v.Kind() == parquet.Int64:
			got = cell{kind: number, num: float64(v.Int64())}
		case v.Kind() == parquet.Double:
			got = cell{kind: number, num: v.Double()}
		case v.Kind() == parquet.Boolean:
			got = cell{kind: number}
			if v.Boolean() {
				got.num = 1
			}
		default:
			got = cell{kind: text, text: string(v.ByteArray())}
		}
		if want := cellOf(field.Get(&c.row), field.Type); got != want {
			return difference(c.row.ID(), field.Name, got, want)
		}
		return nil
	}
}

func (c *parquetCheck) bbox(side int) func(i int, v parquet.Value) error {
	return func(i int, v parquet.Value) error {
		box := c.s.Parcels[i].Geometry.Bounds()
		if box.Empty() || v.IsNull() {
			if box.Empty() != v.IsNull() {
				return difference(parcelName(c.s, i), "bbox", v, box)
			}
			return nil
		}
		exact := [4]int32{box.MinX, box.MinY, box.MaxX, box.MaxY}[side]
		// 4e-6 degrees is the step of a 32-bit float at these longitudes and latitudes.
		d := (float64(v.Float()) - float64(exact)/1e7) * [4]float64{-1, -1, 1, 1}[side]
		if d < 0 || d > 4e-6 {
			return difference(parcelName(c.s, i), "bbox", v, exact)
		}
		return nil
	}
}

func (c *parquetCheck) geometry(i int, v parquet.Value) error {
	want := c.s.Parcels[i].Geometry
	if v.IsNull() {
		return sameArea(parcelName(c.s, i), nil, want)
	}
	got, err := c.wkb.readArea(v.ByteArray())
	if err != nil {
		return fmt.Errorf("%s: %w", parcelName(c.s, i), err)
	}
	return sameArea(parcelName(c.s, i), got, want)
}
