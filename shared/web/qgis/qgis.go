// Package qgis says how a layer is drawn, in the form in which QGIS keeps it. The GeoPackage writer
// (shared/web/gpkg) puts it into a file; artefacts/rowschema has the styles of the cadastre's layers.
package qgis

import (
	"fmt"
	"html"
	"strings"
)

// Style is a default style of a layer: one symbol, or one for each class of a column. Colours are #rrggbb. It is kept
// in the table layer_styles, which QGIS reads from a GeoPackage when it opens a layer; other programs see a table of
// attributes.
type Style struct {
	Fill string // of areas and points; "" for none
	Line string
	// Width is that of lines in mm.
	Width float64
	// Size is that of points in mm.
	Size float64
	// Column tells classes apart; "" where all rows are drawn alike.
	Column  string
	Classes []Class
	// Label is a column that is written on each row; "" for none.
	Label string
}

// Class is how rows are drawn that have one of some values in Style.Column.
type Class struct {
	Name   string
	Values []string
	Fill   string
}

// Empty says that there is no style.
func (s Style) Empty() bool { return s.Fill == "" && s.Line == "" && s.Column == "" }

// Symbol is what rows are drawn with.
type Symbol string

// The symbols.
const (
	Fill   Symbol = "fill"   // areas
	Marker Symbol = "marker" // points
	Line   Symbol = "line"   // lines, in the colour of Style.Line
)

// QML is the style as QGIS writes it, with what it needs alone, for a layer that is drawn with a symbol.
func (s Style) QML(symbol Symbol) string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'><qgis version="3.34" styleCategories="Symbology|Labeling">`)
	if s.Column == "" {
		b.WriteString(`<renderer-v2 type="singleSymbol"><symbols>` + s.symbol(0, symbol, s.Fill) + `</symbols></renderer-v2>`)
	} else {
		fmt.Fprintf(&b, `<renderer-v2 type="categorizedSymbol" attr="%s"><categories>`, html.EscapeString(s.Column))
		for i, c := range s.Classes {
			fmt.Fprintf(&b, `<category render="true" symbol="%d" type="List" label="%s">`, i, html.EscapeString(c.Name))
			for _, v := range c.Values {
				fmt.Fprintf(&b, `<val type="string" value="%s"/>`, html.EscapeString(v))
			}
			b.WriteString(`</category>`)
		}
		fmt.Fprintf(&b, `<category render="true" symbol="%d" type="string" value="" label=""/></categories><symbols>`, len(s.Classes))
		for i, c := range s.Classes {
			b.WriteString(s.symbol(i, symbol, c.Fill))
		}
		b.WriteString(s.symbol(len(s.Classes), symbol, s.Fill) + `</symbols></renderer-v2>`)
	}
	if s.Label != "" {
		fmt.Fprintf(&b, `<labeling type="simple"><settings><text-style fieldName="%s" fontSize="8" textColor="%s"/><rendering scaleVisibility="1" scaleMin="5000" scaleMax="0"/></settings></labeling>`,
			html.EscapeString(s.Label), rgba(s.Line))
	}
	b.WriteString(`</qgis>`)
	return b.String()
}

// symbol draws areas, points or lines. Lines of a class have its colour.
func (s Style) symbol(n int, kind Symbol, fill string) string {
	option := func(name, value string) string {
		return fmt.Sprintf(`<Option name="%s" value="%s" type="QString"/>`, name, value)
	}
	class, options := "SimpleFill", option("style", pick(fill == "", "no", "solid"))
	if kind == Line {
		colour := s.Line
		if s.Column != "" {
			colour = fill
		}
		return fmt.Sprintf(`<symbol name="%d" type="line" alpha="1"><layer class="SimpleLine" enabled="1" pass="0" locked="0"><Option type="Map">%s</Option></layer></symbol>`, n,
			option("line_color", rgba(colour))+option("line_width", fmt.Sprint(s.Width))+option("line_style", "solid"))
	}
	if kind == Marker {
		class, options = "SimpleMarker", option("name", "circle")+option("size", fmt.Sprint(s.Size))
	}
	return fmt.Sprintf(`<symbol name="%d" type="%s" alpha="1"><layer class="%s" enabled="1" pass="0" locked="0"><Option type="Map">%s</Option></layer></symbol>`, n, kind, class,
		options+option("color", rgba(fill))+option("outline_color", rgba(s.Line))+option("outline_width", fmt.Sprint(s.Width))+
			option("outline_style", pick(s.Line == "", "no", "solid")))
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// rgba is a colour as QGIS writes it; none is nothing to see.
func rgba(colour string) string {
	var r, g, b int
	if _, err := fmt.Sscanf(colour, "#%02x%02x%02x", &r, &g, &b); err != nil {
		return "0,0,0,0"
	}
	return fmt.Sprintf("%d,%d,%d,255", r, g, b)
}
