package spatial

import (
	"fmt"
	"strings"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/sheet"
)

// The inks of the drawings of a sheet.
var (
	inkOther  = &sheet.Ink{Name: "other", Fill: page.RGB(0xffffff), Stroke: page.RGB(0x8b9691), Width: 0.15}
	inkOwn    = &sheet.Ink{Name: "own", Fill: page.RGB(0xf5e1e8)}
	inkEdge   = &sheet.Ink{Name: "edge", Stroke: page.RGB(0x8a2b4e), Width: 0.6}
	inkHouse  = &sheet.Ink{Name: "house", Fill: page.RGB(0xb9bfba), Stroke: page.RGB(0x56635f), Width: 0.15}
	inkAxis   = &sheet.Ink{Name: "axis", Stroke: page.RGB(0x1f2a2e), Width: 0.3, Dash: []float64{2, 1.2}}
	inkHalo   = &sheet.Ink{Name: "halo", Fill: page.RGB(0xffffff)}
	inkDark   = &sheet.Ink{Name: "dark", Fill: page.RGB(0x1f2a2e), Stroke: page.RGB(0x1f2a2e), Width: 0.2}
	inkLight  = &sheet.Ink{Name: "light", Fill: page.RGB(0xffffff), Stroke: page.RGB(0x1f2a2e), Width: 0.2}
	inkGrid   = &sheet.Ink{Name: "grid", Stroke: page.RGB(0xd9ddd3), Width: 0.15}
	inkEarth  = &sheet.Ink{Name: "earth", Fill: page.RGB(0xe9dcc6)}
	inkGround = &sheet.Ink{Name: "ground", Stroke: page.RGB(0x7a5426), Width: 0.4}
	inkSeen   = &sheet.Ink{Name: "seen", Stroke: page.RGB(0x3f7d3a), Width: 0.3}
	inkWithin = &sheet.Ink{Name: "within", Stroke: page.RGB(0x8a2b4e), Width: 0.9}
	inkNumber = &sheet.Ink{Name: "number", Fill: page.RGB(0x56635f), Size: 2.6}
	inkMine   = &sheet.Ink{Name: "mine", Fill: page.RGB(0x8a2b4e), Size: 3.4, Bold: true}
	inkLevel  = &sheet.Ink{Name: "level", Fill: page.RGB(0x56635f), Size: 2.6, Align: sheet.End}

	inks = []*sheet.Ink{inkOther, inkOwn, inkEdge, inkHouse, inkAxis, inkHalo, inkDark, inkLight, inkGrid, inkEarth, inkGround, inkSeen,
		inkWithin, inkNumber, inkMine, inkLevel}
)

// inkStyle is the inks as a style sheet.
func inkStyle() string {
	var b strings.Builder
	colour := func(c page.Colour) string {
		if !c.Set {
			return "none"
		}
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	for _, i := range inks {
		fmt.Fprintf(&b, ".%s{fill:%s", i.Name, colour(i.Fill))
		switch {
		case i.Size > 0:
			weight := ""
			if i.Bold {
				weight = "bold "
			}
			fmt.Fprintf(&b, ";font:%s%spx system-ui,sans-serif;text-anchor:%s", weight, millimetres(i.Size),
				[]string{sheet.Middle: "middle", sheet.End: "end"}[i.Align])
		case i.Stroke.Set:
			fmt.Fprintf(&b, ";stroke:%s;stroke-width:%s;stroke-linejoin:round", colour(i.Stroke), millimetres(i.Width))
		}
		if len(i.Dash) > 0 {
			fmt.Fprintf(&b, ";stroke-dasharray:%s %s", millimetres(i.Dash[0]), millimetres(i.Dash[1]))
		}
		b.WriteString("}\n")
	}
	return b.String()
}
