package rowschema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mappe/shared/austria"
)

// ProcessingVersion is the version of the processing that this program is.
const ProcessingVersion = "mappe-1"

// maxVersions bounds a version list before it is decoded: a daily build for ten years is 2 MB.
const maxVersions = 4 << 20

// Versions is the list of a KG's dated snapshots, one document per KG: what /kg_versions?kg= answers.
type Versions struct {
	KGCode    austria.KGCode `json:"kg_code"`
	KGName    string         `json:"kg_name"`
	Latest    string         `json:"latest"`    // date of the snapshot that is served: the last published
	Snapshots []Version      `json:"snapshots"` // newest date first, of one date the last published first
	Stamp     Stamp          `json:"stamp"`     // of the served one
}

// Version is one dated snapshot.
type Version struct {
	Date              string `json:"date"`     // YYYY-MM-DD, the date of the data; several builds may have one date
	Filename          string `json:"filename"` // <kg>-<date>.kgs; the key holds a hash as well
	Key               string `json:"key"`
	Size              int64  `json:"size"`
	MD5               string `json:"md5"` // as archives list it; the key holds the SHA-256
	SHA256            string `json:"sha256"`
	ParcelCount       int    `json:"parcel_count"`
	ProcessingVersion string `json:"processing_version"`
	Latest            bool   `json:"is_latest"`
	Source            string `json:"source,omitempty"` // "zenodo_manifest_alias" for a baseline without a dated file
	// IngestGeneration is that of the snapshot where it is known to be another than that of Stamp: of one that was
	// imported from an earlier epoch.
	IngestGeneration EpochID `json:"ingest_generation,omitempty"`
}

// Stamp says which processing the data carries.
type Stamp struct {
	AssemblyVersion    string    `json:"assembly_version"` // tile_partition_v1, legacy or unknown
	IngestGeneration   EpochID   `json:"ingest_generation"`
	IngestFixes        []EpochID `json:"ingest_fixes"`
	IngestFixesMissing []EpochID `json:"ingest_fixes_missing"`
}

// StampOf fills the fixes of a generation.
func StampOf(assembly, generation string) Stamp {
	have, missing := EpochID(generation).Fixes()
	return Stamp{assembly, EpochID(generation).Generation(), have, missing}
}

// With is the list with one more snapshot, which is the one served from now on. What is listed stays: a
// snapshot of the same date stands behind it. One that was served before comes to the front of its date.
// Published from an older source, it is the latest although newer ones are listed: the word says what is
// served.
func (v Versions) With(n Version, stamp Stamp) (Versions, error) {
	if _, err := time.Parse(time.DateOnly, n.Date); err != nil {
		return v, fmt.Errorf("version date %q is not a date YYYY-MM-DD", n.Date)
	}
	known := slices.DeleteFunc(slices.Clone(v.Snapshots), func(o Version) bool { return o.Date == n.Date && o.Key == n.Key })
	v.Snapshots = append([]Version{n}, known...)
	for i := range v.Snapshots {
		v.Snapshots[i].Latest = i == 0
	}
	slices.SortStableFunc(v.Snapshots, func(a, b Version) int { return cmp.Compare(b.Date, a.Date) })
	v.Latest, v.Stamp = n.Date, stamp
	return v, nil
}

// WithEarlier is the list with a snapshot of an earlier date than the served one, which stays the served one; the
// same list where it holds the snapshot already.
func (v Versions) WithEarlier(n Version) (Versions, error) {
	if _, err := time.Parse(time.DateOnly, n.Date); err != nil || n.Date >= v.Latest {
		return v, fmt.Errorf("version list of KG %s: %s is not a date before %s, of the served snapshot", v.KGCode, n.Date, v.Latest)
	}
	if slices.ContainsFunc(v.Snapshots, func(o Version) bool { return o.Date == n.Date && o.Key == n.Key }) {
		return v, nil
	}
	n.Latest = false
	// Behind those of its date that were served, before an earlier import: the last one of a file that was mended counts.
	at := slices.IndexFunc(v.Snapshots, func(o Version) bool {
		return o.Date < n.Date || o.Date == n.Date && o.Source != "" && o.Source == n.Source
	})
	if at < 0 {
		at = len(v.Snapshots)
	}
	v.Snapshots = slices.Insert(slices.Clone(v.Snapshots), at, n)
	return v, nil
}

// ParseVersions reads a version list and checks its order.
func ParseVersions(b []byte) (Versions, error) {
	var v Versions
	if len(b) > maxVersions {
		return v, fmt.Errorf("version list: %d bytes are above the limit of %d", len(b), maxVersions)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return v, fmt.Errorf("version list: %w", err)
	}
	if c, err := austria.ParseKGCode(string(v.KGCode)); err != nil || c != v.KGCode {
		return v, fmt.Errorf("version list: kg_code %q is not a padded KG code", v.KGCode)
	}
	latest := 0
	for i, s := range v.Snapshots {
		if _, err := time.Parse(time.DateOnly, s.Date); err != nil {
			return v, fmt.Errorf("version list of KG %s: date %q is not a date YYYY-MM-DD", v.KGCode, s.Date)
		}
		first := i == 0 || s.Date != v.Snapshots[i-1].Date // of its date: the last published
		if i > 0 && s.Date > v.Snapshots[i-1].Date {
			return v, fmt.Errorf("version list of KG %s: %s stands behind %s", v.KGCode, s.Date, v.Snapshots[i-1].Date)
		}
		if s.Latest != (first && s.Date == v.Latest) {
			return v, fmt.Errorf("version list of KG %s: latest is %s, and is_latest of %s is %v", v.KGCode, v.Latest, s.Date, s.Latest)
		}
		if s.Latest {
			latest++
		}
	}
	if latest == 0 && len(v.Snapshots) > 0 {
		return v, fmt.Errorf("version list of KG %s: latest %q is not among its snapshots", v.KGCode, v.Latest)
	}
	return v, nil
}
