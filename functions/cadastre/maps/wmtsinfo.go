package maps

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// infoFiles are the forms of what is told of a pixel with the endings of their addresses.
var infoFiles = []struct {
	as     infoType
	ending string
}{{infoText, "txt"}, {infoJSON, "json"}, {infoHTML, "html"}}

// The parameters of GetFeatureInfo, as a query and as the end of an address: the standard (OGC 07-057r7, 7.3) has the row before the
// column there, as a tile's address has.
var (
	tInfo = endpoint.Parsed("infoformat", "Form of GetFeatureInfo: application/json, text/plain or text/html.",
		oneOf(infoJSON, infoText, infoHTML), endpoint.Alias("info_format"), endpoint.Default(string(infoText)))
	tI = endpoint.Int("i", "Column of the pixel in the tile.", endpoint.Between(0, tileSize-1))
	tJ = endpoint.Int("j", "Row of the pixel in the tile.", endpoint.Between(0, tileSize-1))

	aCol   = tCol.With(endpoint.Required)
	aJ     = tJ.With(endpoint.Required)
	aPixel = endpoint.Parsed("file", "Column of the pixel in the tile, with the ending .txt, .json or .html.", parsePixel,
		endpoint.Required, endpoint.Example("128.json"))
)

// pixel is the last part of the address of what is told: a column and the form.
type pixel struct {
	col int
	as  infoType
}

// parsePixel reads it.
func parsePixel(text string) (pixel, error) {
	number, ending, _ := strings.Cut(text, ".")
	n, err := strconv.Atoi(number)
	for _, f := range infoFiles {
		if f.ending == ending && err == nil && n >= 0 && n < tileSize && len(number) <= 3 {
			return pixel{n, f.as}, nil
		}
	}
	return pixel{}, errors.New("a whole number from 0 to " + strconv.Itoa(tileSize-1) + " with the ending .txt, .json or .html")
}

// String is the text that parsePixel reads.
func (p pixel) String() string {
	for _, f := range infoFiles {
		if f.as == p.as {
			return strconv.Itoa(p.col) + "." + f.ending
		}
	}
	return ""
}

// infoAnswers describe what is told of a pixel.
func infoAnswers() []endpoint.Other {
	return []endpoint.Other{{Status: 200, Doc: "What stands at a pixel.", ContentType: string(infoJSON), Body: infoBody{}},
		{Status: 200, Doc: "The same as text.", ContentType: string(infoText)},
		{Status: 200, Doc: "The same as a page.", ContentType: string(infoHTML)}}
}

func (s *service) wmtsInfo() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/wmts/1.0.0/{layer}/{style}/{tilematrixset}/{tilematrix}/{tilerow}/{tilecol}/{j}/{file}", ID: "wmts_info",
		Tag: tag, Summary: "What stands at a pixel of a tile, by its address",
		Doc: "The answer of GetFeatureInfo. A KG without a snapshot is told as missing, with " +
			"X-Data-Ready: false.",
		Params: []endpoint.AnyParam{aLayer, aStyle, aSet, aMatrix, aRow, aCol, aJ, aPixel, pLanguage}, Dialect: addressedWords.dialect,
		Answer: endpoint.Answer{ContentType: string(infoJSON), Body: infoBody{}, Exact: true, Headers: view.ReadyHeaders,
			Others: append(infoAnswers()[1:], endpoint.Other{Status: 400, Doc: "An ExceptionReport.", ContentType: "text/xml"})},
		Example: "/wmts/1.0.0/cadastre/default/WebMercatorQuad/16/22964/35184/128/128.json",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, ok := aSet.Of(r).at(aMatrix.Of(r), aCol.Of(r), aRow.Of(r))
			if !ok {
				return nil, outside(aSet.Of(r), aMatrix.Of(r), "tilerow", strconv.Itoa(aRow.Of(r)))
			}
			p := aPixel.Of(r)
			return tell(ctx, r, question{v, p.col, aJ.Of(r), []layer{aLayer.Of(r)}, 1, p.as, locale{}})
		},
	}
}
