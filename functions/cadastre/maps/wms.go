package maps

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strconv"
	"strings"

	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// maxPixels bounds a picture, maxSide its width and its height: positions in it are float32, which tell a hundredth of a pixel apart
// up to there.
const (
	maxPixels = 16 << 20
	maxSide   = 1 << 15
)

// The media types of pictures.
const (
	asPNG  = "image/png"
	asJPEG = "image/jpeg"
)

// operation is a value of request.
type operation string

// The operations of the map service.
const (
	getCapabilities operation = "GetCapabilities"
	getMap          operation = "GetMap"
	getFeatureInfo  operation = "GetFeatureInfo"
	getLegend       operation = "GetLegendGraphic"
)

// oneOf reads one of some values in any case.
func oneOf[T ~string](values ...T) func(string) (T, error) {
	var names []string
	for _, v := range values {
		names = append(names, string(v))
	}
	return func(text string) (T, error) {
		for _, v := range values {
			if strings.EqualFold(text, string(v)) {
				return v, nil
			}
		}
		return "", errors.New("one of " + strings.Join(names, ", "))
	}
}

// parsePictureType reads the media type of a picture; programs write parameters behind it ("image/png; mode=8bit").
func parsePictureType(text string) (string, error) {
	kind, _, _ := strings.Cut(text, ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case asPNG, "png", "image/png8", "image/png24":
		return asPNG, nil
	case asJPEG, "jpeg", "jpg", "image/jpg":
		return asJPEG, nil
	}
	return "", errors.New("image/png or image/jpeg")
}

func parseColour(text string) (color.NRGBA, error) {
	digits := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "0x"), "0X"), "#")
	if v, err := strconv.ParseUint(digits, 16, 24); err == nil && len(digits) == 6 {
		return color.NRGBA{R: byte(v >> 16), G: byte(v >> 8), B: byte(v), A: 255}, nil
	}
	return color.NRGBA{}, errors.New("a colour such as 0xFFFFFF")
}

func parseStyles(text string) (string, error) {
	for name := range strings.SplitSeq(text, ",") {
		if name != "" && name != style {
			return "", errors.New("nothing, or " + style + " for each layer")
		}
	}
	return text, nil
}

