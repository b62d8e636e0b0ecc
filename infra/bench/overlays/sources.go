package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"mappe/artefacts/toponyms"
	bench "mappe/infra/bench/context"
	"mappe/shared/geo/geom"
)

// kgSide is the number of KGs along an edge of the country: 89 x 89 are 7,921, Austria has 7,850.
const kgSide = 89

// writeSources writes the country as raw sources in their real forms.
func writeSources(dir string, c bench.Country, nodes int) error {
	o := c.Over
	return errors.Join(
		write(dir, "gemeinden.geojson", features(len(o.Municipalities), func(i int) (string, geom.MultiPolygon) {
			m := &o.Municipalities[i]
			return fmt.Sprintf(`"iso":%q,"name":%q`, m.Code, m.Name), m.Geometry
		})),
		write(dir, "kg.geojson", features(kgSide*kgSide, func(i int) (string, geom.MultiPolygon) {
			return fmt.Sprintf(`"kg_code":"%05d","kg_name":"KG %d"`, 10_000+i, i), geom.MultiPolygon{{kg(i)}}
		})),
		write(dir, "overlays/natura2000.geojson", features(len(o.Sites), func(i int) (string, geom.MultiPolygon) {
			return fmt.Sprintf(`"sitecode":%q,"sitename":%q,"sitetype":"C","ms":"AT"`, o.Sites[i].Code, o.Sites[i].Name),
				o.Sites[i].Geometry
		})),
		write(dir, "overlays/protected_areas.geojson", features(len(o.Areas), func(i int) (string, geom.MultiPolygon) {
			a := &o.Areas[i]
			return fmt.Sprintf(`"wdpaid":%d,"name":%q,"desig":%q,"desig_eng":%q,"desig_type":"National","iucn_cat":%q,"realm":"Terrestrial"`, i+1, a.Name, a.Desig, a.DesigEng, a.IUCN), a.Geometry
		})),
		write(dir, "osm/country.osm.pbf", func(w io.Writer) error { return writeExtract(w, c.World, nodes) }),
		names(dir, c.Names),
	)
}

// kg is the ring of a KG, with some 100 vertices as a register has them.
func kg(i int) geom.Ring {
	const side = 25
	west, south, east, north := bench.West, bench.South, bench.East, bench.North
	x, y := float64(i%kgSide)/kgSide, float64(i/kgSide)/kgSide
	const step = 1.0 / kgSide
	var r geom.Ring
	add := func(fx, fy float64) {
		p, _ := geom.PointAt(west+(east-west)*(x+fx*step), south+(north-south)*(y+fy*step))
		r = append(r, p)
	}
	for n := range side {
		add(float64(n)/side, 0)
	}
	for n := range side {
		add(1, float64(n)/side)
	}
	for n := range side {
		add(1-float64(n)/side, 1)
	}
	for n := range side {
		add(0, 1-float64(n)/side)
	}
	return r
}

// names writes a file for each layer.
func names(dir string, c *toponyms.Country) error {
	var errs []error
	for _, l := range toponyms.AllLayers() {
		errs = append(errs, write(dir, "names/"+l.String()+".geojson", func(w io.Writer) error {
			sep := "{\"type\":\"FeatureCollection\",\"features\":[\n"
			for i := range c.Names {
				n := &c.Names[i]
				if n.Layer != l {
					continue
				}
				if _, err := fmt.Fprintf(w, `%s{"type":"Feature","properties":{"F_CODE":%d.0,"F_NAME":%q,"BEDEUTUNG":"Gering bedeutend","NAME":%q,"VAR_NAME":null,"HOEHE":9999.0,"ERSTELLDAT":"2014-08-20","BEARBDAT":"%d-05-01","OBJECTID":%d.0,"GLOBALID":"{%s}"},"geometry":{"type":"Point","coordinates":[%.7f,%.7f]}}`,
					sep, n.Code, n.Feature, n.Name, n.Year, i+1, n.ID, n.At.Lon(), n.At.Lat()); err != nil {
					return err
				}
				sep = ",\n"
			}
			if sep[0] == '{' {
				sep += " "
			} else {
				sep = ""
			}
			_, err := io.WriteString(w, sep+"]}\n")
			return err
		}))
	}
	return errors.Join(errs...)
}

// features are a FeatureCollection of polygons.
func features(n int, of func(i int) (properties string, m geom.MultiPolygon)) func(io.Writer) error {
	return func(w io.Writer) error {
		b := []byte("{\"type\":\"FeatureCollection\",\"features\":[\n")
		for i := range n {
			properties, m := of(i)
			if i > 0 {
				b = append(b, ",\n"...)
			}
			b = append(append(append(b, `{"type":"Feature","properties":{`...), properties...),
				`},"geometry":{"type":"MultiPolygon","coordinates":`...)
			b = append(coordinates(b, m), "}}"...)
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
		_, err := io.WriteString(w, "]}\n")
		return err
	}
}

func coordinates(b []byte, m geom.MultiPolygon) []byte {
	b = append(b, '[')
	for i, p := range m {
		b = append(separated(b, i), '[')
		for k, r := range p {
			b = append(separated(b, k), '[')
			for n := range len(r) + 1 {
				v := r[n%len(r)]
				b = strconv.AppendFloat(append(separated(b, n), '['), v.Lon(), 'f', 7, 64)
				b = append(strconv.AppendFloat(append(b, ','), v.Lat(), 'f', 7, 64), ']')
			}
			b = append(b, ']')
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

func separated(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// write makes a file of the sources.
func write(dir, name string, body func(io.Writer) error) error {
	file := filepath.Join(sourceDir(dir), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(body(w), w.Flush(), f.Close())
}
