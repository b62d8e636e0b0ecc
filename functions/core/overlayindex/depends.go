package overlayindex

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
	kgs, err := Of(v).kgs(ctx)
	if err != nil || kgs == nil {
		return "", err
	}
	var b strings.Builder
	for _, code := range codes {
		i, ok := kgs.Find(overlays.KGSection(code))
		if !ok {
			continue
		}
		_, length := kgs.Range(i)
		fmt.Fprintf(&b, " %s:%08x:%d:%d", code, kgs.Checksum(i), length, kgs.Raw(i))
	}
	return " over" + b.String(), nil
}

// Knows says whether a generation says of its KGs what lies over them.
func Knows(v *library.View) bool {
	return Of(v).HasKGs()
}
