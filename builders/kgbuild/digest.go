package kgbuild

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/builders/objects"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
)

// DigestFormat is the version of the digest document. Recipe changes with it, so that a build does not meet documents of another one:
// their keys differ.
const DigestFormat = 1

// Digest is what the national step needs of one KG's build: small, complete, and stored under the
// fingerprint of everything the build read. A second run with the same input finds it and is done.
type Digest struct {
	Format     int
	Entry      manifest.Entry    // without Versions and Digest, which the national step fills
	KG         kgfile.KG         // register facts, counts and metrics
	Centroid   geom.Point        // of the outline
	Outline    geom.MultiPolygon // simplified within OutlineToleranceM
	Build      kgfile.Build
	GapSqm     float64    // inside the outline, in no parcel
	OverlapSqm float64    // in more than one parcel
	MD5        string     // of the .kgs file, as archives list it
	Extra      []tileName // tiles the assembly read beyond the KG's box
	ExtraSum   string     // fingerprint of their bytes
}

// digestKG is the JSON of kgfile.KG with null where a metric is not a number.
type digestKG struct {
	kgfile.KG
	AvgNNDistanceM         nullable
	FootprintMedianAreaSqm nullable
	MedianParcelAreaSqm    nullable
}

// nullable is a float that JSON has no number for when it is NaN.
type nullable float64

// MarshalJSON writes null for NaN.
func (n nullable) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as NaN.
func (n *nullable) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*n = nullable(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
}

// plain has Digest's fields without its methods.
type plain Digest

// digestJSON is Digest with the KG row in its JSON form.
type digestJSON struct {
	plain
	KG digestKG
}

// MarshalJSON writes NaN metrics as null.
func (d Digest) MarshalJSON() ([]byte, error) {
	return json.Marshal(digestJSON{plain(d), digestKG{d.KG, nullable(d.KG.AvgNNDistanceM), nullable(d.KG.FootprintMedianAreaSqm),
		nullable(d.KG.MedianParcelAreaSqm)}})
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (d *Digest) UnmarshalJSON(b []byte) error {
	var j digestJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	*d = Digest(j.plain)
	d.KG = j.KG.KG
	d.KG.AvgNNDistanceM = float64(j.KG.AvgNNDistanceM)
	d.KG.FootprintMedianAreaSqm = float64(j.KG.FootprintMedianAreaSqm)
	d.KG.MedianParcelAreaSqm = float64(j.KG.MedianParcelAreaSqm)
	return nil
}

// parseDigest reads a stored digest.
func parseDigest(b []byte) (Digest, error) {
	var d Digest
	if err := json.Unmarshal(b, &d); err != nil {
		return d, fmt.Errorf("digest: %w", err)
	}
	if d.Format != DigestFormat {
		return d, fmt.Errorf("digest: format %d, this program reads %d", d.Format, DigestFormat)
	}
	return d, nil
}

// ReadDigest reads the digest under a key.
func ReadDigest(ctx context.Context, st store.Store, key string) (Digest, error) {
	b, err := objects.Read(ctx, st, key)
	if err != nil {
		return Digest{}, err
	}
	d, err := parseDigest(b)
	if err != nil {
		return Digest{}, fmt.Errorf("%s: %w", key, err)
	}
	return d, nil
}
