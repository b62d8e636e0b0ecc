package overlay

import (
	"context"
	"fmt"
	"strings"

	"mappe/artefacts/library"
	"mappe/artefacts/overlays"
	"mappe/shared/austria"
)

// Depends names what lies over the parcels of these KGs, for the ETag of an answer that shows it: it changes when the
// overlays of one of them do, "" where the generation has none. It reads no section.
func Depends(ctx context.Context, v *library.View, codes []austria.KGCode) (string, error) {
	o, err := Of(ctx, v)
	if err != nil || o.kgs == nil {
		return "", err
	}
	var b strings.Builder
	for _, code := range codes {
		i, ok := o.kgs.Find(overlays.KGSection(code))
		if !ok {
			continue
		}
		_, length := o.kgs.Range(i)
		fmt.Fprintf(&b, " %s:%08x:%d:%d", code, o.kgs.Checksum(i), length, o.kgs.Raw(i))
	}
	return " over" + b.String(), nil
}

// Knows says whether a generation says of its KGs what lies over them.
func Knows(v *library.View) bool {
	_, ok := v.Artefact(overlays.KGArtefact)
	return ok
}
