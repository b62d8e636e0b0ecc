package spec

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// MaxData is the longest transmittal in bytes.
const MaxData = 64 << 10

// Apply puts the members of a transmittal's data into a specification. Every wrong member is reported, as
// FieldErrors joined in the order of their names; s is then as it was. Members nobody knows are kept by
// the caller and have no effect: notes of the author to the studio.
func Apply(s Spec, data map[string]any) (Spec, error) {
	out := s
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(data)) {
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
		if i < 0 || data[name] == nil {
			continue
		}
		if err := fields[i].set(&out, data[name]); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) == 0 {
		errs = append(errs, out.check()...)
	}
	if len(errs) > 0 {
		return s, errors.Join(errs...)
	}
	return out, nil
}

// check holds the bounds that concern several fields.
func (s Spec) check() (errs []error) {
	if s.LeadingPt < s.SizePt {
		errs = append(errs, bad("leading_pt", s.LeadingPt, fmt.Sprintf("at least size_pt, which is %g", s.SizePt)))
	}
	if m := s.Margins; m.OuterMM > 0 && m.OuterMM < s.Printer.MinOuterMM(s.BleedMM > 0) {
		errs = append(errs, bad("outer_mm", m.OuterMM, fmt.Sprintf("at least %g for this printer, or 0", s.Printer.MinOuterMM(s.BleedMM > 0))))
	}
	if text := s.Trim.WidthMM - s.Margins.InnerMM - s.Margins.OuterMM; text < 50 {
		errs = append(errs, bad("inner_mm", s.Margins.InnerMM, "margins that leave a text at least 50 mm wide"))
	}
	if text := s.Trim.HeightMM - s.Margins.TopMM - s.Margins.BottomMM; text < 80 {
		errs = append(errs, bad("top_mm", s.Margins.TopMM, "margins that leave a text at least 80 mm high"))
	}
	return errs
}

// Data gives a specification as a transmittal's data; Apply of it gives the same specification.
func (s Spec) Data() map[string]any {
	out := map[string]any{}
	for _, f := range fields {
		out[f.Name] = f.get(&s)
	}
	return out
}

// Parse reads a specification from JSON, on top of Default.
func Parse(b []byte) (Spec, error) {
	if len(b) > MaxData {
		return Spec{}, fmt.Errorf("specification: %d bytes, allowed are %d", len(b), MaxData)
	}
	var data map[string]any
	if err := json.Unmarshal(b, &data); err != nil {
		return Spec{}, fmt.Errorf("specification: not a JSON object: %w", err)
	}
	for name := range data {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name }) {
			return Spec{}, &FieldError{Field: name, Value: "this member", Allowed: names()}
		}
	}
	return Apply(Default(), data)
}

func names() string {
	s := ""
	for i, f := range fields {
		if i > 0 {
			s += ", "
		}
		s += f.Name
	}
	return s
}
