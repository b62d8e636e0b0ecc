// Package stac shows the dated snapshots of the KGs as a SpatioTemporal Asset Catalog: STAC API 1.0 with the classes
// core, collections, features and item search, of STAC 1.1 objects, so that STAC Browser, QGIS, pystac-client, stackstac
// and whatever else reads that interface find the files of the CDN by place and date.
//
//	/stac                                       landing page: a catalog
//	/stac/conformance                           the conformance classes
//	/stac/collections                           the collections: kg-snapshots
//	/stac/collections/{collection}              one of them
//	/stac/collections/{collection}/items        its items: bbox, datetime, limit, cursor
//	/stac/collections/{collection}/items/{item} one item
//	/stac/search                                items by GET or POST: also ids, collections, intersects
//
// An item is a snapshot of a KG, <kg>-<date>, as /api/v1/kg_versions lists them; of several builds of one date the last.
// Its geometry is the KG's simplified outline of today. Its assets are the files of the CDN with size and checksum: all
// five forms of the served snapshot, of earlier ones the .kgs file that is kept, and beside it the addresses that write
// GeoJSON and GeoPackage of it.
//
// Items stand by rising KG code, of a KG the newest first. A page is walked by the id of its last item (cursor), which
// holds through publications. numberMatched is left out: it would read the list of every KG. A search reads the lists of
// the KGs in its area until a page is full.
package stac

import (
	"strings"

	"mappe/functions/core"
	"mappe/shared/web/endpoint"
)

const tag = "STAC"

// prefix is where the cadastre stands beside the artefacts, which its files lie below.
const prefix = "/cadastre"

type service struct{ core.Deps }

// Endpoints are the endpoints of the catalogue. The family of the versions serves them.
func Endpoints(d core.Deps) []endpoint.Endpoint {
	s := &service{d.WithDefaults()}
	return []endpoint.Endpoint{s.landing(), s.conformance(), s.collections(), s.collection(), s.items(), s.item(), s.search(),
		s.searchPost()}
}

// files is what stands before the keys of files.
func (s *service) files(r *endpoint.Request) string {
	return strings.TrimSuffix(s.Base(r), prefix) + "/artefacts/"
}
