package overlayindex

import (
	"context"
	"strings"

	"mappe/artefacts/library"
	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/shared/austria"
	"mappe/shared/spelling"
)

// LegalFilter chooses references of laws; the zero value takes all.
type LegalFilter struct {
	KG       austria.KGCode
	Gemeinde austria.GemeindeCode
	State    string // name of the state whose law it is
	Context  overlays.Context
	List     *overlays.ListType
	Law      string // a part of the law's name, or its Gesetzesnummer
	Text     string // a part of the name of the law or of the KG, or the parcel number
}

// Legal gives the references that pass, by KG, then in the order of the sources.
func (o *Overlays) Legal(ctx context.Context, f LegalFilter) ([]rowschema.LegalRow, error) {
	laws, err := o.Laws(ctx)
	if err != nil {
		return nil, err
	}
	pass := make([]bool, len(laws))
	for i := range laws {
		pass[i] = f.law(&laws[i])
	}
	reg := o.view.Register()
	var codes []austria.KGCode
	named, err := o.KGsWithRefs(ctx)
	if err != nil {
		return nil, err
	}
	for _, code := range named {
		k := reg.KG(code)
		if (f.KG == "" || code == f.KG) && (f.Gemeinde == "" || k != nil && k.GemeindeCode == f.Gemeinde) {
			codes = append(codes, code)
		}
	}
	lists, err := o.refs(ctx, codes, len(laws))
	if err != nil {
		return nil, err
	}
	var found []rowschema.LegalRow
	for n, code := range codes {
		kg := ""
		if k := reg.KG(code); k != nil {
			kg = k.Name
		}
		for i := range lists[n] {
			if ref := &lists[n][i]; pass[ref.Law] && f.ref(ref, kg, &laws[ref.Law]) {
				found = append(found, rowschema.LegalRow{KG: code, Name: kg, Ref: ref, Law: &laws[ref.Law]})
			}
		}
	}
	return found, nil
}

// refs are the references of KGs that have some; sections that lie together are read together.
func (o *Overlays) refs(ctx context.Context, codes []austria.KGCode, laws int) ([][]overlays.Ref, error) {
	if len(codes) == 0 {
		return nil, nil
	}
	source, err := o.source(ctx)
	if err != nil {
		return nil, err
	}
	sections := make([]int, len(codes))
	for i, code := range codes {
		sections[i], _ = source.Find(overlays.RefsSection(code)) // KGsWithRefs has found it
	}
	lists, err := library.Sections(ctx, source, sections, func(_ int, body []byte) ([]overlays.Ref, int64, error) {
		rows, err := overlays.DecodeRefs(body, laws)
		return rows, int64(len(rows))*perRef + 64, err
	})
	return lists, generation.Fault(ctx, err)
}

func (f *LegalFilter) law(l *overlays.Law) bool {
	return (f.Context == "" || l.Context == f.Context) && (f.State == "" || strings.EqualFold(l.State, f.State)) &&
		(f.Law == "" || l.Number == f.Law || holds(l.Name, f.Law))
}

func (f *LegalFilter) ref(ref *overlays.Ref, kg string, l *overlays.Law) bool {
	return (f.List == nil || ref.List == *f.List) &&
		(f.Text == "" || string(ref.GNR) == f.Text || holds(l.Name, f.Text) || holds(kg, f.Text))
}

func holds(name, part string) bool {
	part = spelling.Fold(part)
	return part != "" && strings.Contains(spelling.Fold(name), part)
}
