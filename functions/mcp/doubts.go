package mcp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// at is the member of a JSON value below names, nil if the value has no such member.
func at(v any, names ...string) any {
	for _, n := range names {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[n]
	}
	return v
}

func textOf(v any, names ...string) string {
	s, _ := at(v, names...).(string)
	return s
}

// missingBlocks are the blocks of a place's context that are not there, with what an estimate says of itself.
func missingBlocks(body map[string]any) (of []string) {
	missing, _ := at(body, "data", "missing").(map[string]any)
	for _, block := range slices.Sorted(maps.Keys(missing)) {
		of = append(of, fmt.Sprintf("%s is missing: %v.", block, missing[block]))
	}
	if e := estimate(at(body, "data", "land_price")); len(e) > 0 {
		of = append(append(of, estimated), e...)
	}
	return of
}

// unread says that snapshots could not be read, so that rows are missing.
func unread(body map[string]any) (of []string) {
	m := at(body, "meta")
	if ready, ok := at(m, "ready").(bool); !ok || ready {
		return nil
	}
	for name, why := range map[string]string{"kgs_warming": "are being loaded: ask again in some seconds",
		"kgs_unavailable": "cannot be read, and asking again does not help"} {
		if codes := codesOf(at(m, name), at(m, name+"_count")); codes != "" {
			of = append(of, "The answer is not complete. The KGs "+codes+" "+why+".")
		}
	}
	slices.Sort(of)
	return of
}

// codesOf lists codes, the first ten of them; count is how many there are, where the list is cut.
func codesOf(v, count any) string {
	list, _ := v.([]any)
	all := len(list)
	if n, ok := count.(float64); ok {
		all = max(all, int(n))
	}
	var codes []string
	for _, c := range list[:min(len(list), 10)] {
		codes = append(codes, fmt.Sprint(c))
	}
	if more := all - len(codes); more > 0 && len(codes) > 0 {
		codes = append(codes, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(codes, ", ")
}

// priced is what estimates say of themselves, wherever the endpoint has put them.
func priced(body map[string]any) []string {
	of := unread(body)
	data := body["data"]
	if rows, ok := data.([]any); ok {
		for _, row := range rows {
			of = append(of, estimate(row)...)
		}
		return of
	}
	if e := at(data, "estimate"); e != nil {
		data = e
	}
	if len(estimate(data)) == 0 {
		return append(of, "There is no estimate for this place.")
	}
	return append(of, estimate(data)...)
}

// estimate is what one estimate says of itself.
func estimate(e any) (of []string) {
	if confidence := textOf(e, "confidence"); confidence != "" {
		of = append(of, "Confidence of the estimate: "+confidence+".")
	}
	notes, _ := at(e, "notes").([]any)
	for _, n := range notes {
		if s, ok := n.(string); ok {
			of = append(of, s)
		}
	}
	interval := at(e, "interval")
	low, high := at(interval, "low_eur_per_sqm"), at(interval, "high_eur_per_sqm")
	if low != nil && high != nil {
		of = append(of, fmt.Sprintf("The price lies between %v and %v EUR/m² (%s).", low, high, textOf(interval, "basis")))
	}
	if method := textOf(e, "baseline_method"); method != "" {
		of = append(of, fmt.Sprintf("The baseline is of %v, %s (source: %s).", at(e, "baseline_year"), method,
			textOf(e, "baseline_source")))
	}
	return of
}

// anomalies are the clock changes and other remarks of an expansion.
func anomalies(body map[string]any) (of []string) {
	results, _ := body["results"].([]any)
	for _, r := range results {
		list, _ := at(r, "anomalies").([]any)
		for _, a := range list {
			sentence := textOf(a, "type")
			if local := textOf(a, "local"); local != "" {
				sentence += " at " + local
			}
			if chosen := textOf(a, "chosen_utc"); chosen != "" {
				sentence += ", taken as " + chosen
			}
			of = append(of, sentence+".")
		}
		if cut, _ := at(r, "truncated").(bool); cut {
			of = append(of, "The rule has more occurrences than a preview lists.")
		}
	}
	return of
}
