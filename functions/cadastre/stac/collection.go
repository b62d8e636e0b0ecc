package stac

import (
	"context"
	"math"
	"slices"

	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// snapshots is the id of the collection.
const (
	snapshots      = "kg-snapshots"
	snapshotsTitle = "Snapshots of the Katastralgemeinden"
)

// licence is that of the data by its SPDX name.
const licence = "CC-BY-4.0"

// The extensions that objects name: files with size and checksum, versions, processing.
var itemExtensions = []string{
	"https://stac-extensions.github.io/file/v2.1.0/schema.json",
	"https://stac-extensions.github.io/version/v1.2.0/schema.json",
	"https://stac-extensions.github.io/processing/v1.2.0/schema.json",
}

// provider is who has to do with the data.
type provider struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Roles       []string `json:"roles"`
	URL         string   `json:"url,omitempty"`
}

// bounds are the least and the greatest of a property.
type bounds struct {
	Minimum int `json:"minimum"`
	Maximum int `json:"maximum"`
}

// stacExtent is where and when the items of a collection are.
type stacExtent struct {
	Spatial struct {
		BBox [][4]float64 `json:"bbox"`
	} `json:"spatial"`
	Temporal struct {
		Interval [][2]*string `json:"interval"`
	} `json:"temporal"`
}

// stacCollection is a collection as the standard draws it.
type stacCollection struct {
	Type        string   `json:"type"`
	STACVersion string   `json:"stac_version"`
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Keywords    []string `json:"keywords"`
	License     string   `json:"license"`
	Attribution string   `json:"attribution,omitempty"` // whom to name, with the year
	// Providers are who surveyed the data and who made the files.
	Providers  []provider           `json:"providers"`
	Extent     stacExtent           `json:"extent"`
	Summaries  map[string]any       `json:"summaries"`
	ItemAssets map[string]stacAsset `json:"item_assets"`
	Assets     map[string]stacAsset `json:"assets,omitempty"`
	Links      []stacLink           `json:"links"`
}

// everywhere is the box of a collection without items: the land that it would be of.
var everywhere = [4]float64{9.5, 46.3, 17.2, 49.1}

// extentOf is the box of the KGs that have a snapshot, and the time up to the newest of them. When the oldest was is
// only known when all lists are read: the interval is open there.
func extentOf(reg *register.Register) (e stacExtent) {
	box, newest := geom.EmptyBox, ""
	for i := range reg.KGs() {
		if k := &reg.KGs()[i]; k.Snapshot.Key != "" {
			box = box.Union(k.Box)
			newest = max(newest, k.Snapshot.Date)
		}
	}
	e.Spatial.BBox = [][4]float64{everywhere}
	if !box.Empty() {
		e.Spatial.BBox = [][4]float64{corners(box)}
	}
	e.Temporal.Interval = [][2]*string{{}}
	if newest != "" {
		at := midnight(newest)
		e.Temporal.Interval[0][1] = &at
	}
	return e
}

// corners are west, south, east and north of a box.
func corners(b geom.Box) [4]float64 {
	lo, hi := geom.Point{X: b.MinX, Y: b.MinY}, geom.Point{X: b.MaxX, Y: b.MaxY}
	return [4]float64{lo.Lon(), lo.Lat(), hi.Lon(), hi.Lat()}
}

// summaries are what the served snapshots have.
func summaries(reg *register.Register) map[string]any {
	parcels, states := bounds{Minimum: math.MaxInt}, []string{}
	for i := range reg.KGs() {
		k := &reg.KGs()[i]
		if k.Snapshot.Key == "" {
			continue
		}
		parcels.Minimum, parcels.Maximum = min(parcels.Minimum, k.ParcelCount), max(parcels.Maximum, k.ParcelCount)
		if n := k.State().Name(); n != "" && !slices.Contains(states, n) {
			states = append(states, n)
		}
	}
	out := map[string]any{}
	if len(states) > 0 {
		slices.Sort(states)
		out["state"] = states
	}
	if parcels.Maximum >= parcels.Minimum {
		out["parcel_count"] = parcels
	}
	return out
}

