package lineage

import (
	"cmp"
	"context"
	"encoding/hex"

	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
)

// baseline is the source of a snapshot that was stored before snapshots were dated.
const baseline = "zenodo_manifest_alias"

// Unknown is an assembly version or a processing version that nothing says.
const Unknown = "unknown"

// StampOf is the stamp of a snapshot; where nothing says its generation it carries no fix.
func StampOf(assembly, generation string) rowschema.Stamp {
	return rowschema.StampOf(cmp.Or(assembly, Unknown), cmp.Or(generation, Unknown))
}

// Snapshots are the snapshots of a KG; one that was stored before they were listed has its baseline.
func Snapshots(ctx context.Context, v *view.View, k *register.KG) (rowschema.Versions, error) {
	list, listed, err := v.Versions(ctx, k.Code)
	if err != nil {
		return list, generation.Fault(ctx, err)
	}
	if listed {
		return list, nil
	}
	list = rowschema.Versions{KGCode: k.Code, KGName: k.Name, Stamp: StampOf(k.Assembly, k.Ingest)}
	if s := k.Snapshot; s.Key != "" {
		list.Latest = s.Date
		list.Snapshots = []rowschema.Version{{
			Date: s.Date, Filename: string(k.Code) + "-" + s.Date + ".kgs", Key: s.Key, Size: s.Bytes,
			SHA256:      hex.EncodeToString(s.SHA256[:]),
			ParcelCount: k.ParcelCount, ProcessingVersion: Unknown, Latest: true, Source: baseline,
		}}
	}
	return list, nil
}
