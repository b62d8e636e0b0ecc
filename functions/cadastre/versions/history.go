package versions

import (
	"context"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/lineage"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var gnr = params.GNR("gnr", endpoint.Required)

// numberState is a parcel number in a snapshot.
type numberState struct {
	Date     string   `json:"date"`
	Filename string   `json:"filename"`
	IsLatest bool     `json:"is_latest"`
	Present  *bool    `json:"present"` // null: the snapshot cannot be read
	AreaSqm  *float64 `json:"area_sqm"`
	EZ       *uint32  `json:"ez"`
	Status   *string  `json:"status"`
}

type numberHistory struct {
	ParcelID  string             `json:"parcel_id"`
	Ready     bool               `json:"ready" doc:"false where a snapshot that exists cannot be read: its present is null."`
	Exists    *bool              `json:"exists" doc:"Whether the served snapshot has the number; null where it cannot be read."`
	First     *string            `json:"first_version"`
	Last      *string            `json:"last_version"`
	Snapshots []numberState      `json:"snapshots"`
	Truncated bool               `json:"truncated"`
	Gone      *lineage.Tombstone `json:"gone,omitempty"`
}

func history() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kg/{kg}/history", ID: "kg_history", Tag: tag,
		Summary: "A parcel number through the snapshots of its KG",
		Doc: `snapshots holds the dates, newest first, with whether the number stood there, its area, folio and status; exists is whether it
stands in the served one. gone, absent for a parcel that exists, says which snapshot held it last, since when it is gone, and which
parcels lie on its ground now. The 40 newest snapshots are looked into; truncated says that there are more. 404 where none of them
has the number; where that is not known, because a snapshot cannot be read, the error says so: ready is false.`,
		Params: []endpoint.AnyParam{pathKG, gnr}, Answer: endpoint.Answer{Body: numberHistory{}},
		Example: "/api/v1/kg/99101/history?gnr=1",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			var gaps view.Missing
			b, err := through(ctx, v, austria.ParcelID{KG: pathKG.Of(r), GNR: gnr.Of(r)}, &gaps)
			if err != nil {
				return nil, err
			}
			return &reply.Document{Body: b, Header: gaps.Header()}, nil
		},
	}
}

// through follows a number through the snapshots.
func through(ctx context.Context, v *view.View, id austria.ParcelID, gaps *view.Missing) (*numberHistory, error) {
	k, err := view.Known(v.View, id.KG)
	if err != nil {
		return nil, err
	}
	list, err := lineage.Snapshots(ctx, v, k)
	if err != nil {
		return nil, err
	}
	all := lineage.Dated(list)
	if len(all) == 0 {
		if _, err := v.Read(ctx, id.KG, gaps); err != nil {
			return nil, err
		}
	}
	b := &numberHistory{ParcelID: id.String(), Snapshots: []numberState{}, Truncated: len(all) > lineage.MaxSnapshots}
	for _, s := range all[:min(len(all), lineage.MaxSnapshots)] {
		f, err := v.ReadSnapshot(ctx, id.KG, s, gaps)
		if err != nil {
			return nil, err
		}
		if err := b.note(s, f, id.GNR); err != nil {
			return nil, err
		}
	}
	b.Ready = gaps.Ready()
	if code, why := gaps.One(); b.Last == nil && why != 0 {
		return nil, why.Fault(code)
	}
	if b.Last == nil {
		return nil, fault.Missed("parcel", id.String())
	}
	if b.Exists != nil && !*b.Exists {
		b.Gone, err = lineage.Find(ctx, v, id)
	}
	return b, err
}

// note adds the state of a number in a snapshot; f is nil where that cannot be read.
func (b *numberHistory) note(s rowschema.Version, f *kgfile.File, number austria.GNR) error {
	st := numberState{Date: s.Date, Filename: s.Filename, IsLatest: s.Latest}
	if f != nil {
		p, err := lineage.Parcel(f, number)
		if err != nil {
			return err
		}
		present := p != nil
		if st.Present = &present; s.Latest {
			b.Exists = &present
		}
		if present {
			status, ez := p.Status.String(), uint32(p.EZ)
			st.AreaSqm, st.Status, st.EZ = &p.AreaSqm, &status, &ez
			if b.First = &st.Date; b.Last == nil {
				b.Last = &st.Date
			}
		}
	}
	b.Snapshots = append(b.Snapshots, st)
	return nil
}