// describe is the collection as its document.
func (s *service) describe(v *view.View, r *endpoint.Request) (stacCollection, error) {
	base := s.Base(r)
	path := base + "/stac/collections/" + snapshots
	d := stacCollection{
		Type: "Collection", STACVersion: version, ID: snapshots, Title: snapshotsTitle,
		Description: "One item for each Katastralgemeinde (KG, cadastral community) and date: its parcels, address points, building footprints and land use, in five forms. " +
			"The data of the survey office is " + rowschema.Changes + ".",
		Keywords: []string{"cadastre", "Kataster", "parcels", "Grundstücke", "Katastralgemeinde", "land use", "buildings", "Austria"},
		License:  licence, Attribution: r.Generation.Attribution,
		Providers: []provider{
			{Name: "BEV – Bundesamt für Eich- und Vermessungswesen", Description: "Surveys the land and publishes the source of the data.",
				Roles: []string{"licensor", "producer"}, URL: "https://www.bev.gv.at/"},
			{Name: "Mappe", Description: "Assembles the snapshots and hands them out.", Roles: []string{"processor", "host"},
				URL: base + "/docs"},
		},
		Extent: extentOf(v.Register()), Summaries: summaries(v.Register()), ItemAssets: map[string]stacAsset{},
		Links: []stacLink{
			{Rel: "self", Href: path, Type: jsonType, Title: "This collection"},
			{Rel: "root", Href: base + "/stac", Type: jsonType, Title: "The catalogue"},
			{Rel: "parent", Href: base + "/stac", Type: jsonType, Title: "The catalogue"},
			{Rel: "items", Href: path + "/items", Type: geoJSON, Title: "Its items"},
			{Rel: "license", Href: rowschema.LicenseURL, Type: "text/html", Title: rowschema.License},
		},
	}
	for _, f := range forms {
		d.ItemAssets[f.name] = stacAsset{Title: f.title, Description: f.doc, Type: f.media(), Roles: f.roles}
	}
	tiles, err := s.tiles(v, r)
	if tiles != nil {
		d.Assets = map[string]stacAsset{"tiles": *tiles}
	}
	return d, err
}

// stacCollections is the list of the collections.
type stacCollections struct {
	Collections []stacCollection `json:"collections"`
	Links       []stacLink       `json:"links"`
}

func (s *service) collections() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/stac/collections", ID: "stac_collections", Tag: tag, Summary: "The collections of the STAC catalogue",
		Doc:    "There is one, " + snapshots + ", with its extent, its licence, whom to name, and what its items have.",
		Answer: endpoint.Answer{Body: stacCollections{}, Exact: true}, Example: "/stac/collections",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			d, err := s.describe(v, r)
			if err != nil {
				return nil, err
			}
			base := s.Base(r)
			return &reply.Document{Body: stacCollections{[]stacCollection{d}, []stacLink{
				{Rel: "self", Href: base + "/stac/collections", Type: jsonType, Title: "This list"},
				{Rel: "root", Href: base + "/stac", Type: jsonType, Title: "The catalogue"},
				{Rel: "parent", Href: base + "/stac", Type: jsonType, Title: "The catalogue"},
			}}}, nil
		},
	}
}

var pCollection = endpoint.String("collection", "Id of the collection: "+snapshots+".", endpoint.Between(1, 100), endpoint.Required,
	endpoint.Example(snapshots))

// known says whether a collection exists.
func known(r *endpoint.Request) error {
	if id := pCollection.Of(r); id != snapshots {
		return fault.New(fault.NotFound, "there is no collection %q: the catalogue has %s", fault.Shorten(id), snapshots)
	}
	return nil
}

func (s *service) collection() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/stac/collections/{collection}", ID: "stac_collection", Tag: tag,
		Summary: "A collection of the STAC catalogue",
		Doc:     "Extent, licence, attribution, and what the items have: summaries of the served snapshots, and the assets (item_assets).",
		Params:  []endpoint.AnyParam{pCollection},
		Answer:  endpoint.Answer{Body: stacCollection{}, Exact: true}, Example: "/stac/collections/" + snapshots,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if err := known(r); err != nil {
				return nil, err
			}
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			d, err := s.describe(v, r)
			if err != nil {
				return nil, err
			}
			return &reply.Document{Body: d}, nil
		},
	}
}
