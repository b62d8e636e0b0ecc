package segment

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/crs"
	land "mappe/shared/landscape/segment"
	"mappe/shared/landscape/terrain"
	"mappe/shared/web/format"
	"mappe/shared/web/gpkg"
	"mappe/shared/web/qgis"
	"mappe/shared/web/reply"
)

// heightClasses are those of height_max_m in metres, from below each bound, with a colour.
var heightClasses = []struct {
	name string
	to   float64
	fill string
}{{"under_2_m", 2, "#ffffcc"}, {"2_to_5_m", 5, "#c2e699"}, {"5_to_10_m", 10, "#78c679"}, {"10_to_20_m", 20, "#31a354"},
	{"20_to_30_m", 30, "#006837"}, {"over_30_m", math.Inf(1), "#00341b"}}

// unknownHeight is the class of segments without a height.
const unknownHeight = "unknown"

func heightClass(height float64) string {
	for _, c := range heightClasses {
		if height < c.to {
			return c.name
		}
	}
	return unknownHeight
}

func (d *divided) heightClassOf(i int) string {
	return heightClass(float64(d.sizes[i].height))
}

func heightClassNames() []string {
	out := []string{unknownHeight}
	for _, c := range heightClasses {
		out = append(out, c.name)
	}
	return out
}

var classField = enum("height_class", "Class of height_max_m.", heightClassNames(),
	func(r *row) string { return heightClass(r.figure(land.HeightMax)) })

// The schemas of files that are coloured by height have its class too; placed are segments as named points.
var (
	placed = format.NewSchema("segment_point", "A place in a segment.", format.Drawing[row]{Point: (*row).at},
		slices.Concat(format.Fields[row]{identity}, pointed.Fields))
	rowsByHeight   = rows.With(classField)
	placedByHeight = placed.With(classField)
)

// heightStyle draws segments by the class of their height.
var heightStyle = func() qgis.Style {
	s := qgis.Style{Fill: "#b0b0b0", Line: "#424242", Width: 0.1, Size: 1.6, Column: classField.Name}
	for _, c := range heightClasses {
		s.Classes = append(s.Classes, qgis.Class{Name: c.name, Values: []string{c.name}, Fill: c.fill})
	}
	return s
}()

// look is how segments are written in a file.
func (q *stop) look() (schema *format.Schema[row], s qgis.Style) {
	switch {
	case q.Geometry == asPoints && q.Style == byHeight:
		return placedByHeight, heightStyle
	case q.Geometry == asPoints:
		return placed, style
	case q.Style == byHeight:
		return rowsByHeight, heightStyle
	}
	return rows, style
}

// part are segments of one class; the class is "" where they are not divided.
type part struct {
	class string
	kept  []int
}

// parts divides segments by group_by, the classes in the order of their names.
func (d *divided) parts(q *stop, kept []int) []part {
	if q.GroupBy == "" || len(kept) == 0 {
		return []part{{"", kept}}
	}
	class := d.classOf(q)
	by := map[string][]int{}
	for _, i := range kept {
		by[class(i)] = append(by[class(i)], i)
	}
	var out []part
	for _, name := range slices.Sorted(maps.Keys(by)) {
		out = append(out, part{name, by[name]})
	}
	return out
}

// classOf gives the class of segments that group_by names.
func (d *divided) classOf(q *stop) func(i int) string {
	if q.GroupBy == byClass {
		return d.heightClassOf
	}
	return d.typeOf
}

// credit is the licence with whom it names.
func (d *divided) credit() string {
	return scans.Notice.String() + " " + d.attribution()
}

// file is a file of the result, which is written while it goes out.
func (q *stop) file(d *divided, form format.Format, ending string, write func(context.Context, *format.Buffer) error) *reply.File {
	return &reply.File{ContentType: form.ContentType(), Write: write, Filename: cmp.Or(q.Name, "onestop") + ending, Done: d.release,
		Header: map[string][]string{"X-Data-Attribution": {reply.ASCII(d.attribution())}}}
}

