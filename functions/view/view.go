package view

import (
	"context"
	"errors"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/functions/pin"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
)

// retryAfter is when a cold KG is worth another try.
const retryAfter = 3 * time.Second

// View is one pinned generation of the data, or the snapshots of one date in it.
type View struct {
	*library.View
	past *past // nil for the present snapshots
}

// Of is the view of a request: the generation that its service pinned, at the date of version=.
func Of(ctx context.Context) (*View, error) {
	v, err := pin.View(ctx)
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

// Read gives the file of a KG, nil where it cannot be had: gaps then say why. An error is of the service, or
// library.ErrUnknownKG.
func (v *View) Read(ctx context.Context, code austria.KGCode, g *Gaps) (*kgfile.File, error) {
	f, err := v.KG(ctx, code)
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, library.ErrCold) && v.Warming(ctx, code):
		g.warming.add(code)
	case errors.Is(err, library.ErrCold), errors.Is(err, library.ErrDamaged):
		g.unavailable.add(code)
	case errors.Is(err, library.ErrNoVersion):
		g.unversioned.add(code)
	default:
		return nil, pin.Fault(ctx, err)
	}
	return nil, nil
}

// maxAsked is how many cold KGs a request that concerns the whole country asks to be loaded.
const maxAsked = 64

// Asking bounds what a request over many KGs sets in motion: the first cold KGs are asked to be loaded, the others
// are only noted.
type Asking struct{ n int }

// Note notes a KG without a snapshot in the gaps.
func (a *Asking) Note(ctx context.Context, v *View, code austria.KGCode, g *Gaps) error {
	if a.n++; a.n > maxAsked {
		g.unavailable.add(code)
		return nil
	}
	_, err := v.Read(ctx, code, g)
	return err
}

// Open gives the file of a KG whose rows are being sent: that it is missing now is an error.
func (v *View) Open(ctx context.Context, code austria.KGCode) (*kgfile.File, error) {
	f, err := v.KG(ctx, code)
	if errors.Is(err, library.ErrCold) {
		return nil, fault.Retry(fault.Unavailable, retryAfter, "KG %s is no longer at hand", code).Because(err)
	}
	return f, pin.Fault(ctx, err)
}

// Confirm makes sure that KGs whose rows are only counted could be read, without reading them.
func (v *View) Confirm(ctx context.Context, codes []austria.KGCode, g *Gaps) error {
	missing, err := v.Missing(ctx, codes)
	if err != nil {
		return pin.Fault(ctx, err)
	}
	for _, code := range missing {
		if v.Warming(ctx, code) {
			g.warming.add(code)
		} else {
			g.unavailable.add(code)
		}
	}
	return nil
}
