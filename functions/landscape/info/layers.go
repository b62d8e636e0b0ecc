package info

import (
	"context"
	"slices"

	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/functions/core/proximity"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var bbox = params.Box("Only what lies in this box:", endpoint.Example("13.22,47.31,13.24,47.33"))

// plane is a box in EPSG:3035 that holds the degrees.
func plane(d params.Degrees) raster.Box {
	var ring []raster.XY
	const parts = 8 // of each side: a parallel is curved in the plane
	for i := range parts + 1 {
		t := float64(i) / parts
		lon, lat := d.West+t*(d.East-d.West), d.South+t*(d.North-d.South)
		for _, p := range [4][2]float64{{lon, d.South}, {lon, d.North}, {d.West, lat}, {d.East, lat}} {
			x, y := crs.LAEA.Forward(p[0], p[1])
			ring = append(ring, raster.XY{X: x, Y: y})
		}
	}
	return raster.BoxOf([]raster.Polygon{{ring}})
}

// layerRow is a raster of a date.
type layerRow struct {
	Layer       string         `json:"layer"`
	Dataset     string         `json:"dataset" doc:"YYYYMMDD, of layers of a year YYYY"`
	Date        string         `json:"date" doc:"YYYY-MM-DD; of a month or year its first day"`
	Precision   string         `json:"precision" doc:"day, month or year: how exactly the date is known"`
	Title       string         `json:"title"`
	Origin      string         `json:"origin" doc:"what the layer was made from"`
	StepM       float64        `json:"step_m" doc:"side of a cell in metres"`
	SourceStepM float64        `json:"source_step_m" doc:"side of a cell of the finest source"`
	EPSG        int            `json:"epsg" doc:"all layers lie in this plane, cells at multiples of their step"`
	Sample      string         `json:"sample" doc:"form of the numbers: uint8, uint16, int16, float32"`
	NoData      *float64       `json:"nodata" doc:"number of cells where nothing is known; null: NaN"`
	Unit        *string        `json:"unit" doc:"of the values of the first band; null without one"`
	Bands       []layerBand    `json:"bands"`
	Resampling  string         `json:"resampling" doc:"how cells of the source became cells of the layer"`
	Available   bool           `json:"available" doc:"it has values in the box, told by squares of 100 m"`
	TileKm      int            `json:"tile_km" doc:"side of a tile"`
	Tiles       []layerTile    `json:"tiles" doc:"at most 1,000 that have values in the box, from the south-west"`
	More        bool           `json:"more_tiles" doc:"there are tiles that are not named: ask for a smaller box"`
	Country     layerOfCountry `json:"country"`
	License     string         `json:"license"`
	LicenseURL  string         `json:"license_url"`
	ShareAlike  bool           `json:"share_alike"`
	Attribution string         `json:"attribution"`
}

// layerBand is a band.
type layerBand struct {
	Band    int     `json:"band" doc:"from 1"`
	Name    string  `json:"name"`
	Unit    *string `json:"unit"`
	Scale   float64 `json:"scale" doc:"a value is the number times this"`
	Missing bool    `json:"missing" doc:"the source had no file of it: it has no values"`
	Doc     string  `json:"description,omitempty"`
}

// layerOfCountry is all of a layer.
type layerOfCountry struct {
	Tiles    int     `json:"tiles"`
	Bytes    int64   `json:"bytes"`
	KnownKm2 float64 `json:"known_km2"`
}

// layerTile is a tile in the box.
type layerTile struct {
	Key           string  `json:"key" doc:"of the object below /artefacts"`
	Bytes         int64   `json:"bytes"`
	E             int     `json:"e_km"`
	N             int     `json:"n_km"`
	KnownFraction float64 `json:"known_fraction" doc:"share of its square that has a value"`
}

// missingRow is a layer, or a date of it, that is not there.
type missingRow struct {
	Layer   string  `json:"layer"`
	Dataset *string `json:"dataset" doc:"null: no date of the layer is there"`
	Title   string  `json:"title"`
	Reason  string  `json:"reason"`
}

// vectorRow is a layer of geometries, which other endpoints answer.
type vectorRow struct {
	Layer       string   `json:"layer"`
	Title       string   `json:"title"`
	Served      bool     `json:"served"`
	Date        string   `json:"date,omitempty"`
	At          []string `json:"at" doc:"where it is served"`
	License     string   `json:"license"`
	LicenseURL  string   `json:"license_url"`
	ShareAlike  bool     `json:"share_alike" doc:"what is derived from it has to be shared under the same licence: it is kept apart"`
	Attribution string   `json:"attribution"`
}

type layersShape struct {
	Data    []layerRow        `json:"data"`
	Missing []missingRow      `json:"missing"`
	Vectors []vectorRow       `json:"vectors"`
	Meta    reply.DatasetMeta `json:"meta"`
}

// maxTiles bounds the tiles of a layer in an answer.
const maxTiles = 1000

func layers() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/layers", ID: "layers", Tag: tag,
		Summary: "Which layers there are",
		Doc: `The rasters by layer and date: dtm (ground) and dsm (what is seen from above) of laser scans, ortho (red, green, blue,
near infrared), ndvi (course of the vegetation index over a year), landcover, sar (radar backscatter) and forest (loss, cover, gain). Each says
in which form its numbers are and what they mean, how it was resampled, under which licence it is and whom to name. Its tiles are cloud
optimised GeoTIFFs in EPSG:3035 below /artefacts, which QGIS and GDAL open by range (/vsicurl/). missing names layers and published dates that are
not there. vectors are the layers of geometries that other endpoints answer; the community map's is under a licence of its own and kept apart. Orthophotos in
MGI (EPSG:31254 to 31256) are laid out by the parameters of EPSG:1618, which are exact to 1.5 m.`,
		Params:  []endpoint.AnyParam{bbox},
		Answer:  endpoint.Answer{Body: layersShape{}},
		Example: "/api/v1/layers?bbox=13.22,47.31,13.24,47.33",
		Serve:   serveLayers,
	}
}

