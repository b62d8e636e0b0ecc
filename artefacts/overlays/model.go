package overlays

import (
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Site is a Natura 2000 site: all features of one code.
type Site struct {
	Code, Name string
	Type       SiteType
	AreaHa     float64 // as the source states it; of a site drawn in several features the area they cover
	Tags       HabitatSet
	Features   int // of the source
	Box        geom.Box
	Geometry   geom.MultiPolygon // of what is encoded; Shape has that of what is read
}

// Area is a protected area.
type Area struct {
	Name      string
	Desig     string // designation in German
	DesigEng  string
	DesigType string  // National, Regional, International
	IUCN      string  // category, Ia to VI
	RepArea   float64 // km² as reported, NaN where not stated
	GISArea   float64 // km², of the drawn area in EPSG:3035
	Realm     string
	Box       geom.Box
	Geometry  geom.MultiPolygon
}

// Municipality is a municipality's true outline.
type Municipality struct {
	Code     austria.GemeindeCode
	Name     string
	Box      geom.Box
	Geometry geom.MultiPolygon
}

// Law is a text that names parcels.
type Law struct {
	Name    string // title, else its number
	Date    string // in force since, as written; "" not known
	URL     string
	Number  string // Gesetzesnummer
	State   string // name of the state, "" federal
	Context Context
}

// Ref is one parcel that a law names.
type Ref struct {
	GNR     austria.GNR // "" where the law names the KG as a whole
	Law     int         // row of the laws
	List    ListType
	Partial bool // only a part of the parcel
}

// KGRefs are the references of a KG.
type KGRefs struct {
	KG   austria.KGCode
	Refs []Ref
}

// Source is the content of the artefact of the sources.
type Source struct {
	Sites          []Site // by code
	Areas          []Area
	Municipalities []Municipality // by code
	Laws           []Law
	Refs           []KGRefs // by KG
}

// Empty says whether there is nothing in it.
func (s *Source) Empty() bool {
	return len(s.Sites)+len(s.Areas)+len(s.Municipalities)+len(s.Laws)+len(s.Refs) == 0
}

// Layer is a kind of shape.
type Layer byte

// The layers of shapes.
const (
	AreaShapes         Layer = 'a'
	MunicipalityShapes Layer = 'm'
	SiteShapes         Layer = 's'
)

// Shape is a geometry prepared for containment.
type Shape struct {
	Box      geom.Box
	Geometry geom.MultiPolygon
	index    *geom.Index
}

// NewShape prepares a geometry.
func NewShape(m geom.MultiPolygon) *Shape { return &Shape{m.Bounds(), m, geom.NewIndex(m)} }

// Contains is exact, and half-open on borders: of shapes that share one exactly one holds a point on it.
func (s *Shape) Contains(p geom.Point) bool { return s.Box.Contains(p) && s.index.Contains(p) }

// Index is the border.
func (s *Shape) Index() *geom.Index { return s.index }
