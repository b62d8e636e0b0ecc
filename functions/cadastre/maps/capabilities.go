package maps

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/rowschema"
	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// about is the abstract of both services.
const about = "Parcels, land use, buildings, Katastralgemeinden and parcel numbers of the Austrian cadastre as pictures, with Natura 2000 sites and protected areas over them, and the relief, land prices and land statistics of hexagonal cells as colours."

// What the services, the layer around all and that around the cells are called, what is searched for, and the name of the style.
const (
	wholeTitle = "Austrian cadastre"
	cellsTitle = "Land statistics of hexagonal cells"
	styleTitle = "As on the map page"
)

var keywords = []string{"cadastre", "parcels", "land use"}

// writer writes the capabilities of one version.
type writer struct {
	strings.Builder
	base   string // address of the service
	old    bool   // 1.1.1
	extent geom.Box
	credit string
	// credits are those of layers with sources of their own
	credits map[layer]string
	in      locale
}

// writer writes the capabilities that a request asks for.
func (s *service) writer(ctx context.Context, r *endpoint.Request) (w *writer, err error) {
	a, err := view.TilesOf(ctx)
	if err != nil {
		return nil, err
	}
	w = &writer{base: s.Base(r), extent: extent(a.Header), credit: r.Generation.Attribution}
	if w.in, err = localeOf(r); err != nil {
		return nil, err
	}
	w.credits, err = credits(ctx)
	return w, err
}