// The parameters of the map service.
var (
	pService = endpoint.Parsed("service", "WMS.", oneOf("WMS"))
	pVersion = endpoint.Parsed("version", "1.3.0 or 1.1.1. Where it is absent, or another one, the newest that is not newer.",
		parseVersion, endpoint.Alias("wmtver"))
	pRequest = endpoint.Parsed("request", "GetCapabilities, GetMap, GetFeatureInfo or GetLegendGraphic.", oneOf(getCapabilities, getMap,
		getFeatureInfo, getLegend), endpoint.Required, endpoint.Example("GetMap"))
	pLayers = endpoint.Parsed("layers",
		"Layers from the lowest on, as a comma list: cadastre (all), landuse, footprints, parcels, kg, labels; over them natura2000, protected_areas; as colours relief, prices, cells_wald and the others of the capabilities.", parseLayers,
		endpoint.Example("cadastre"))
	pStyles = endpoint.Parsed("styles", "Nothing, or default for each layer.", parseStyles, endpoint.Alias("style"), endpoint.Between(0,
		1000))
	pSystem = endpoint.Parsed("crs", "Coordinate reference system of the box, srs in 1.1.1: EPSG:3857, EPSG:4326, EPSG:31287 and others of the capabilities.", parseSystem,
		endpoint.Alias("srs"), endpoint.Example("EPSG:3857"))
	pBox = endpoint.Parsed("bbox",
		"The box of the picture: lower corner, upper corner. 1.3.0 has them in the order of the axes of the system (north first in "+
			"EPSG:4326 and the Austrian systems), 1.1.1 east first.", parseBox, endpoint.Between(1, 300),
		endpoint.Example("1477370,5994310,1478170,5995110"))
	pWidth = endpoint.Int("width", "Width of the picture in pixels; width times height is at most 16,777,216.", endpoint.Between(1,
		maxSide))
	pHeight = endpoint.Int("height", "Height of the picture in pixels.", endpoint.Between(1, maxSide))
	pFormat = endpoint.Parsed("format", "Media type of the picture: image/png or image/jpeg. Capabilities are always XML.",
		parsePictureTypeOrXML, endpoint.Default(asPNG))
	pClear  = endpoint.Bool("transparent", "true: what nothing is drawn on shows what lies below; PNG only.", endpoint.Default("false"))
	pGround = endpoint.Parsed("bgcolor", "Colour of what nothing is drawn on, where it is not transparent.", parseColour,
		endpoint.Default("0xFFFFFF"))
	pAsked = endpoint.Parsed("query_layers", "Layers that GetFeatureInfo tells of.", parseLayers)
	pInfo  = endpoint.Parsed("info_format", "Form of what GetFeatureInfo tells: application/json, text/plain or text/html.",
		oneOf(infoJSON, infoText, infoHTML), endpoint.Default(string(infoText)))
	pI      = endpoint.Int("i", "Column of the pixel that is asked for (1.3.0).", endpoint.Between(0, maxSide-1))
	pJ      = endpoint.Int("j", "Row of that pixel (1.3.0).", endpoint.Between(0, maxSide-1))
	pX      = endpoint.Int("x", "Column of the pixel that is asked for (1.1.1).", endpoint.Between(0, maxSide-1))
	pY      = endpoint.Int("y", "Row of that pixel (1.1.1).", endpoint.Between(0, maxSide-1))
	pCount  = endpoint.Int("feature_count", "Features of each layer at most.", endpoint.Between(1, 50), endpoint.Default("1"))
	pLegend = endpoint.Parsed("layer", "The layer that GetLegendGraphic explains.", func(text string) (layer, error) {
		list, err := parseLayers(text)
		if err != nil || len(list) != 1 {
			return "", errors.New("one of " + strings.Join(layerNames(), ", "))
		}
		return list[0], nil
	})
)

// parsePictureTypeOrXML reads what any of the operations may be asked for.
func parsePictureTypeOrXML(text string) (string, error) {
	if strings.Contains(text, "xml") {
		return "text/xml", nil
	}
	return parsePictureType(text)
}

// parseVersion negotiates: what is not known is the newest that is not newer, or the oldest.
func parseVersion(text string) (string, error) {
	if text >= "1.3.0" {
		return "1.3.0", nil
	}
	return "1.1.1", nil
}

func wmsParams() []endpoint.AnyParam {
	return []endpoint.AnyParam{pService, pVersion, pRequest, pLayers, pStyles, pSystem, pBox, pWidth, pHeight, pFormat, pClear, pGround,
		pAsked, pInfo, pI, pJ, pX, pY, pCount, pLegend, pUnbuilt, pLanguage}
}

const wmsDoc = `An OGC Web Map Service 1.3.0 and 1.1.1 of the styled layers, for QGIS, ArcGIS, AutoCAD Map and others: give them this address without a
query. Pictures are drawn from the vector tiles: parcels, land use and buildings from a scale of about 1:23,000 on, parcel numbers from about 1:2,900 (as Web Mercator counts, 1:34,000 and 1:4,300).
Names of parameters are read in any case, and those that are not known are passed over. A failure is a ServiceExceptionReport in XML that names the parameter, its value and
what is allowed. A KG without a snapshot is hatched in pictures that are not transparent, unless unbuilt is false; GetFeatureInfo says that it is missing and why, with X-Data-Ready:
false.
`

