package maps

import (
	"context"
	"image/color"
	"strconv"

	"mappe/artefacts/rowschema"
	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// country is a box around the country in degrees.
var country = geom.Box{MinX: 9_500_000_0, MinY: 46_300_000_0, MaxX: 17_200_000_0, MaxY: 49_100_000_0}

const getTile operation = "GetTile"

// The parameters of the tile service.
var (
	tService = endpoint.Parsed("service", "WMTS.", oneOf("WMTS"))
	tVersion = endpoint.String("version", "1.0.0.")
	tRequest = endpoint.Parsed("request", "GetCapabilities, GetTile or GetFeatureInfo.", oneOf(getCapabilities, getTile, getFeatureInfo),
		endpoint.Required, endpoint.Example("GetTile"))
	tLayer  = pLegend.With()
	tStyle  = endpoint.Parsed("style", "default.", parseStyles, endpoint.Default(style))
	tFormat = endpoint.Parsed("format", "image/png, transparent where nothing is, or image/jpeg.", parsePictureType,
		endpoint.Default(asPNG))
	tSet = endpoint.Parsed("tilematrixset",
		"Set of tile matrices: WebMercatorQuad, WorldCRS84Quad, EPSG4326, or EPSG with the code of an Austrian system: EPSG31256.",
		parseSet, endpoint.Default("WebMercatorQuad"))
	tMatrix = endpoint.Int("tilematrix", "The zoom.", endpoint.Between(0, 24))
	tRow    = endpoint.Int("tilerow", "Row, from the north.", endpoint.Between(0, 1<<24))
	tCol    = endpoint.Int("tilecol", "Column, from the west.", endpoint.Between(0, 1<<24))
)

// String is the name of the set.
func (s set) String() string { return s.name }

const wmtsDoc = `An OGC Web Map Tile Service 1.0.0 of the styled layers, in tiles of 256 pixels. They are in Web Mercator, WGS84 and the Austrian systems, in each of which a tile of matrix 0 is
1,048.576 km wide. The capabilities name the addresses of the tiles too, for programs that read tiles by addresses. Names of parameters are read in any case, and those that are not
known are passed over. A failure is an ExceptionReport in XML. GetFeatureInfo tells what stands at a pixel of a tile, as that of the Web Map Service does. A KG without a snapshot
is hatched in tiles that are not transparent (JPEG), unless unbuilt is false; GetFeatureInfo says that it is missing and why, with X-Data-Ready: false.
`

// tileAnswer describes a picture and a failure.
func tileAnswer() endpoint.Answer {
	return endpoint.Answer{ContentType: asPNG, Exact: true, Others: []endpoint.Other{{Status: 200, Doc: "The same as JPEG.",
		ContentType: asJPEG},
		{Status: 400, Doc: "An ExceptionReport.", ContentType: "text/xml"}}}
}

func (s *service) wmts() endpoint.Endpoint {
	params := []endpoint.AnyParam{tService, tVersion, tRequest, tLayer, tStyle, tFormat, tSet, tMatrix, tRow, tCol, tI, tJ, tInfo,
		pUnbuilt, pLanguage}
	e := endpoint.Endpoint{
		Method: "GET", Path: "/wmts", ID: "wmts", Tag: tag, Summary: "Web Map Tile Service", Doc: wmtsDoc,
		Params:  params,
		Answer:  tileAnswer(),
		Example: "/wmts?service=WMTS&version=1.0.0&request=GetTile&layer=cadastre&style=default&tilematrixset=WebMercatorQuad&tilematrix=16&tilerow=22964&tilecol=35184&format=image/png",
		Dialect: spokenOf(tellWMTS, params...).dialect,
	}
	e.Answer.Others = append(append(e.Answer.Others, endpoint.Other{Status: 200, Doc: "The capabilities.", ContentType: "text/xml"}),
		infoAnswers()...)
	e.Answer.Headers = view.ReadyHeaders
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		if tRequest.Of(r) == getCapabilities {
			return s.wmtsCapabilities(ctx, r)
		}
		if err := need(r, tRequest.Of(r), tLayer, tMatrix, tRow, tCol); err != nil {
			return nil, err
		}
		v, ok := tSet.Of(r).at(tMatrix.Of(r), tCol.Of(r), tRow.Of(r))
		if !ok {
			return nil, outside(tSet.Of(r), tMatrix.Of(r), "tilerow", strconv.Itoa(tRow.Of(r)))
		}
		if tRequest.Of(r) == getTile {
			return s.tile(ctx, r, v, tLayer.Of(r), tFormat.Of(r))
		}
		if err := need(r, getFeatureInfo, tI, tJ); err != nil {
			return nil, err
		}
		return tell(ctx, r, question{v, tI.Of(r), tJ.Of(r), []layer{tLayer.Of(r)}, 1, tInfo.Of(r), locale{}})
	}
	return e
}

