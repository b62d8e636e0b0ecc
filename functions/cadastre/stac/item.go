package stac

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/functions/core/lineage"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// itemID names a snapshot: <kg>-<date>.
type itemID struct {
	code austria.KGCode
	date string
}

func (i itemID) String() string { return string(i.code) + "-" + i.date }

// before says whether an item stands before another: by rising KG code, of a KG the newest first.
func (i itemID) before(o itemID) bool {
	return i.code < o.code || i.code == o.code && i.date > o.date
}

// parseID reads an id as items have it; false for a text that no item can have.
func parseID(text string) (itemID, bool) {
	code, date, _ := strings.Cut(text, "-")
	kg, err := austria.ParseKGCode(code)
	if err != nil || string(kg) != code {
		return itemID{}, false
	}
	if _, err := view.ParseDate(date); err != nil {
		return itemID{}, false
	}
	return itemID{kg, date}, true
}

// midnight is the beginning of a day in UTC: the time of a snapshot, of which only the date is known.
func midnight(date string) string { return date + "T00:00:00Z" }

// item is a dated snapshot with what stands around it.
type item struct {
	rowschema.Version
	kg           *register.KG
	outline      geom.MultiPolygon // nil where none is known
	newer, older string            // dates of the snapshots beside it, "" without one
	latest       string            // date of the served one
	forms        manifest.Forms    // of the served one; empty for others
	missing      bool              // its files are not in the store at the moment
}

func (it *item) id() itemID { return itemID{it.kg.Code, it.Date} }

// stacItem is the shape of an item, for the description of the service.
type stacItem struct {
	Type        string               `json:"type"`
	STACVersion string               `json:"stac_version"`
	Extensions  []string             `json:"stac_extensions"`
	ID          string               `json:"id"`
	Collection  string               `json:"collection"`
	Geometry    any                  `json:"geometry"`
	BBox        []float64            `json:"bbox,omitempty"`
	Properties  properties           `json:"properties"`
	Links       []stacLink           `json:"links"`
	Assets      map[string]stacAsset `json:"assets"`
}

// properties are those of an item.
type properties struct {
	Datetime     string            `json:"datetime" doc:"date of the data (Stichtag), at midnight UTC"`
	Title        string            `json:"title"`
	License      string            `json:"license"`
	Version      string            `json:"version" doc:"the date"`
	KGCode       string            `json:"kg_code"`
	KGName       string            `json:"kg_name"`
	GemeindeCode string            `json:"gemeinde_code,omitempty"`
	GemeindeName string            `json:"gemeinde_name,omitempty"`
	State        string            `json:"state,omitempty"`
	ParcelCount  int               `json:"parcel_count"`
	Processing   string            `json:"processing:version,omitempty"`
	Generation   rowschema.EpochID `json:"ingest_generation,omitempty" doc:"of a snapshot that was imported from an earlier epoch"`
	MD5          string            `json:"md5,omitempty" doc:"of the .kgs file, as archives list it"`
	Latest       bool              `json:"is_latest" doc:"the snapshot that is served"`
	Ready        *bool             `json:"ready,omitempty" doc:"false where the files are not in the store at the moment: asking an export for the KG brings them back; absent otherwise"`
}

func (it *item) properties() properties {
	p := properties{
		Datetime: midnight(it.Date), Title: fmt.Sprintf("KG %s %s, %s", it.kg.Code, it.kg.Name, it.Date), License: licence,
		Version: it.Date,
		KGCode:  string(it.kg.Code), KGName: it.kg.Name, GemeindeCode: string(it.kg.GemeindeCode), GemeindeName: it.kg.GemeindeName,
		State:       it.kg.State().Name(),
		ParcelCount: it.ParcelCount, Generation: it.IngestGeneration, MD5: it.MD5, Latest: it.Version.Latest,
	}
	if it.ProcessingVersion != lineage.Unknown {
		p.Processing = it.ProcessingVersion
	}
	if it.missing {
		p.Ready = new(bool)
	}
	return p
}