func (s *service) wms() endpoint.Endpoint {
	xml := func(status int, doc string) endpoint.Other {
		return endpoint.Other{Status: status, Doc: doc, ContentType: "text/xml"}
	}
	return endpoint.Endpoint{
		Method: "GET", Path: "/wms", ID: "wms", Tag: tag, Summary: "Web Map Service", Doc: wmsDoc, Params: wmsParams(),
		Answer: endpoint.Answer{ContentType: asPNG, Exact: true, Headers: view.ReadyHeaders, Others: append([]endpoint.Other{
			{Status: 200, Doc: "The same as JPEG.", ContentType: asJPEG}, xml(200, "The capabilities."),
			xml(400, "A ServiceExceptionReport.")}, infoAnswers()...)},
		Example: "/wms?service=WMS&version=1.3.0&request=GetMap&layers=cadastre&styles=default&crs=EPSG:3857&bbox=1477370,5994310,1478170,5995110&width=256&height=256&format=image/png",
		Dialect: spokenOf(tellWMS, wmsParams()...).dialect,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			switch pRequest.Of(r) {
			case getMap:
				return s.getMap(ctx, r)
			case getFeatureInfo:
				return s.getFeatureInfo(ctx, r)
			case getLegend:
				return s.getLegend(r)
			}
			return s.getCapabilities(ctx, r)
		},
	}
}

// old says whether a request is one of version 1.1.1.
func old(r *endpoint.Request) bool { return pVersion.Of(r) == "1.1.1" }

// need is the fault of a parameter that an operation needs and does not have.
func need(r *endpoint.Request, of operation, list ...interface {
	Name() string
	Given(*endpoint.Request) bool
}) error {
	for _, p := range list {
		if !p.Given(r) {
			return fault.Of(fault.Missing, p.Name(), "", "a value: "+string(of)+" needs it")
		}
	}
	return nil
}

// pictureOf is the picture that a request asks for.
func pictureOf(r *endpoint.Request) (picture, error) {
	if err := need(r, pRequest.Of(r), pLayers, pSystem, pBox, pWidth, pHeight); err != nil {
		return picture{}, err
	}
	v := picture{w: pWidth.Of(r), h: pHeight.Of(r), system: pSystem.Of(r).System, box: pBox.Of(r)}
	if v.w*v.h > maxPixels {
		return v, pWidth.Bad(r, "width times height of at most "+strconv.Itoa(maxPixels))
	}
	if pSystem.Of(r).northFirst() && !old(r) {
		b := v.box
		v.box = [4]float64{b[1], b[0], b[3], b[2]}
	}
	return v, nil
}

func (s *service) getMap(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	v, err := pictureOf(r)
	if err != nil {
		return nil, err
	}
	as := pFormat.Of(r)
	if as == "text/xml" {
		return nil, pFormat.Bad(r, "image/png or image/jpeg")
	}
	under := pGround.Of(r)
	if pClear.Of(r) && as == asPNG {
		under = color.NRGBA{}
	}
	return s.picture(ctx, v, portrayal{layers: pLayers.Of(r), ground: under, as: as, hatched: under.A > 0 && pUnbuilt.Of(r)})
}

// portrayal is how the place of a picture is shown, and in which form it is sent.
type portrayal struct {
	layers  []layer
	ground  color.NRGBA // below them; of one without opacity nothing is seen
	as      string      // media type
	hatched bool        // where KGs have no data
}

// picture draws and encodes.
func (s *service) picture(ctx context.Context, v picture, how portrayal) (reply.Answer, error) {
	a, err := view.TilesOf(ctx)
	if err != nil {
		return nil, err
	}
	release, err := s.memory.Take(ctx, v.memory(how.layers))
	if err != nil {
		return nil, err
	}
	defer release()
	out, err := v.draw(ctx, a, how.layers, how.ground)
	if err != nil {
		return nil, err
	}
	if how.hatched {
		w, err := view.Of(ctx)
		if err == nil {
			err = v.hatch(ctx, w, out)
		}
		if err != nil {
			return nil, err
		}
	}
	body, err := encoded(out, how.as)
	return &reply.Bytes{ContentType: how.as, Body: body}, err
}

// jpegQuality keeps thin lines without making tiles as large as PNGs.
const jpegQuality = 85

func encoded(p *image.RGBA, as string) ([]byte, error) {
	var b bytes.Buffer
	if as == asJPEG {
		err := jpeg.Encode(&b, p, &jpeg.Options{Quality: jpegQuality})
		return b.Bytes(), err
	}
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	err := e.Encode(&b, p)
	return b.Bytes(), err
}
