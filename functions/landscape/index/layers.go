package index

import (
	"context"

	"mappe/artefacts/landscape"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// layerBody is a vector layer of a product.
type layerBody struct {
	Name     string  `json:"name"`
	Geometry string  `json:"geometry" enum:"MultiPolygon,Point"`
	Rows     int     `json:"rows"`
	CRS      string  `json:"crs"`
	URL      *string `json:"url" doc:"where its rows are answered; null: in the file alone"`
}

// layersBody are the vector layers of a product.
type layersBody struct {
	KG       string            `json:"kg_code"`
	Variant  string            `json:"variant"`
	Download *string           `json:"download" doc:"the file in the research repository; null until uploaded"`
	Layers   []layerBody       `json:"layers"`
	Meta     reply.DatasetMeta `json:"meta"`
}

func (s *service) layers() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kg/{kg_code}/layers", ID: "landscape_kg_layers", Tag: tag,
		Summary: "The vector layers of a KG's products",
		Doc: `The vector layers of the light or the full GeoPackage with their number of rows, and where the rows are answered here. The full
product has the changes between the laser scans, the points of segments and the single trees too, and the rasters. Infrastructure is a file of
its own under the ODbL. A KG that was not processed is 404 with processed false.`,
		Params: []endpoint.AnyParam{kgPath, variant}, Answer: endpoint.Answer{Body: layersBody{}}, Example: "/api/v1/kg/09902/layers",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			c, err := s.open(ctx)
			if err != nil {
				return nil, err
			}
			f, err := c.file(ctx, kgPath.Of(r))
			if err != nil {
				return nil, err
			}
			full := variant.Of(r) == "full"
			download := link(f.e.LightURL)
			if full {
				download = link(f.e.FullURL)
			}
			list := layersOf(f, full, endpoint.Prefix(r.HTTP)+"/api/v1/")
			return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
				j.Member("kg_code", f.e.KGCode)
				j.Member("variant", variant.Of(r))
				j.Member("download", download)
				j.Member("layers", list)
				return nil
			}}, nil
		},
	}
}

func layersOf(f *file, full bool, at string) []layerBody {
	url := func(path string) *string { u := at + path; return &u }
	of := at + "kg/" + f.e.KGCode + "/"
	own := func(name string) *string { u := of + name; return &u }
	const plane, degrees = "EPSG:3035", "EPSG:4326"
	list := []layerBody{
		{"segments", "MultiPolygon", f.h.Rows(landscape.Segments.Name), plane, own("segments")},
		{"parcels", "MultiPolygon", f.h.Rows(landscape.Parcels.Name), plane, url("query/parcels?kg=" + f.e.KGCode)},
		{"buildings", "MultiPolygon", f.h.Rows(landscape.Buildings.Name), plane, own("buildings")},
		{"new_buildings", "MultiPolygon", f.h.Rows(landscape.NewBuildings.Name), plane, own("new_buildings")},
		{"infrastructure", "MultiPolygon", f.h.Rows(landscape.Infrastructures.Name), plane, own("infrastructure")},
	}
	if full {
		list = append(list, layerBody{"changes", "MultiPolygon", f.h.Rows(landscape.Changes.Name), plane, nil},
			layerBody{"segment_points", "Point", f.h.Rows(landscape.Segments.Name), degrees, nil},
			layerBody{"trees", "Point", f.h.Rows(landscape.Trees.Name), degrees, nil})
	}
	return list
}