func (w *writer) f(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (s *service) getCapabilities(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	w, err := s.writer(ctx, r)
	if err != nil {
		return nil, err
	}
	answer := &reply.Bytes{ContentType: "text/xml; charset=utf-8", Header: w.in.header()}
	if w.old = old(r); w.old {
		answer.ContentType = "application/vnd.ogc.wms_xml"
		w.document111()
	} else {
		w.document130()
	}
	answer.Body = []byte(w.String())
	return answer, nil
}

// online is an OnlineResource of an address.
func (w *writer) online(address string) string {
	return `<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="` + escaped(address) + `"/>`
}

func (w *writer) service(name string) {
	w.f("<Service>\n<Name>%s</Name>\n<Title>%s</Title>\n<Abstract>%s</Abstract>\n<KeywordList>", name, w.t(wholeTitle), w.t(about))
	for _, word := range keywords {
		w.f("<Keyword>%s</Keyword>", w.t(word))
	}
	w.f("</KeywordList>\n%s\n", w.online(w.base+"/wms"))
	w.f("<Fees>none</Fees>\n<AccessConstraints>%s</AccessConstraints>\n",
		escaped(rowschema.License+", "+rowschema.LicenseURL+"; "+w.allCredits()))
	if !w.old {
		w.f("<LayerLimit>%d</LayerLimit>\n<MaxWidth>%d</MaxWidth>\n<MaxHeight>%d</MaxHeight>\n", maxLayers, int(math.Sqrt(maxPixels)),
			int(math.Sqrt(maxPixels)))
	}
	w.f("</Service>\n")
}

// operation writes what a request gives. Programs ask for it by the address that stands here, and so in the language of the document.
func (w *writer) operation(name string, formats ...string) {
	w.f("<%s>\n", name)
	for _, f := range formats {
		w.f("<Format>%s</Format>\n", f)
	}
	w.f("<DCPType><HTTP><Get>%s</Get></HTTP></DCPType>\n</%s>\n", w.online(w.base+"/wms?"+w.in.parameter()), name)
}

func (w *writer) document130() {
	w.f(`<?xml version="1.0" encoding="UTF-8"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:sld="http://www.opengis.net/sld" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"` +
		` xsi:schemaLocation="http://www.opengis.net/wms http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd` +
		` http://www.opengis.net/sld http://schemas.opengis.net/sld/1.1.0/sld_capabilities.xsd">` + "\n")
	w.service("WMS")
	w.f("<Capability>\n<Request>\n")
	w.operation("GetCapabilities", "text/xml")
	w.operation("GetMap", asPNG, asJPEG)
	w.operation("GetFeatureInfo", string(infoText), string(infoJSON), string(infoHTML))
	w.operation("sld:GetLegendGraphic", asPNG, asJPEG)
	w.f("</Request>\n<Exception><Format>XML</Format></Exception>\n")
	w.layers()
	w.f("</Capability>\n</WMS_Capabilities>\n")
}

func (w *writer) document111() {
	w.f(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<WMT_MS_Capabilities version="1.1.1">` + "\n")
	w.service("OGC:WMS")
	w.f("<Capability>\n<Request>\n")
	w.operation("GetCapabilities", "application/vnd.ogc.wms_xml")
	w.operation("GetMap", asPNG, asJPEG)
	w.operation("GetFeatureInfo", string(infoText), string(infoJSON), string(infoHTML))
	w.operation("GetLegendGraphic", asPNG, asJPEG)
	w.f("</Request>\n<Exception><Format>application/vnd.ogc.se_xml</Format></Exception>\n")
	w.layers()
	w.f("</Capability>\n</WMT_MS_Capabilities>\n")
}

// fixed writes a number with as many digits as a centimetre needs.
func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }

// layers writes the whole with its layers in it, and what lies over it, in a layer without a name of its own that says where they are.
func (w *writer) layers() {
	w.f("<Layer>\n<Title>%s</Title>\n", w.t(wholeTitle))
	name := "CRS"
	if w.old {
		name = "SRS"
	}
	for _, s := range systems() {
		if w.old && s.lonFirst {
			continue
		}
		w.f("<%s>%s</%s>\n", name, s, name)
	}
	w.place(name)
	w.f("<Attribution><Title>%s</Title></Attribution>\n", escaped(w.credit))
	w.f(`<Layer queryable="1">` + "\n")
	w.head(whole.describedAs())
	w.style(whole)
	w.each(all)
	w.f("</Layer>\n")
	w.each(lying)
	w.each(themes[:2])
	w.f("<Layer>\n<Title>%s</Title>\n", w.t(cellsTitle))
	w.each(themes[2:])
	w.f("</Layer>\n")
	w.f("</Layer>\n")
}

// each writes layers, the uppermost first.
func (w *writer) each(list []described) {
	for _, d := range slices.Backward(list) {
		queryable := 1
		if d.layer == labels {
			queryable = 0
		}
		w.f(`<Layer queryable="%d">`+"\n", queryable)
		w.head(d)
		if own := w.credits[d.layer]; own != "" {
			w.f("<Attribution><Title>%s</Title></Attribution>\n", escaped(own))
		}
		w.style(d.layer)
		if d.zoom > 0 && !w.old {
			if d.until > 0 { // the standard has the lower bound first
				w.f("<MinScaleDenominator>%.0f</MinScaleDenominator>\n", math.Floor(denominator(d.until)))
			}
			w.f("<MaxScaleDenominator>%.0f</MaxScaleDenominator>\n", math.Ceil(denominator(d.zoom)))
		}
		w.f("</Layer>\n")
	}
}

// denominator is the scale of Web Mercator at a zoom of the map page, of a pixel of 0.28 mm.
func denominator(zoom float64) float64 {
	return 2 * math.Pi * 6378137 / (512 * math.Exp2(zoom)) / pixelMetres
}

// pixelMetres is the width of a pixel on a screen, as the standards count scales.
const pixelMetres = 0.00028

func (w *writer) head(d described) {
	w.f("<Name>%s</Name>\n<Title>%s</Title>\n<Abstract>%s</Abstract>\n", d.layer, w.t(d.title), w.t(d.abstract))
}

// place writes where the country lies, in each system.
func (w *writer) place(name string) {
	west, south, east, north := float64(w.extent.MinX)/geom.Scale, float64(w.extent.MinY)/geom.Scale, float64(w.extent.MaxX)/geom.Scale,
		float64(w.extent.MaxY)/geom.Scale
	if w.old {
		w.f(`<LatLonBoundingBox minx="%.6f" miny="%.6f" maxx="%.6f" maxy="%.6f"/>`+"\n", west, south, east, north)
	} else {
		w.f("<EX_GeographicBoundingBox><westBoundLongitude>%.6f</westBoundLongitude><eastBoundLongitude>%.6f</eastBoundLongitude><southBoundLatitude>%.6f</southBoundLatitude><northBoundLatitude>%.6f</northBoundLatitude></EX_GeographicBoundingBox>\n", west, east, south, north)
	}
	for _, s := range systems() {
		if w.old && s.lonFirst {
			continue
		}
		b := s.boxOf(w.extent)
		if s.northFirst() && !w.old {
			b = [4]float64{b[1], b[0], b[3], b[2]}
		}
		n := s.Decimals()
		w.f(`<BoundingBox %s="%s" minx="%s" miny="%s" maxx="%s" maxy="%s"/>`+"\n", name, s, fixed(b[0], n), fixed(b[1], n), fixed(b[2], n),
			fixed(b[3], n))
	}
}

// boxOf is a box of degrees in the system: west, south, east, north.
func (s system) boxOf(box geom.Box) [4]float64 {
	out := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for i := range sides + 1 {
		for j := range sides + 1 {
			lon := (float64(box.MinX) + (float64(box.MaxX)-float64(box.MinX))*float64(i)/sides) / geom.Scale
			lat := (float64(box.MinY) + (float64(box.MaxY)-float64(box.MinY))*float64(j)/sides) / geom.Scale
			x, y := s.Forward(lon, lat)
			out = [4]float64{min(out[0], x), min(out[1], y), max(out[2], x), max(out[3], y)}
		}
	}
	return out
}

func (w *writer) style(l layer) {
	width, height := sizeOf(l.legend(w.in))
	w.f(`<Style><Name>%s</Name><Title>%s</Title><LegendURL width="%d" height="%d"><Format>image/png</Format>%s</LegendURL></Style>`+"\n",
		style, w.t(styleTitle), width, height, w.online(w.legend(l)))
}

// legend is the address of a layer's legend.
func (w *writer) legend(l layer) string {
	version, extra := "1.3.0", "&SLD_VERSION=1.1.0"
	if w.old {
		version, extra = "1.1.1", ""
	}
	return w.base + "/wms?" + w.in.parameter() + "SERVICE=WMS&VERSION=" + version + "&REQUEST=GetLegendGraphic&FORMAT=image/png&STYLE=" +
		style + extra + "&LAYER=" + string(l)
}
