package rowschema

import (
	"os"
	"strings"
	"testing"

	"mappe/shared/austria"
)

// The colours are those of the map page, and every code of the table has a class with one.
func TestStylesAreThoseOfTheMap(t *testing.T) {
	raw, err := os.ReadFile("../../localdev/server/web/src/palette.js")
	if err != nil {
		t.Fatal(err)
	}
	palette := string(raw)
	for _, c := range austria.AllLandUseClasses() {
		_, row, _ := strings.Cut(palette, `{ id: "`+c.String()+`"`)
		row, _, _ = strings.Cut(row, "}")
		if want := `light: "` + classColours[c] + `"`; !strings.Contains(row, want) {
			t.Errorf("class %s: palette.js has %s, want %s", c, row, want)
		}
	}
	_, light, _ := strings.Cut(palette, "light: {")
	light, _, _ = strings.Cut(light, "}")
	for name, colour := range map[string]string{"parcel": inkParcel, "outline": inkOutline, "house": inkHouse, "number": inkNumber} {
		if want := name + `: "` + colour + `"`; !strings.Contains(light, want) {
			t.Errorf("palette.js has no %s", want)
		}
	}
	n := 0
	for _, c := range LandUsePolygons.Style().Classes {
		n += len(c.Values)
		if len(c.Values) == 0 || c.Fill == "" {
			t.Errorf("class %s: %+v", c.Name, c)
		}
	}
	if n != len(austria.AllLandUses()) {
		t.Errorf("%d codes are drawn, the table has %d", n, len(austria.AllLandUses()))
	}
	for _, l := range AllLayers() {
		if l.Style().Empty() {
			t.Errorf("layer %s has no style", l)
		}
	}
}