// outside is the fault of a tile that its set does not have.
func outside(of set, z int, parameter, value string) error {
	if z > of.most {
		return fault.Of(fault.OutOfRange, "tilematrix", strconv.Itoa(z), "a matrix of "+of.name+" from 0 to "+strconv.Itoa(of.most))
	}
	return fault.Of(fault.OutOfRange, parameter, value,
		"a column below "+strconv.Itoa(of.wide<<z)+" and a row below "+strconv.Itoa(of.high<<z)+" in matrix "+strconv.Itoa(z)+" of "+
			""+of.name)
}

// tile draws a tile: transparent as PNG, on the map page's ground as JPEG, where KGs without data are hatched.
func (s *service) tile(ctx context.Context, r *endpoint.Request, v picture, l layer, as string) (reply.Answer, error) {
	under := color.NRGBA{}
	if as == asJPEG {
		under = ground
	}
	return s.picture(ctx, v, portrayal{layers: []layer{l}, ground: under, as: as, hatched: under.A > 0 && pUnbuilt.Of(r)})
}

// What has an address needs no query, and has faults told in XML. A tile may be asked for without hatching, what has words in a language.
var addressedTile, addressedWords = spokenOf(tellWMTS, pUnbuilt), spokenOf(tellWMTS, pLanguage)

func (s *service) wmtsFile() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/wmts/1.0.0/WMTSCapabilities.xml", ID: "wmts_capabilities", Tag: tag,
		Summary: "Capabilities of the Web Map Tile Service",
		Doc:     "Layers, tile matrices and addresses, for programs that are given one address.",
		Params:  []endpoint.AnyParam{pLanguage},
		Answer:  endpoint.Answer{ContentType: "text/xml", Exact: true},
		Example: "/wmts/1.0.0/WMTSCapabilities.xml", Dialect: addressedWords.dialect,
		Serve: s.wmtsCapabilities,
	}
}

var (
	aLayer  = pLegend.With(endpoint.Required)
	aStyle  = endpoint.Parsed("style", "default.", parseStyles, endpoint.Required)
	aSet    = tSet.With(endpoint.Required)
	aMatrix = tMatrix.With(endpoint.Required)
	aRow    = tRow.With(endpoint.Required)
	aFile   = endpoint.Parsed("file", "Column, from the west, with the ending .png or .jpg.", parseFile, endpoint.Required,
		endpoint.Example("35184.png"))
	zMatrix = endpoint.Int("z", "Zoom.", endpoint.Between(0, 24), endpoint.Required)
	zCol    = endpoint.Int("x", "Column, from the west.", endpoint.Between(0, 1<<24), endpoint.Required)
	zFile   = endpoint.Parsed("file", "Row, from the north, with the ending .png or .jpg.", parseFile, endpoint.Required,
		endpoint.Example("22964.png"))
)

func (s *service) wmtsTile() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/wmts/1.0.0/{layer}/{style}/{tilematrixset}/{tilematrix}/{tilerow}/{file}", ID: "wmts_tile", Tag: tag,
		Summary: "A tile of the Web Map Tile Service by its address",
		Doc:     "The tile that GetTile gives.",
		Params:  []endpoint.AnyParam{aLayer, aStyle, aSet, aMatrix, aRow, aFile, pUnbuilt}, Answer: tileAnswer(),
		Dialect: addressedTile.dialect,
		Example: "/wmts/1.0.0/cadastre/default/WebMercatorQuad/16/22964/35184.png",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			f := aFile.Of(r)
			v, ok := aSet.Of(r).at(aMatrix.Of(r), f.n, aRow.Of(r))
			if !ok {
				return nil, outside(aSet.Of(r), aMatrix.Of(r), "tilerow", strconv.Itoa(aRow.Of(r)))
			}
			return s.tile(ctx, r, v, aLayer.Of(r), f.as)
		},
	}
}

func (s *service) xyz() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/wmts/xyz/{layer}/{z}/{x}/{file}", ID: "xyz_tile", Tag: tag, Summary: "A tile of Web Mercator",
		Doc:    "256 pixels, for programs that take an address with {z}, {x} and {y}.",
		Params: []endpoint.AnyParam{aLayer, zMatrix, zCol, zFile, pUnbuilt}, Answer: tileAnswer(),
		Dialect: addressedTile.dialect,
		Example: "/wmts/xyz/cadastre/16/35184/22964.png",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			f, web := zFile.Of(r), sets()[0]
			v, ok := web.at(zMatrix.Of(r), zCol.Of(r), f.n)
			if !ok {
				return nil, outside(web, zMatrix.Of(r), "x", strconv.Itoa(zCol.Of(r)))
			}
			return s.tile(ctx, r, v, aLayer.Of(r), f.as)
		},
	}
}

