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
	if s.BleedMM > 0 && s.BleedMM < 1 {
		errs = append(errs, bad("bleed_mm", s.BleedMM, "0, or a number from 1 to 10"))
	}
	outer := s.Printer.MinOuterMM(s.BleedMM > 0)
	for _, m := range []struct {
		name         string
		value, least float64
		why          string
	}{
		{"inner_mm", s.Margins.InnerMM, s.Printer.MinInnerMM(0), "for this printer"},
		{"outer_mm", s.Margins.OuterMM, outer, "for this printer"},
		{"top_mm", s.Margins.TopMM, s.leastTop(), "for the running head"},
		{"bottom_mm", s.Margins.BottomMM, s.leastBottom(), "for the page number"},
	} {
		if m.value > 0 && m.value < m.least {
			errs = append(errs, bad(m.name, m.value, fmt.Sprintf("at least %g %s, or 0", m.least, m.why)))
		}
	}
	if len(errs) > 0 {
		return errs
	}
	p := s.Page(0) // a thick book may still leave too little: the layout finds that out
	for _, err := range []error{s.TooNarrow(p), s.tooLow(p)} {
		if err != nil {
			errs = append(errs, err)
		}
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
