// Package availability is the index of which served snapshots are not in the object store, as a JSON document beside the
// generation (availability.json): a snapshot was evicted to keep the store within its budget, and is in the research
// repository. What the data of a generation is says the generation; evicting and bringing back change this index alone, so
// that no ETag, cursor or count of another KG changes.
//
// Eviction writes the index before it deletes: an object that the index does not name may be gone only where it was lost.
package availability

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mappe/shared/austria"
)

// Format is the version of the document; readers refuse a newer one.
const Format = 1

// MaxBytes bounds the document: 7,850 lines of about 120 bytes.
const MaxBytes = 8 << 20

// Evicted is a KG whose served snapshot is not in the store.
type Evicted struct {
	Code  austria.KGCode `json:"kg_code"`
	Sum   string         `json:"sha256"` // of the .kgs: another snapshot of the KG is there
	Bytes int64          `json:"bytes"`  // that were deleted
	// Stichtag is the snapshot's date, for who knows the served one's and not its sum; indexes of before it have none.
	Stichtag string `json:"stichtag,omitempty"`
}

// Index is the document.
type Index struct {
	Format int       `json:"format"`
	KGs    []Evicted `json:"evicted"` // by rising code
}

// Parse reads the index.
func Parse(b []byte) (Index, error) {
	var x Index
	if len(b) > MaxBytes {
		return x, fmt.Errorf("availability: %d bytes are above the limit of %d", len(b), MaxBytes)
	}
	if err := json.Unmarshal(b, &x); err != nil {
		return x, fmt.Errorf("availability: %w", err)
	}
	if x.Format < 1 || x.Format > Format {
		return x, fmt.Errorf("availability: format %d, this program reads %d", x.Format, Format)
	}
	for i, k := range x.KGs {
		if c, err := austria.ParseKGCode(string(k.Code)); err != nil || c != k.Code || len(k.Sum) != 64 || k.Bytes < 0 {
			return x, fmt.Errorf("availability: KG %.20q is not one", k.Code)
		}
		if i > 0 && k.Code <= x.KGs[i-1].Code {
			return x, fmt.Errorf("availability: KG %s stands behind %s", k.Code, x.KGs[i-1].Code)
		}
	}
	return x, nil
}

func (x Index) place(code austria.KGCode) (int, bool) {
	return slices.BinarySearchFunc(x.KGs, code, func(a Evicted, c austria.KGCode) int { return strings.Compare(string(a.Code), string(c)) })
}

// Has says whether a snapshot of a KG was evicted.
func (x Index) Has(code austria.KGCode, sum string) bool {
	i, found := x.place(code)
	return found && x.KGs[i].Sum == sum
}

// With is the index with evicted KGs, in place of what it said of them.
func (x Index) With(list ...Evicted) Index {
	out := Index{Format: Format, KGs: slices.Clone(x.KGs)}
	for _, e := range list {
		if i, found := out.place(e.Code); found {
			out.KGs[i] = e
		} else {
			out.KGs = slices.Insert(out.KGs, i, e)
		}
	}
	return out
}

// Without is the index without KGs that are back.
func (x Index) Without(codes ...austria.KGCode) Index {
	return Index{Format: Format, KGs: slices.DeleteFunc(slices.Clone(x.KGs), func(e Evicted) bool {
		return slices.Contains(codes, e.Code)
	})}
}