func serveLayers(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	s, err := scans.Open(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]layerRow, len(s.List.Layers))
	for i := range rows {
		rows[i] = rowOf(&s.List.Layers[i])
	}
	if bbox.Given(r) {
		err = inBox(ctx, s, rows, plane(bbox.Of(r)))
	} else {
		err = inCountry(ctx, s, rows)
	}
	if err != nil {
		return nil, generation.FaultOf(ctx, "the index of rasters", err)
	}
	vectors, err := vectorsOf(ctx, s)
	if err != nil {
		return nil, err
	}
	missing := missingOf(s.List)
	for _, v := range vectors {
		if !v.Served {
			missing = append(missing, missingRow{v.Layer, nil, v.Title, "the source had no file of it"})
		}
	}
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("data", rows)
		j.Member("missing", missing)
		j.Member("vectors", vectors)
		return j.Err()
	}}, nil
}

// rowOf is what a layer declares.
func rowOf(l *rasters.Layer) layerRow {
	row := layerRow{Layer: l.Layer, Dataset: l.Dataset(), Date: l.Date, Precision: string(l.Precision), Title: l.Title,
		Origin: l.Origin, StepM: l.Step, SourceStepM: l.SourceStep,
		EPSG: rasters.EPSG, Sample: l.Form, NoData: l.NoData, Unit: textOf(l.Bands[0].Unit), Resampling: string(l.Resampling),
		TileKm: l.TileKm, Tiles: []layerTile{},
		Country: layerOfCountry{l.Count, l.Bytes, *scans.Round(l.KnownKm,
			4)}, License: l.License, LicenseURL: l.LicenseURL, ShareAlike: l.ShareAlike, Attribution: l.Attribution}
	for i, b := range l.Bands {
		row.Bands = append(row.Bands, layerBand{i + 1, b.Name, textOf(b.Unit), b.Value(1), b.Missing, b.Doc})
	}
	return row
}