// geoPackage writes a layer for each part.
func (d *divided) geoPackage(q *stop, kept []int) reply.Answer {
	schema, style := q.look()
	name, names := layer, slices.DeleteFunc(slices.Clone(format.NewLayout(nil, schema.RowType).Names()),
		func(n string) bool { return n == identity.Name })
	if q.Geometry == asPoints {
		name = points
	}
	out := gpkg.File{Time: time.Now().UTC().Truncate(time.Second)}
	for _, p := range d.parts(q, kept) {
		l := format.NewLayout(append(slices.Clone(names), "geometry"), schema.RowType)
		if q.Geometry == asPolygons {
			l.Projection = format.Projection{EPSG: int(crs.LAEA), Forward: crs.LAEA.Forward}
		}
		title := name
		if p.class != "" {
			title += "_" + p.class
		}
		out.Layers = append(out.Layers, gpkg.Layer{Name: gpkg.Word(title), Description: d.credit(), Layout: l,
			Rows: d.seq(schema, p.kept), Style: style})
	}
	return q.file(d, format.FormGeoPackage, ".gpkg", func(ctx context.Context, b *format.Buffer) error { return gpkg.Write(ctx, b, out) })
}

// kml writes a folder for each part.
func (d *divided) kml(q *stop, kept []int) reply.Answer {
	schema, style := q.look()
	out := format.KML{Name: cmp.Or(q.Name, layer), About: d.credit()}
	fills := map[string]bool{}
	for _, c := range style.Classes {
		out.Colours, fills[c.Name] = append(out.Colours, format.KMLColour{ID: c.Name, Fill: c.Fill}), true
	}
	column := schema.RowType.Index(style.Column)
	for _, p := range d.parts(q, kept) {
		l := format.NewLayout(nil, schema.RowType)
		l.Geometry = true
		out.Folders = append(out.Folders, format.KMLFolder{Name: p.class, Layout: l, Rows: d.seq(schema, p.kept),
			Colour: func(r format.Row) string {
				if name, ok := r.Value(column).Str(); ok && fills[name] {
					return name
				}
				return ""
			}})
	}
	return q.file(d, format.FormKML, ".kml", func(_ context.Context, b *format.Buffer) error { return out.Write(b) })
}

// collection is the JSON.
func (d *divided) collection(ctx context.Context, q *stop, kept []int) (reply.Answer, error) {
	members := []reply.Member{{Name: "summary", Value: d.summary(d.pick(nil), d.typeOf)}}
	if q.GroupBy != "" {
		members = append(members, reply.Member{Name: "grouped", Value: d.summary(kept, d.classOf(q))})
	}
	if slices.Contains(q.Layers, ofTerrain) {
		relief, err := d.relief()
		if err != nil {
			return nil, err
		}
		members = append(members, reply.Member{Name: ofTerrain, Value: relief})
	}
	if slices.Contains(q.Layers, ofTrees) {
		woods, err := d.woods()
		if err != nil {
			return nil, err
		}
		members = append(members, reply.Member{Name: ofTrees, Value: woods})
	}
	if q.Terrain {
		model, err := d.terrainModel(ctx)
		if err != nil {
			return nil, err
		}
		members = append(members, reply.Member{Name: "dtm", Value: model})
	}
	schema := rows
	if q.Geometry == asPoints {
		schema = placed
	}
	shown := kept
	if !q.Vector {
		shown = nil
	}
	return d.gaps.Mark(&reply.Rows{Total: len(kept), RowTypes: []*format.RowType{schema.RowType}, Name: layer, Geometry: true,
		Attribution: d.attribution(), Meta: d.meta(), Members: members, Rows: d.seq(schema, shown), Done: d.release}), nil
}

// terrainFiles is the terrain model that segments were made from, as files.
type terrainFiles struct {
	Dataset string        `json:"dataset"` // YYYYMMDD
	Step    float64       `json:"step_m"`  // side of a cell
	EPSG    int           `json:"epsg"`
	Files   []terrainFile `json:"files"` // cloud optimised GeoTIFFs of heights in metres, from the south-west
}

type terrainFile struct {
	Key   string     `json:"key"` // of the object below /artefacts
	Bytes int64      `json:"bytes"`
	Box   [4]float64 `json:"box"` // west, south, east, north in the plane
}

