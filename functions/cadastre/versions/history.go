package versions

import (
	"context"
	"errors"

	"mappe/artefacts/library"
	"mappe/functions/lineage"
	"mappe/functions/pin"
	"mappe/functions/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

var gnr = endpoint.Parsed("gnr", "Parcel number; a slash is %2F, once.", austria.ParseGNR, endpoint.Required, endpoint.Example("1"))

// numberState is a parcel number in a snapshot.
type numberState struct {
	Date     string   `json:"date"`
	Filename string   `json:"filename"`
	IsLatest bool     `json:"is_latest"`
	Present  *bool    `json:"present"` // null: the snapshot is not in the store
	AreaSqm  *float64 `json:"area_sqm"`
	EZ       *uint32  `json:"ez"`
	Status   *string  `json:"status"`
}

type numberHistory struct {
	ParcelID  string             `json:"parcel_id"`
	Exists    bool               `json:"exists"`
	First     *string            `json:"first_version"`
	Last      *string            `json:"last_version"`
	Snapshots []numberState      `json:"snapshots"`
	Truncated bool               `json:"truncated"`
	Gone      *lineage.Tombstone `json:"gone,omitempty"`
}

func history() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kg/{kg}/history", ID: "kg_history", Tag: tag, Summary: "A parcel number through the snapshots of its KG",
		Doc: `snapshots holds the dates, newest first, with whether the number stood there, its area, folio and status; exists is whether it
stands in the served one. gone, absent for a parcel that exists, says which snapshot held it last, since when it is gone, and which
parcels lie on its ground now. The 40 newest snapshots are looked into; truncated says that there are more. 404 where none of them
has the number.`,
		Params: []endpoint.AnyParam{pathKG, gnr}, Answer: endpoint.Answer{Body: numberHistory{}},
		Example: "/api/v1/kg/99101/history?gnr=1",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			b, err := through(ctx, v, austria.ParcelID{KG: pathKG.Of(r), GNR: gnr.Of(r)})
			if err != nil {
				return nil, err
			}
			return &reply.Document{Body: b}, nil
		},
	}
}

// through follows a number through the snapshots.
func through(ctx context.Context, v *view.View, id austria.ParcelID) (*numberHistory, error) {
	k, err := known(v, id.KG)
	if err != nil {
		return nil, err
	}
	list, err := lineage.Snapshots(ctx, v, k)
	if err != nil {
		return nil, err
	}
	all := lineage.Dated(list)
	b := &numberHistory{ParcelID: id.String(), Snapshots: []numberState{}, Truncated: len(all) > lineage.MaxSnapshots}
	for _, s := range all[:min(len(all), lineage.MaxSnapshots)] {
		st := numberState{Date: s.Date, Filename: s.Filename, IsLatest: s.Latest}
		f, err := v.Snapshot(ctx, id.KG, s)
		if errors.Is(err, library.ErrCold) || errors.Is(err, library.ErrDamaged) {
			b.Snapshots = append(b.Snapshots, st)
			continue
		}
		if err != nil {
			return nil, pin.Fault(ctx, err)
		}
		p, err := lineage.Parcel(f, id.GNR)
		if err != nil {
			return nil, err
		}
		present := p != nil
		if st.Present = &present; present {
			status, ez := p.Status.String(), uint32(p.EZ)
			st.AreaSqm, st.Status, st.EZ = &p.AreaSqm, &status, &ez
			if b.First = &st.Date; b.Last == nil {
				b.Last = &st.Date
			}
			b.Exists = b.Exists || s.Latest
		}
		b.Snapshots = append(b.Snapshots, st)
	}
	if b.Last == nil {
		return nil, fault.Missed("parcel", id.String())
	}
	if !b.Exists {
		b.Gone, err = lineage.Find(ctx, v, id)
	}
	return b, err
}
