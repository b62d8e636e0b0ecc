package view

import (
	"context"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
)

// View is one pinned generation of the data, or the snapshots of one date in it.
type View struct {
	*library.View
	past *past // nil for the present snapshots
}

// Of is the view of a request: the generation that its service pinned, at the date of version=.
func Of(ctx context.Context) (*View, error) {
	v, err := generation.Pinned(ctx)
	if err != nil {
		return nil, err
	}
	return At(ctx, v), nil
}

// At is the view of another generation than the pinned one, at the date of version=: of the newest, for a
// request that waits for cold KGs.
func At(ctx context.Context, v *library.View) *View { return &View{v, pastOf(ctx)} }

// Dated is a view of the snapshots of a date, YYYY-MM-DD; "" is the present. It is for work that no request waits
// for: a request has Of.
func Dated(v *library.View, date string) *View {
	if date == "" {
		return &View{v, nil}
	}
	return &View{v, &past{date: date}}
}

// Date is that of version=, "" for the present.
func (v *View) Date() string {
	if v.past == nil {
		return ""
	}
	return v.past.date
}

// Attribution is whom to name for the snapshots of a date that were read so far; "" for the present: the generation
// says it.
func (v *View) Attribution() string {
	if v.past == nil {
		return ""
	}
	return v.past.attribution()
}

// Past says whether the view is of a date: the register knows the present boxes and counts only.
func (v *View) Past() bool { return v.past != nil }

// Serves says whether the view's snapshot of a KG is the one that the generation serves: always so but for dates
// before it.
func (v *View) Serves(code austria.KGCode) bool {
	k := v.Register().KG(code)
	return k != nil && k.Snapshot.Key != "" && (v.past == nil || k.Snapshot.Date <= v.past.date)
}

// KG is library.View.KG, of the date.
func (v *View) KG(ctx context.Context, code austria.KGCode) (*kgfile.File, error) {
	if v.past != nil {
		f, err := v.KGAt(ctx, code, v.past.date)
		if err == nil {
			v.past.read(f)
		}
		return f, err
	}
	return v.View.KG(ctx, code)
}

// InMemory says whether the file of a KG is in memory, so that nothing is won by asking for it in advance. Of a date it
// is not known.
func (v *View) InMemory(code austria.KGCode) bool { return v.past == nil && v.View.InMemory(code) }

// Read gives the file of a KG, nil where it cannot be read: gaps then say why. An error is of the service, or
// library.ErrUnknownKG.
func (v *View) Read(ctx context.Context, code austria.KGCode, g *Missing) (*kgfile.File, error) {
	f, err := v.KG(ctx, code)
	if err == nil {
		return f, nil
	}
	if why := v.absence(ctx, code, err); why != 0 {
		g.add(code, why)
		return nil, nil
	}
	return nil, generation.Fault(ctx, err)
}

// ReadSnapshot gives the file of a listed snapshot of a KG as Read does.
func (v *View) ReadSnapshot(ctx context.Context, code austria.KGCode, s rowschema.Version, g *Missing) (*kgfile.File, error) {
	f, err := v.Snapshot(ctx, code, s)
	if err == nil {
		return f, nil
	}
	why := v.absence(ctx, code, err)
	if k := v.Register().KG(code); why == Evicted && (k == nil || k.Snapshot.Key != s.Key) {
		why = Lost // the served snapshot alone is brought back
	}
	if why == 0 {
		return nil, generation.Fault(ctx, err)
	}
	g.add(code, why)
	return nil, nil
}

// Open gives the file of a KG whose rows are being sent: that it is missing now is an error. The request was planned
// while the KG could be read, or was not looked at: repeating it says what is missing.
func (v *View) Open(ctx context.Context, code austria.KGCode) (*kgfile.File, error) {
	f, err := v.KG(ctx, code)
	if v.absence(ctx, code, err) != 0 {
		return nil, fault.Retry(fault.Unavailable, retryAfter, "KG %s is no longer at hand", code).Because(err)
	}
	return f, generation.Fault(ctx, err)
}

// Confirm makes sure that KGs whose rows are only counted could be read, without reading them.
func (v *View) Confirm(ctx context.Context, codes []austria.KGCode, g *Missing) error {
	missing, err := v.Missing(ctx, codes)
	if err != nil {
		return generation.Fault(ctx, err)
	}
	for _, code := range missing {
		g.add(code, v.counted(ctx, code))
	}
	return nil
}
