package overlayindex

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"mappe/artefacts/overlays"
	"mappe/shared/austria"
)

// Filter chooses parcels by what lies over them; the zero value takes all. Conditions on sites hold for one site
// together: a moor of type B is not a moor of type A beside a lake of type B.
type Filter struct {
	LegalRefs *bool            // has_legal_refs
	Context   overlays.Context // legal_context
	Natura    *bool            // has_natura2000
	Site      string           // natura2000_site, its code
	Type      overlays.SiteType
	Habitat   overlays.Habitat
}

// Active says whether the filter leaves anything out.
func (f Filter) Active() bool {
	return f.ofLaws() || f.ofSites() || f.LegalRefs != nil || f.Natura != nil
}

// Name writes the filter's one spelling, for keys.
func (f Filter) Name(w io.Writer) {
	said := func(b *bool) string {
		if b == nil {
			return "-"
		}
		return strconv.FormatBool(*b)
	}
	fmt.Fprintf(w, " over %s %q %s %q %d %q", said(f.LegalRefs), f.Context, said(f.Natura), f.Site, f.Type, f.Habitat)
}

func (f Filter) ofLaws() bool  { return f.Context != "" }
func (f Filter) ofSites() bool { return f.Site != "" || f.Type != 0 || f.Habitat != "" }

// wants says that a parcel needs a reference, or a site, to pass.
func (f Filter) wants() (refs, sites bool) {
	return f.ofLaws() || f.LegalRefs != nil && *f.LegalRefs, f.ofSites() || f.Natura != nil && *f.Natura
}

// KGs are the KGs in which a parcel may pass, by code: from the directory of KGs alone. all says that the filter
// only leaves parcels out, so that every KG has some that pass.
func (o *Overlays) KGs(ctx context.Context, f Filter) (codes []austria.KGCode, all bool, err error) {
	refs, sites := f.wants()
	if !refs && !sites {
		return nil, true, nil
	}
	index, err := o.Index(ctx)
	if err != nil {
		return nil, false, err
	}
	for i := range index {
		x := &index[i]
		if refs && (x.RefCount == 0 || f.Context != "" && !x.Contexts.Has(f.Context)) {
			continue
		}
		if sites && !anySite(f, x.Sites) {
			continue
		}
		codes = append(codes, x.Code)
	}
	return codes, false, nil
}

func anySite(f Filter, list []overlays.Brief) bool {
	for i := range list {
		if list[i].Parcels > 0 && f.site(&list[i]) {
			return true
		}
	}
	return false
}

// site says whether a site is one that the filter asks for.
func (f Filter) site(b *overlays.Brief) bool {
	return (f.Site == "" || b.Code == f.Site) && (f.Type == 0 || b.Type.Fits(f.Type)) && (f.Habitat == "" || b.Tags.Has(f.Habitat))
}

// Passes says whether a parcel of a KG passes; k is nil where nothing lies over the KG.
func (f Filter) Passes(k *overlays.KG, row int) bool {
	refs, sites := f.wants()
	if k == nil {
		return !refs && !sites
	}
	in, named := k.SitesOf(row), k.RefsOf(row)
	if f.Natura != nil && *f.Natura != (len(in) > 0) || f.LegalRefs != nil && *f.LegalRefs != (len(named) > 0) {
		return false
	}
	if f.ofSites() {
		found := false
		for _, m := range in {
			found = found || f.site(&k.Sites[m.Site])
		}
		if !found {
			return false
		}
	}
	if f.ofLaws() {
		found := false
		for i := range named {
			found = found || k.Laws[named[i].Law].Context == f.Context
		}
		return found
	}
	return true
}