// terrainModel names the files of the scan's terrain model that have values in the area's box; nil where there is no scan.
func (d *divided) terrainModel(ctx context.Context) (*terrainFiles, error) {
	if d.Ground == nil {
		return nil, nil
	}
	box := d.q.Area.Box()
	tiles, err := d.s.TilesIn(ctx, d.Ground, box)
	if err != nil {
		return nil, generation.FaultOf(ctx, "the index of rasters", err)
	}
	out := &terrainFiles{Dataset: d.Ground.Dataset(), Step: d.Ground.Step, EPSG: rasters.EPSG, Files: []terrainFile{}}
	for i := range tiles {
		if t := &tiles[i]; t.Covers(box) {
			b := t.Box()
			out.Files = append(out.Files, terrainFile{t.Key, t.Bytes, [4]float64{b.West, b.South, b.East, b.North}})
		}
	}
	return out, nil
}

// mean is a mean by area of what is known.
type mean struct{ sum, weight float64 }

func (m *mean) add(v, weight float64) {
	if !math.IsNaN(v) {
		m.sum, m.weight = m.sum+v*weight, m.weight+weight
	}
}

func (m *mean) of() float64 { return m.sum / m.weight } // NaN where nothing is known

// reliefSummary is the terrain of an area, by its segments.
type reliefSummary struct {
	Min     *float64            `json:"elevation_min_m"`
	Mean    *float64            `json:"elevation_mean_m"`
	Max     *float64            `json:"elevation_max_m"`
	Slope   *float64            `json:"slope_mean_deg"`
	TRI     *float64            `json:"tri_mean"`
	Classes map[string]*float64 `json:"terrain_classes_sqm"`
}

func (d *divided) relief() (reliefSummary, error) {
	low, high := math.NaN(), math.NaN()
	var elevation, slope, tri mean
	classes := map[string]float64{}
	err := d.Each(func(o *land.Object) error {
		area := float64(o.Row[land.Area])
		if !(o.ElevationMin >= low) && !math.IsNaN(o.ElevationMin) {
			low = o.ElevationMin
		}
		if !(o.ElevationMax <= high) && !math.IsNaN(o.ElevationMax) {
			high = o.ElevationMax
		}
		elevation.add(float64(o.Row[land.Elevation]), area)
		slope.add(float64(o.Row[land.SlopeMean]), area)
		if v := float64(o.Row[land.TRI]); !math.IsNaN(v) {
			tri.add(v, area)
			classes[terrain.ClassOf(v)] += area
		}
		return nil
	})
	out := reliefSummary{Min: scans.Round(low, 2), Mean: scans.Round(elevation.of(), 2), Max: scans.Round(high, 2),
		Slope: scans.Round(slope.of(), 2), TRI: scans.Round(tri.of(), 3), Classes: map[string]*float64{}}
	for name, area := range classes {
		out.Classes[name] = scans.Round(area, 0)
	}
	return out, err
}

// woodSummary are the segments of type tree, of one crown or many.
type woodSummary struct {
	Segments int      `json:"segments"`
	Area     *float64 `json:"area_sqm"`
	Share    *float64 `json:"share"` // of the area in segments
	Mean     *float64 `json:"height_mean_m"`
	Max      *float64 `json:"height_max_m"`
}

func (d *divided) woods() (woodSummary, error) {
	var heights mean
	var area, all float64
	out, highest := woodSummary{}, math.NaN()
	err := d.Each(func(o *land.Object) error {
		m2 := float64(o.Row[land.Area])
		all += m2
		if d.told[o.Label-1].Type != land.Tree {
			return nil
		}
		out.Segments++
		area += m2
		heights.add(float64(o.Row[land.HeightMean]), m2)
		if h := float64(o.Row[land.HeightMax]); !math.IsNaN(h) && !(h <= highest) {
			highest = h
		}
		return nil
	})
	out.Area, out.Share = scans.Round(area, 0), scans.Round(area/all, 4)
	out.Mean, out.Max = scans.Round(heights.of(), 2), scans.Round(highest, 2)
	return out, err
}
