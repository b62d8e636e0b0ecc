// Package picked is areas that a request names instead of drawing them, "kg:99101": what names one, and its outline in the data of a
// generation. It owns no parameter and reads no file of a client: functions/core/drawn does. functions/core/overlays and
// functions/cadastre/spatial ask it.
package picked

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"mappe/artefacts/overlays"
	"mappe/functions/core/area"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/spelling"
	"mappe/shared/web/fault"
)

// AreaKind is what kind of area is named.
type AreaKind string

// The kinds.
const (
	Parcel    AreaKind = "parcel"
	KG        AreaKind = "kg"
	Gemeinde  AreaKind = "gemeinde"
	Natura    AreaKind = "natura2000"
	Protected AreaKind = "protected_area"
)

// Forms names what is read, for messages and documentation.
const Forms = "parcel:ID, kg:CODE, gemeinde:CODE or gemeinde:NAME, natura2000:SITECODE, protected_area:NAME"

// Doc says in the description of a parameter whose outlines they are.
const Doc = "The outlines are those of the data: of a KG that of its survey, of one that was not built here the simplified one of the " +
	"register; of several protected areas of one name their union."

// Name names an area.
type Name struct {
	Kind AreaKind
	Text string // the code of a parcel, a KG or a site as it is written, a name as it was given
}

// String is the text that Parse reads.
func (n Name) String() string { return string(n.Kind) + ":" + n.Text }

// Parse reads a name.
func Parse(text string) (Name, error) {
	kind, of, _ := strings.Cut(text, ":")
	n := Name{AreaKind(strings.ToLower(strings.TrimSpace(kind))), strings.TrimSpace(of)}
	switch n.Kind { // as the map's addresses spell them
	case "municipality":
		n.Kind = Gemeinde
	case "site":
		n.Kind = Natura
	case "protected":
		n.Kind = Protected
	}
	err := errors.New("one of " + Forms)
	if n.Text == "" {
		return Name{}, err
	}
	switch n.Kind {
	case Parcel:
		id, bad := austria.ParseParcelID(n.Text)
		if bad != nil {
			return Name{}, err
		}
		n.Text = id.String()
	case KG:
		code, bad := austria.ParseKGCode(n.Text)
		if bad != nil {
			return Name{}, err
		}
		n.Text = string(code)
	case Natura:
		n.Text = strings.ToUpper(n.Text)
	case Gemeinde, Protected:
	default:
		return Name{}, err
	}
	return n, nil
}

// Area is a named area.
type Area struct {
	Kind       AreaKind
	Code, Name string // "" where it has none
	Shape      geom.MultiPolygon
	ToleranceM float64 // how far in metres the outline may lie from the true one; 0: it is that
	Missing    view.Missing
}

// Of finds the area of a name; field is the parameter that holds it, for faults.
func Of(ctx context.Context, v *view.View, n Name, field string) (*Area, error) {
	switch n.Kind {
	case Parcel:
		return ofParcel(ctx, v, n.Text)
	case KG:
		return OfKG(ctx, v, austria.KGCode(n.Text))
	case Gemeinde:
		return OfGemeinde(ctx, v, n.Text, field)
	case Natura:
		return ofSite(ctx, v, n.Text, field)
	}
	return ofProtected(ctx, v, n.Text, field)
}

func ofParcel(ctx context.Context, v *view.View, text string) (*Area, error) {
	id, err := austria.ParseParcelID(text)
	if err != nil {
		return nil, err
	}
	f, row, err := v.Parcel(ctx, id)
	if err != nil {
		return nil, err
	}
	a := &Area{Kind: Parcel, Code: id.String(), Shape: f.ParcelGeometry(row)}
	if len(a.Shape) == 0 {
		return nil, fault.New(fault.NotFound, "parcel %s has no area left", id)
	}
	return a, nil
}