func (s *service) wmtsCapabilities(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	w, err := s.writer(ctx, r)
	if err != nil {
		return nil, err
	}
	w.f(`<?xml version="1.0" encoding="UTF-8"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">
<ows:ServiceIdentification><ows:Title>%s</ows:Title><ows:Abstract>%s</ows:Abstract><ows:ServiceType>OGC WMTS</ows:ServiceType><ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion><ows:Fees>none</ows:Fees><ows:AccessConstraints>%s</ows:AccessConstraints></ows:ServiceIdentification>
<ows:OperationsMetadata>
`, w.t(wholeTitle), w.t(about), escaped(rowschema.License+", "+rowschema.LicenseURL+"; "+w.allCredits()))
	for _, name := range []operation{getCapabilities, getTile, getFeatureInfo} {
		address := w.base + "/wmts?"
		if name != getTile { // a tile has no words: caches hold one of it
			address += w.in.parameter()
		}
		w.f(`<ows:Operation name="%s"><ows:DCP><ows:HTTP><ows:Get xlink:href="%s"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation>`+"\n", name, escaped(address))
	}
	w.f("</ows:OperationsMetadata>\n<Contents>\n")
	w.tileLayers()
	for _, t := range sets() {
		w.set(t)
	}
	w.f("</Contents>\n"+`<ServiceMetadataURL xlink:href="%s"/>`+"\n</Capabilities>\n",
		escaped(w.base+"/wmts/1.0.0/WMTSCapabilities.xml"+w.in.query()))
	return &reply.Bytes{ContentType: "text/xml; charset=utf-8", Body: []byte(w.String()), Header: w.in.header()}, nil
}

// tileLayers writes the layers with their sets and addresses.
func (w *writer) tileLayers() {
	list := []described{whole.describedAs()}
	list = append(list, listed()...)
	for _, d := range list {
		w.f("<Layer>\n<ows:Title>%s</ows:Title>\n<ows:Abstract>%s</ows:Abstract>\n<ows:WGS84BoundingBox><ows:LowerCorner>%.6f "+
			"%.6f</ows:LowerCorner><ows:UpperCorner>%.6f "+
			"%.6f</ows:UpperCorner></ows:WGS84BoundingBox>\n<ows:Identifier>%s</ows:Identifier>\n",
			w.t(d.title), w.t(d.abstract), float64(w.extent.MinX)/geom.Scale, float64(w.extent.MinY)/geom.Scale,
			float64(w.extent.MaxX)/geom.Scale, float64(w.extent.MaxY)/geom.Scale, d.layer)
		width, height := sizeOf(d.layer.legend(w.in))
		w.f(`<Style isDefault="true"><ows:Title>%s</ows:Title><ows:Identifier>%s</ows:Identifier>`+
			`<LegendURL format="%s" xlink:href="%s" width="%d" height="%d"/></Style>`+"\n<Format>%s</Format>\n<Format>%s</Format>\n",
			w.t(styleTitle), style, asPNG, escaped(w.legend(d.layer)), width, height, asPNG, asJPEG)
		told := d.layer != labels // a number is the parcel's
		for _, f := range infoFiles {
			if told {
				w.f("<InfoFormat>%s</InfoFormat>\n", f.as)
			}
		}
		for _, t := range sets() {
			w.f("<TileMatrixSetLink><TileMatrixSet>%s</TileMatrixSet></TileMatrixSetLink>\n", t.name)
		}
		for _, as := range [][2]string{{asPNG, "png"}, {asJPEG, "jpg"}} {
			w.f(`<ResourceURL format="%s" resourceType="tile" template="%s"/>`+"\n", as[0], escaped(w.tiles(d.layer)+"."+as[1]))
		}
		for _, f := range infoFiles {
			if told {
				w.f(`<ResourceURL format="%s" resourceType="FeatureInfo" template="%s"/>`+"\n", f.as, escaped(w.tiles(d.layer)+
					"/{J}/{I}."+f.ending+w.in.query()))
			}
		}
		w.f("</Layer>\n")
	}
}

// tiles is what the addresses of a layer's tiles, and of what is told of their pixels, begin with.
func (w *writer) tiles(l layer) string {
	return w.base + "/wmts/1.0.0/" + string(l) + "/{Style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}"
}

// set writes a set of tile matrices.
func (w *writer) set(t set) {
	name := "urn:ogc:def:crs:EPSG::" + strconv.Itoa(int(t.system.System))
	if t.system.lonFirst {
		name = "urn:ogc:def:crs:OGC:1.3:CRS84"
	}
	w.f("<TileMatrixSet>\n<ows:Identifier>%s</ows:Identifier>\n<ows:SupportedCRS>%s</ows:SupportedCRS>\n", t.name, name)
	if t.known != "" {
		w.f("<WellKnownScaleSet>%s</WellKnownScaleSet>\n", t.known)
	}
	a, b := t.left, t.top
	if t.system.northFirst() {
		a, b = b, a
	}
	for z := range t.most + 1 {
		w.f("<TileMatrix><ows:Identifier>%d</ows:Identifier><ScaleDenominator>%s</ScaleDenominator><TopLeftCorner>%s "+
			"%s</TopLeftCorner><TileWidth>%d</TileWidth><TileHeight>%d</TileHeight><MatrixWidth>%d</MatrixWidth><MatrixHeight>%d</MatrixHeight></TileMatrix>\n",
			z, strconv.FormatFloat(t.denominator(z), 'g', 17, 64), strconv.FormatFloat(a, 'f', -1, 64), strconv.FormatFloat(b, 'f', -1,
				64), tileSize, tileSize, t.wide<<z, t.high<<z)
	}
	w.f("</TileMatrixSet>\n")
}
