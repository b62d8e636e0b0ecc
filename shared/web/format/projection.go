package format

import "strconv"

// URI is the OGC name of the coordinate system, for the Content-Crs header.
func (p Projection) URI() string {
	if p.code() == 4326 {
		return "<http://www.opengis.net/def/crs/OGC/1.3/CRS84>"
	}
	return "<http://www.opengis.net/def/crs/EPSG/0/" + strconv.Itoa(p.code()) + ">"
}

// URN is the name GeoJSON readers of before RFC 7946 know.
func (p Projection) URN() string { return "urn:ogc:def:crs:EPSG::" + strconv.Itoa(p.code()) }
