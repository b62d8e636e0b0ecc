package ne

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mappe/artefacts/keys"
	"mappe/shared/austria"
)

// The kinds by which a generation names the cells of the country: their list, the dictionary, and the list once more
// where changes are candidates that the next pass has to see.
const (
	Artefact        = "cells"
	DictArtefact    = "cell-dict"
	WaitingArtefact = "cells-waiting"
)

// The kinds by which it names those of a KG: their container, what changed in them, and their
// GeoParquet.
const (
	KGArtefact      = "cells"
	ChangesArtefact = "cell-changes"
	TableArtefact   = "cell-table"
)

// maxIndex bounds the list of the country: 7,850 KGs take about 4 MB.
const maxIndex = 64 << 20

// Index is the list of the KGs whose cells are built.
type Index struct {
	Format int       `json:"format"`
	Recipe string    `json:"recipe"`
	Dict   string    `json:"dict,omitempty"` // id of the dictionary; "" without one
	KGs    []IndexKG `json:"kgs"`            // by rising code
	Obs    *ObsLayer `json:"obs,omitempty"`  // the released observations; nil without them
}

// ObsLayer describes the rows of observations.
type ObsLayer struct {
	Origin
	RecordBytes int     `json:"record_bytes"`
	Fields      []Field `json:"fields"`
}

// IndexKG is what the list says of a KG.
type IndexKG struct {
	Code       austria.KGCode   `json:"kg_code"`
	Stichtag   string           `json:"stichtag"`
	Generation string           `json:"generation"` // of the container
	Key        string           `json:"key"`        // of the container
	Bytes      int64            `json:"bytes"`
	SHA256     string           `json:"sha256,omitempty"` // of the container's bytes; "" in lists of earlier programs
	Inputs     string           `json:"inputs"`           // fingerprint of the snapshots that the cells are made of
	Rows       int              `json:"rows"`             // LU rows
	Digest     string           `json:"digest"`           // first 16 hex digits of their SHA-256
	KRows      int              `json:"k_rows"`
	KDigest    string           `json:"k_digest"`
	ObsRows    int              `json:"obs_rows,omitempty"` // of observations that are released
	ObsDigest  string           `json:"obs_digest,omitempty"`
	Pending    []austria.KGCode `json:"pending_kgs,omitempty"`
	Changes    string           `json:"changes,omitempty"` // key of what changed; "" is nothing
	Candidates int              `json:"candidates,omitempty"`
	Confirmed  int              `json:"confirmed,omitempty"`
}

// Encode writes the list.
func (x *Index) Encode() ([]byte, error) {
	x.Format = 1
	if x.KGs == nil {
		x.KGs = []IndexKG{}
	}
	return json.Marshal(x)
}

// ParseIndex reads a list.
func ParseIndex(b []byte) (*Index, error) {
	if len(b) > maxIndex {
		return nil, fmt.Errorf("list of cells: %d bytes, at most %d", len(b), maxIndex)
	}
	x := &Index{}
	if err := json.NewDecoder(bytes.NewReader(b)).Decode(x); err != nil {
		return nil, fmt.Errorf("list of cells: %w", err)
	}
	if x.Format != 1 {
		return nil, fmt.Errorf("list of cells: format %d, this program reads 1", x.Format)
	}
	for i := range x.KGs {
		if err := x.KGs[i].check(); err != nil {
			return nil, fmt.Errorf("list of cells: KG %.10q: %w", x.KGs[i].Code, err)
		}
		if i > 0 && x.KGs[i].Code <= x.KGs[i-1].Code {
			return nil, fmt.Errorf("list of cells: KG %s stands behind %s", x.KGs[i].Code, x.KGs[i-1].Code)
		}
	}
	return x, nil
}

func (k *IndexKG) check() error {
	if _, err := austria.ParseKGCode(string(k.Code)); err != nil {
		return err
	}
	key, err := keys.Parse(k.Key)
	if c, ok := key.(keys.Cells); err != nil || !ok || c.Code != k.Code {
		return fmt.Errorf("%.80q is no key of its cells", k.Key)
	}
	if k.Changes == "" {
		return nil
	}
	key, err = keys.Parse(k.Changes)
	if c, ok := key.(keys.CellChanges); err != nil || !ok || c.Code != k.Code {
		return fmt.Errorf("%.80q is no key of its changes", k.Changes)
	}
	return nil
}

// Find is a KG of the list; nil where its cells are not built.
func (x *Index) Find(code austria.KGCode) *IndexKG {
	i, ok := slices.BinarySearchFunc(x.KGs, code, func(k IndexKG, c austria.KGCode) int {
		return strings.Compare(string(k.Code), string(c))
	})
	if !ok {
		return nil
	}
	return &x.KGs[i]
}

// Memory is about what the list takes, in bytes.
func (x *Index) Memory() int64 { return int64(len(x.KGs)) * 500 }
