package stage

import (
	"context"
	"encoding/json"

	"mappe/artefacts/manifest"
	"mappe/artefacts/pmt"
	"mappe/shared/cloud/store"
)

// RecipeOf is what a served archive of tiles was made of, by the member recipe of its metadata: a stage whose own is the same may
// take the archive over.
func RecipeOf(ctx context.Context, st store.Store, o manifest.Object) (string, error) {
	a, err := pmt.Open(store.InPlace(ctx, st, o.Key), o.Bytes)
	if err != nil {
		return "", err
	}
	b, err := a.Metadata()
	if err != nil {
		return "", err
	}
	var m struct {
		Recipe string `json:"recipe"`
	}
	err = json.Unmarshal(b, &m)
	return m.Recipe, err
}
