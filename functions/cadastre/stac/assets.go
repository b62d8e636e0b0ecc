package stac

import (
	"net/url"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
)

// stacAsset is a file, or an address that writes one.
type stacAsset struct {
	Href        string   `json:"href,omitempty"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Type        string   `json:"type"`
	Roles       []string `json:"roles"`
	Size        int64    `json:"file:size,omitempty"`
	Checksum    string   `json:"file:checksum,omitempty"` // multihash, hexadecimal
}

// form is a form of a snapshot as an asset.
type form struct {
	name, title, doc string
	key              keys.Form
	roles            []string
	// of is the object of the form; export is the path that writes it of any date, "" where none does.
	of     func(manifest.Forms) manifest.Object
	export string
}

var forms = []form{
	{name: "geojson", title: "GeoJSON",
		doc: "Parcels with what stands on them. The CDN sends it with Content-Encoding gzip: size and checksum are those of the compressed bytes.",
		key: keys.GeoJSON, roles: []string{"data"}, of: func(f manifest.Forms) manifest.Object { return f.GeoJSON },
		export: "/api/v1/export/geojson"},
	{name: "geopackage", title: "GeoPackage",
		doc: "Six layers: parcels, address points, building footprints, labels, land use as areas and as symbols.",
		key: keys.GeoPackage, roles: []string{"data"}, of: func(f manifest.Forms) manifest.Object { return f.GeoPackage },
		export: "/api/v1/export/gpkg"},
	{name: "geoparquet", title: "GeoParquet", doc: "Parcels, for DuckDB, Spark, Athena and data frames.",
		key: keys.GeoParquet, roles: []string{"data"}, of: func(f manifest.Forms) manifest.Object { return f.GeoParquet }},
	{name: "pmtiles", title: "PMTiles", doc: "Vector tiles of the zooms 8 to 16, for maps.",
		key: keys.PMTiles, roles: []string{"data", "visual"}, of: func(f manifest.Forms) manifest.Object { return f.PMTiles }},
	{name: "kgs", title: "KGS", doc: "The whole snapshot as the services read it; the project describes the format (artefacts/kgfile).",
		key: keys.KGS, roles: []string{"data", "source"}, of: func(f manifest.Forms) manifest.Object { return f.KGS }},
}

// media is the media type of the form, as the CDN sends it.
func (f *form) media() string { return keys.HeadersOf(keys.Snapshot{Form: f.key}).ContentType }

// multihash is the SHA-256 of a file as the file extension wants it: code and length of the hash before it; "" of none.
func multihash(sha256 string) string {
	if sha256 == "" {
		return ""
	}
	return "1220" + sha256
}

// assets are the files of a snapshot. Of one that is not served, its .kgs file is kept, and the exports write others.
func (s *service) assets(r *endpoint.Request, it *item) map[string]stacAsset {
	files, base := s.files(r), s.Base(r)
	out := map[string]stacAsset{}
	for _, f := range forms {
		a := stacAsset{Title: f.title, Description: f.doc, Type: f.media(), Roles: f.roles}
		o := f.of(it.forms)
		if f.key == keys.KGS {
			o = manifest.Object{Key: it.Key, Bytes: it.Size, SHA256: it.SHA256}
		}
		switch {
		case o.Key != "":
			a.Href, a.Size, a.Checksum = files+o.Key, o.Bytes, multihash(o.SHA256)
		case f.export != "":
			a.Href = base + f.export + "?" + url.Values{"kg": {string(it.kg.Code)}, "version": {it.Date}}.Encode()
			a.Description = "Written when it is asked for."
		default:
			continue
		}
		out[f.name] = a
	}
	return out
}

// tiles are the vector tiles of the country; nil if no vector tiles are built.
func (s *service) tiles(v *view.View, r *endpoint.Request) (*stacAsset, error) {
	p := v.Pointer()
	if p.Tiles == "" {
		return nil, nil
	}
	key, err := keys.Parse(p.Tiles)
	if err != nil {
		return nil, err
	}
	return &stacAsset{Href: s.files(r) + p.Tiles, Title: "Vector tiles of the country",
		Description: "All served snapshots as one PMTiles archive.",
		Type:        keys.HeadersOf(key).ContentType, Roles: []string{"visual"}}, nil
}