// OfKG takes a KG by the outline of its snapshot. One without a snapshot lacks nothing: the register has its outline; one
// whose snapshot cannot be read is noted.
func OfKG(ctx context.Context, v *view.View, code austria.KGCode) (*Area, error) {
	k, err := view.Known(v.View, code)
	if err != nil {
		return nil, err
	}
	a := &Area{Kind: KG, Code: string(code), Name: k.Name}
	if v.Warm(code) {
		f, err := v.Read(ctx, code, &a.Missing)
		if err != nil {
			return nil, err
		}
		if f != nil {
			if a.Shape, err = f.Outline(); err != nil || len(a.Shape) > 0 {
				return a, err
			}
		}
	}
	a.Shape, a.ToleranceM = v.Register().Outline(code), v.Register().OutlineToleranceM(code)
	if len(a.Shape) == 0 {
		return nil, fault.New(fault.NotFound, "the outline of KG %s is not known: name its municipality", code)
	}
	return a, nil
}

// OfGemeinde takes a municipality, by its name in any usual spelling or its code: its true outline, or the simplified one of the
// register where it is missing.
func OfGemeinde(ctx context.Context, v *view.View, text, field string) (*Area, error) {
	reg := v.Register()
	code, err := area.Municipality(reg, field, text)
	if err != nil {
		return nil, err
	}
	a := &Area{Kind: Gemeinde, Code: string(code)}
	o := overlayindex.Of(v.View)
	list, err := o.Municipalities(ctx)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(list, func(m overlays.Municipality) bool { return m.Code == code }); i >= 0 {
		a.Name = list[i].Name
		return a, a.shaped(ctx, o, overlays.MunicipalityShapes, i)
	}
	if m := reg.Municipality(code); m != nil {
		a.Name = m.Name
	}
	a.Shape, a.ToleranceM = reg.MunicipalityOutline(code), reg.OutlineToleranceM("")
	if len(a.Shape) == 0 {
		return nil, fault.New(fault.NotFound, "the outline of municipality %s is not known", code)
	}
	return a, nil
}

func ofSite(ctx context.Context, v *view.View, code, field string) (*Area, error) {
	o := overlayindex.Of(v.View)
	list, err := o.Sites(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(s overlays.Site) bool { return strings.EqualFold(s.Code, code) })
	if i < 0 {
		return nil, fault.Of(fault.NotFound, field, Name{Natura, code}.String(), "the code of a Natura 2000 site, such as AT1101112")
	}
	a := &Area{Kind: Natura, Code: list[i].Code, Name: list[i].Name}
	return a, a.shaped(ctx, o, overlays.SiteShapes, i)
}

// ofProtected takes the protected areas of a name, in any spelling: a reserve is often entered once for each of its designations.
func ofProtected(ctx context.Context, v *view.View, name, field string) (*Area, error) {
	o := overlayindex.Of(v.View)
	list, err := o.Areas(ctx)
	if err != nil {
		return nil, err
	}
	key := spelling.Compact(spelling.Fold(name))
	var rows []int
	var names []string
	for i := range list {
		names = append(names, list[i].Name)
		if spelling.Compact(spelling.Fold(list[i].Name)) == key {
			rows = append(rows, i)
		}
	}
	if rows == nil {
		return nil, fault.Of(fault.NotFound, field, Name{Protected, name}.String(), "the name of a protected area"+
			fault.DidYouMean(name, names))
	}
	a := &Area{Kind: Protected, Name: list[rows[0]].Name}
	return a, a.shaped(ctx, o, overlays.AreaShapes, rows...)
}

// shaped reads the shapes of rows of a layer and unites them.
func (a *Area) shaped(ctx context.Context, o *overlayindex.Overlays, l overlays.Layer, rows ...int) error {
	shapes, err := o.Shapes(ctx, l, rows)
	if err != nil {
		return err
	}
	a.Shape = shapes[0].Geometry
	if len(shapes) == 1 {
		return nil
	}
	var parts []geom.MultiPolygon
	for _, s := range shapes {
		parts = append(parts, s.Geometry)
	}
	if a.Shape, err = geom.Dissolve(parts, 0); err != nil {
		return fault.New(fault.TooLarge, "the %d areas of the name %s cross each other too often: draw one of them", len(parts),
			cmp.Or(a.Name, string(a.Kind))).Because(err)
	}
	return nil
}
