package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
)

// order is the payload of a job: what it writes.
type order struct {
	Form keys.Form        `json:"form"` // keys.GeoJSON, keys.GeoPackage, flatGeobuf or that of a fileForm
	KGs  []austria.KGCode `json:"kgs"`  // by rising code, at most inJob.kgs
	// Date is that of version=, "" for the present.
	Date string `json:"date,omitempty"`
	// EPSG is the coordinate system of what is neither a GeoPackage nor a KML, 0 for WGS84.
	EPSG   int  `json:"epsg,omitempty"`
	Pretty bool `json:"pretty,omitempty"`
	shape

	// Generation is the one that the job reads, unless it has to wait for KGs or comes too late.
	Generation string `json:"generation"`
}

// order is what a request orders, but for its shape.
func (p *plan) order(r *endpoint.Request, form keys.Form) order {
	return order{Form: form, KGs: p.named, Date: p.view.Date(), EPSG: r.Projection().EPSG, Pretty: r.Pretty(),
		Generation: p.view.Generation()}
}

// key is equal for orders of the same file: the same form of the same KGs in the same state, however they were
// named. What is published of other KGs does not change it.
func (o order) key(v *view.View) (string, error) {
	state := v.Depends(o.KGs)
	if o.Date != "" {
		state = o.Generation // which snapshots there are of a date is part of the generation
	}
	o.Generation = ""
	b, err := json.Marshal(o)
	sum := sha256.Sum256(append(b, state...))
	return hex.EncodeToString(sum[:]), err
}

func readOrder(payload []byte) (o order, err error) {
	if err = json.Unmarshal(payload, &o); err == nil && fileFormOf(o.Form) == nil &&
		!slices.Contains([]keys.Form{keys.GeoJSON, keys.GeoPackage, flatGeobuf}, o.Form) {
		err = fmt.Errorf("an export of the form %q", o.Form)
	}
	return o, err
}

// ext is the ending of the file.
func (o order) ext() string {
	switch {
	case o.Form == keys.GeoPackage:
		return "gpkg"
	case o.Form == flatGeobuf:
		return "fgb"
	case o.zipped():
		return "zip"
	case fileFormOf(o.Form) != nil:
		return string(o.Form)
	case len(o.Layers) == 1:
		return "geojson"
	}
	return "json"
}

// tables is how many tables of each KG are written.
func (o order) tables() int {
	switch o.Form {
	case keys.GeoPackage:
		return 6
	case flatGeobuf:
		return 1
	}
	n := 0
	if fileFormOf(o.Form) != nil { // outlines open no KG
		for _, l := range o.Layers {
			if l != kgOutlines && l != boroughs {
				n++
			}
		}
		return n
	}
	for _, l := range o.Layers {
		n += len(l.tables(o.Points))
	}
	return n
}

// plan is that of the order in a generation.
func (o order) plan(v *library.View) *plan {
	return &plan{view: view.Dated(v, o.Date), named: o.KGs}
}