// links are those of an item: itself, what is above it, the snapshots beside it, and where it is listed.
func (s *service) itemLinks(r *endpoint.Request, it *item) []stacLink {
	base := s.Base(r)
	path := base + "/stac/collections/" + snapshots
	at := func(rel, date, title string) stacLink {
		return stacLink{Rel: rel, Href: path + "/items/" + itemID{it.kg.Code, date}.String(), Type: geoJSON, Title: title}
	}
	list := []stacLink{
		at("self", it.Date, "This item"),
		{Rel: "root", Href: base + "/stac", Type: jsonType, Title: "The catalogue"},
		{Rel: "parent", Href: path, Type: jsonType, Title: snapshotsTitle},
		{Rel: "collection", Href: path, Type: jsonType, Title: snapshotsTitle},
	}
	if it.latest != "" {
		list = append(list, at("latest-version", it.latest, "The snapshot that is served"))
	}
	if it.older != "" {
		list = append(list, at("predecessor-version", it.older, "The snapshot before this one"))
	}
	if it.newer != "" {
		list = append(list, at("successor-version", it.newer, "The snapshot after this one"))
	}
	return append(list,
		stacLink{Rel: "via", Href: base + "/api/v1/kg_versions?" + url.Values{"kg": {string(it.kg.Code)}}.Encode(), Type: jsonType,
			Title: "The snapshots of the KG"},
		stacLink{Rel: "license", Href: rowschema.LicenseURL, Type: "text/html", Title: rowschema.License})
}

// write writes the members of an item into the open object.
func (s *service) write(j *format.JSON, r *endpoint.Request, it *item) {
	j.Member("type", "Feature")
	j.Member("stac_version", version)
	j.Member("stac_extensions", itemExtensions)
	j.Member("id", it.id().String())
	j.Member("collection", snapshots)
	j.Key("geometry")
	j.Geometry(format.PolygonGeometry(it.outline), format.Projection{})
	if len(it.outline) > 0 {
		j.Member("bbox", corners(it.outline.Bounds()))
	}
	j.Member("properties", it.properties())
	j.Member("links", s.itemLinks(r, it))
	j.Member("assets", s.assets(r, it))
}

// complete adds what the store knows: the forms of served snapshots, and which of them are missing.
func complete(ctx context.Context, v *view.View, list []*item) error {
	var codes []austria.KGCode
	for _, it := range list {
		if it.Version.Latest {
			codes = append(codes, it.kg.Code)
		}
	}
	missing, err := v.Missing(ctx, codes)
	if err != nil {
		return generation.Fault(ctx, err)
	}
	gone := map[austria.KGCode]bool{}
	for _, c := range missing {
		gone[c] = true
	}
	for _, it := range list {
		if !it.Version.Latest {
			continue
		}
		it.missing = gone[it.kg.Code]
		if it.forms, err = v.Forms(ctx, it.kg.Code); err != nil {
			return generation.Fault(ctx, err)
		}
	}
	return nil
}

// lasting are what an answer with these items derives its ETag from, and the headers it bears: while files are missing,
// a later answer says more, and nobody keeps this one.
func lasting(v *view.View, list []*item) string {
	for _, it := range list {
		if it.missing {
			return ""
		}
	}
	return v.Generation()
}

var pItem = endpoint.String("item", "Id of the item: KG code, a dash, the date.", endpoint.Between(1, 100), endpoint.Required,
	endpoint.Example("99101-2026-10-01"))

func (s *service) item() endpoint.Endpoint {
	return depending(endpoint.Endpoint{
		Method: "GET", Path: "/stac/collections/{collection}/items/{item}", ID: "stac_item", Tag: tag,
		Summary: "A snapshot of a KG as a STAC item",
		Doc:     "The files of the snapshot with size and checksum, and links to the snapshots beside it; 404 where the KG has no snapshot.",
		Params:  []endpoint.AnyParam{pCollection, pItem},
		Answer:  endpoint.Answer{Body: stacItem{}, ContentType: geoJSON, Exact: true},
		Example: "/stac/collections/" + snapshots + "/items/99101-2026-10-01",
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*page, error) {
		if err := known(r); err != nil {
			return nil, err
		}
		p := &page{}
		if id, ok := parseID(pItem.Of(r)); ok {
			q := query{ids: []itemID{id}, limit: 1}
			var err error
			if p, err = q.run(ctx, v); err != nil {
				return nil, err
			}
		}
		if len(p.items) == 0 {
			return nil, fault.New(fault.NotFound, "collection %s has no item %q", snapshots, fault.Shorten(pItem.Of(r)))
		}
		return p, nil
	}, func(r *endpoint.Request, p *page) *reply.Stream {
		return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
			s.write(j, r, p.items[0])
			return j.Err()
		}}
	})
}
