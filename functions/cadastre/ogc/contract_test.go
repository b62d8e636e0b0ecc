package ogc

import (
	"testing"

	"mappe/functions/core/rows"
	"mappe/functions/core/rows/rowstest"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
)

func TestContractOfShapes(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, nil); err != nil {
		t.Fatal(err)
	}
	v := view.At(t.Context(), fixture.View(t, s))
	for _, c := range ofOverlays {
		t.Run(c.id, func(t *testing.T) {
			rowstest.RunExternal(t, func(t *testing.T) rows.Source {
				q, err := c.find(t.Context(), v, nil, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				return q.Layers[0].Source
			})
		})
	}
}
