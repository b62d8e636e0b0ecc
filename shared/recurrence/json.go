package recurrence

import (
	"encoding/json"
	"runtime"
	"strconv"
)

func goVersion() string { return runtime.Version() }

// AppendJSON appends the response's JSON, byte for byte what encoding/json gives for it, without its
// reflection: 12,500 occurrences are written in every full answer.
func (r Response) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"results":[`...)
	for i := range r.Results {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.Results[i].appendJSON(dst)
	}
	dst = append(dst, `],"total_occurrences":`...)
	dst = strconv.AppendInt(dst, int64(r.TotalOccurrences), 10)
	dst = append(dst, `,"meta":`...)
	dst = appendAny(dst, r.Meta)
	return append(dst, '}')
}

func (r *Result) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if r.ID != "" {
		dst = append(appendAny(append(dst, `"id":`...), r.ID), ',')
	}
	dst = appendAny(append(dst, `"tz":`...), r.TZ)
	dst = appendAny(append(dst, `,"kind":`...), r.Kind)
	dst = strconv.AppendInt(append(dst, `,"count":`...), int64(r.Count), 10)
	dst = strconv.AppendBool(append(dst, `,"crosses_dst_transition":`...), r.CrossesDST)
	if r.Truncated {
		dst = append(dst, `,"truncated":true`...)
	}
	dst = append(dst, `,"anomalies":[`...)
	for i := range r.Anomalies {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.Anomalies[i].appendJSON(dst)
	}
	dst = append(dst, `],"occurrences":[`...)
	var date dateText
	for i := range r.Occurrences {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.Occurrences[i].appendJSON(dst, &date)
	}
	return append(dst, ']', '}')
}

// dateText remembers the text of the date last written: neighbours often share it.
type dateText struct {
	day  int64
	text []byte // YYYY-MM-DDT
}

func (d *dateText) append(dst []byte, w Wall) []byte {
	day := floorDiv(int64(w), secondsPerDay)
	if d.text == nil || d.day != day {
		d.day = day
		d.text = Wall(day * secondsPerDay).append(d.text[:0])[:11]
	}
	s := int64(w) - day*secondsPerDay
	h, m, s := s/3600, s/60%60, s%60
	dst = append(dst, d.text...)
	return append(dst, byte('0'+h/10), byte('0'+h%10), ':', byte('0'+m/10), byte('0'+m%10), ':', byte('0'+s/10), byte('0'+s%10))
}

func (o *Occurrence) appendJSON(dst []byte, date *dateText) []byte {
	dst = date.append(append(dst, `{"local":"`...), o.Local)
	dst = date.append(append(dst, `","utc":"`...), Wall(o.UTC))
	dst = o.UTCOffset.append(append(dst, `Z","utc_offset":"`...))
	if o.IsDST {
		dst = append(dst, `","is_dst":true,"flags":[`...)
	} else {
		dst = append(dst, `","is_dst":false,"flags":[`...)
	}
	for i, f := range o.Flags {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), f...), '"')
	}
	return append(dst, ']', '}')
}

func (a *Anomaly) appendJSON(dst []byte) []byte {
	dst = append(append(append(dst, `{"type":"`...), a.Type...), '"')
	instant := func(i Instant) { dst = append(Wall(i).append(append(dst, '"')), 'Z', '"') }
	if a.Local != nil {
		dst = append(a.Local.append(append(dst, `,"local":"`...)), '"')
	}
	if a.TransitionUTC != nil {
		dst = append(dst, `,"transition_utc":`...)
		instant(*a.TransitionUTC)
	}
	if a.OffsetBefore != nil {
		dst = append(a.OffsetBefore.append(append(dst, `,"offset_before":"`...)), '"')
	}
	if a.OffsetAfter != nil {
		dst = append(a.OffsetAfter.append(append(dst, `,"offset_after":"`...)), '"')
	}
	if a.ChosenUTC != nil {
		dst = append(dst, `,"chosen_utc":`...)
		instant(*a.ChosenUTC)
	}
	if len(a.Alternatives) > 0 {
		dst = append(dst, `,"alternatives_utc":[`...)
		for i, v := range a.Alternatives {
			if i > 0 {
				dst = append(dst, ',')
			}
			instant(v)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// appendAny appends what encoding/json gives for a value of strings, which it never refuses.
func appendAny(dst []byte, v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("recurrence: " + err.Error())
	}
	return append(dst, b...)
}
