package qgis

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// A style is well-formed XML, whatever its names hold, with a symbol for each class and for the rest.
func TestQMLIsWellFormed(t *testing.T) {
	s := Style{Fill: "#ffffff", Line: "#102030", Width: 0.2, Size: 2, Column: `a"b`,
		Classes: []Class{{`<&>"`, []string{"41", `"`}, "#ba6346"}}, Label: "g<r"}
	for _, symbol := range []Symbol{Fill, Marker, Line} {
		text := s.QML(symbol)
		symbols := 0
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "symbol" {
				symbols++
			}
		}
		if symbols != 2 || !strings.Contains(text, "186,99,70,255") || !strings.Contains(text, "16,32,48,255") ||
			strings.Contains(text, "SimpleMarker") != (symbol == Marker) ||
			strings.Contains(text, "SimpleLine") != (symbol == Line) {
			t.Errorf("%d symbols in\n%s", symbols, text)
		}
	}
	if (Style{}).Empty() != true || s.Empty() {
		t.Error("what is empty is not")
	}
}