// textOf is a text, null where it is empty.
func textOf(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// add names a tile that has values.
func (row *layerRow) add(t *rasters.Tile) {
	row.Available = true
	if len(row.Tiles) == maxTiles {
		row.More = true
		return
	}
	cells := float64(t.Km*1000) / row.StepM
	row.Tiles = append(row.Tiles, layerTile{t.Key, t.Bytes, t.E, t.N, *scans.Round(float64(t.Known)/cells/cells, 4)})
}

// maxSquares bounds the parts of the index that are read for a box: 160 x 160 km. Beyond it the tiles of the first parts are
// named.
const maxSquares = 256

// inBox names the tiles of all layers that have values in a box.
func inBox(ctx context.Context, s *scans.Source, rows []layerRow, within raster.Box) error {
	if side := float64(rasters.SquareKm * 1000); (within.East-within.West)/side*((within.North-within.South)/side) > maxSquares {
		tiles, all, err := s.First(ctx)
		if err != nil {
			return err
		}
		for i := range rows {
			rows[i].More = !all
			for k := range tiles[i] {
				if tiles[i][k].Covers(within) {
					rows[i].add(&tiles[i][k])
				}
			}
		}
		return nil
	}
	for i := range rows {
		tiles, err := s.TilesIn(ctx, &s.List.Layers[i], within)
		if err != nil {
			return err
		}
		for k := range tiles {
			if tiles[k].Covers(within) {
				rows[i].add(&tiles[k])
			}
		}
	}
	return nil
}

// inCountry names the first tiles of all layers.
func inCountry(ctx context.Context, s *scans.Source, rows []layerRow) error {
	tiles, _, err := s.First(ctx)
	if err != nil {
		return err
	}
	for i := range rows {
		for k := range tiles[i] {
			rows[i].add(&tiles[i][k])
		}
		rows[i].Available, rows[i].More = rows[i].Country.Tiles > 0, len(rows[i].Tiles) < rows[i].Country.Tiles
	}
	return nil
}

// missingOf are the layers and published dates that a generation does not have.
func missingOf(x *rasters.Index) []missingRow {
	out := []missingRow{}
	for _, k := range rasters.AllLayerTypes() {
		have := x.Dates(k.Name)
		if len(have) == 0 {
			out = append(out, missingRow{k.Name, nil, k.Title, "the source had no file of it"})
			continue
		}
		for _, d := range k.Published {
			if !slices.Contains(have, d) {
				out = append(out, missingRow{k.Name, &d, k.Title, "the source had no file of this date"})
			}
		}
	}
	return out
}

// vectorsOf are the layers of geometries.
func vectorsOf(ctx context.Context, s *scans.Source) ([]vectorRow, error) {
	cadastre := vectorRow{Layer: "cadastre", Title: "Parcels, land use and building footprints",
		Served: s.Register().Attribution() != "", Date: s.Pointer().Stichtag,
		At: []string{"/cadastre/api/v1",
			"/artefacts/latest"}, License: scans.Notice.License, LicenseURL: scans.Notice.LicenseURL,
		Attribution: s.Register().Attribution()}
	infrastructure := vectorRow{Layer: "infrastructure", Title: "Roads, paths, railways and waters of the community map",
		At: []string{"/context/api/v1/osm/point", "/context/api/v1/osm/geometry"}, License: proximity.License,
		LicenseURL: proximity.LicenseURL, ShareAlike: true}
	n, err := proximity.Of(ctx, s.View)
	if err != nil {
		return nil, err
	}
	if n != nil {
		infrastructure.Served, infrastructure.Date, infrastructure.Attribution = true, n.Date, n.Attribution
	}
	return []vectorRow{cadastre, infrastructure}, nil
}
