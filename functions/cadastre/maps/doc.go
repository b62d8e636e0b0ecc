// Package maps draws the cadastre for programs that read no vector tiles: as an OGC Web Map Service 1.3.0 and 1.1.1, as an OGC Web Map
// Tile Service 1.0.0 and as plain XYZ tiles.
//
//	/wms                                              GetCapabilities, GetMap, GetFeatureInfo, GetLegendGraphic
//	/wmts                                             GetCapabilities, GetTile, GetFeatureInfo (key-value pairs)
//	/wmts/1.0.0/WMTSCapabilities.xml                  the same, by addresses
//	/wmts/1.0.0/{layer}/{style}/{set}/{matrix}/{row}/{file}
//	/wmts/1.0.0/{layer}/{style}/{set}/{matrix}/{row}/{column}/{j}/{file}
//	/wmts/xyz/{layer}/{z}/{x}/{file}                  tiles of Web Mercator, as most programs and web maps address them
//
// It owns the styled layers (layers.go), the pictures (picture.go) and how they are painted (draw.go, labels.go): from the vector tiles
// of the generation, in the colours of the map page, with shared/geo/paint. A picture is drawn in strips; its memory is taken from the
// process's budget.
//
// Names of parameters are read in any case and what is not known is passed over, as the standards want; a failure is an exception in XML
// (exception.go) with the parameter, its value and what is allowed. Boxes are in the order of the axes of their system in WMS 1.3.0: north
// first in EPSG:4326 and in the Austrian systems; east first in 1.1.1.
package maps

import (
	"mappe/functions/core"
	"mappe/functions/core/memory"
	"mappe/shared/web/endpoint"
)

const tag = "Maps"

// Deps are what the endpoints stand on.
type Deps = core.Deps

type service struct {
	Deps
	memory memory.Shares
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	s := &service{d.WithDefaults(), memory.Of(nil)}
	return d.Service("maps", "The cadastre as pictures: WMS, WMTS and XYZ tiles.",
		[]endpoint.Endpoint{s.wms(), s.wmts(), s.wmtsFile(), s.wmtsTile(), s.wmtsInfo(), s.xyz()})
}
