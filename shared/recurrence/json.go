package recurrence

import (
	"encoding/json"
	"runtime"
	"slices"
	"strconv"
)

func goVersion() string { return runtime.Version() }

// AppendJSON appends the response's JSON, byte for byte what encoding/json gives for it, without its
// reflection: 12,500 occurrences are written in every full answer.
func (r Response) AppendJSON(dst []byte) []byte {
	size := 512
	for i := range r.Results {
		size += 512 + 128*len(r.Results[i].Occurrences) + 280*len(r.Results[i].Anomalies)
	}
	dst = append(slices.Grow(dst, size), `{"results":[`...)
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
	dst = appendAny(append(dst, `,"tz_canonical":`...), r.TZCanonical)
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
	var line occurrenceLine
	for i := range r.Occurrences {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, line.of(&r.Occurrences[i])...)
	}
	return append(dst, ']', '}')
}

// occurrenceLine is the JSON of the occurrence last written. Neighbours differ in their times, and where
// they differ in nothing else only the times are written anew.
type occurrenceLine struct {
	text       []byte
	local, utc dateText
	offset     Offset
	dst, plain bool
}

func (l *occurrenceLine) of(o *Occurrence) []byte {
	if !l.plain || len(o.Flags) > 0 || o.UTCOffset != l.offset || o.IsDST != l.dst {
		l.begin(o)
	}
	l.local.write(o.Local)
	l.utc.write(Wall(o.UTC))
	return l.text
}

// begin writes all but the times.
func (l *occurrenceLine) begin(o *Occurrence) {
	const blank = "0000-00-00T00:00:00"
	const local, utc = len(`{"local":"`), len(`{"local":"`) + len(blank) + len(`","utc":"`)
	l.offset, l.dst, l.plain = o.UTCOffset, o.IsDST, len(o.Flags) == 0
	b := append(l.text[:0], `{"local":"`+blank+`","utc":"`+blank+`Z","utc_offset":"`...)
	b = strconv.AppendBool(append(o.UTCOffset.append(b), `","is_dst":`...), o.IsDST)
	b = append(b, `,"flags":[`...)
	for i, f := range o.Flags {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), f...), '"')
	}
	l.text = append(b, ']', '}')
	l.local = dateText{text: l.text[local : local+len(blank)]}
	l.utc = dateText{text: l.text[utc : utc+len(blank)]}
}

// dateText is a time that is written over and over: neighbours often share its date, or its month.
type dateText struct {
	text      []byte // YYYY-MM-DDTHH:MM:SS
	day, left int64  // left: days to the end of the month
	written   bool
}

func (d *dateText) write(w Wall) {
	day := floorDiv(int64(w), secondsPerDay)
	if day != d.day || !d.written {
		d.date(day)
	}
	s := uint32(int64(w) - day*secondsPerDay)
	d.two(11, s/3600)
	d.two(14, s/60%60)
	d.two(17, s%60)
}

func (d *dateText) two(at int, v uint32) { d.text[at], d.text[at+1] = byte('0'+v/10), byte('0'+v%10) }

// date writes the date, only its day where that is of the same month and later.
func (d *dateText) date(day int64) {
	ahead := day - d.day
	d.day = day
	if d.written && ahead > 0 && ahead <= d.left {
		d.left -= ahead
		d.two(8, uint32(d.text[8]-'0')*10+uint32(d.text[9]-'0')+uint32(ahead))
		return
	}
	year, month, dayOfMonth := civil(day)
	d.left, d.written = months(year)[month]-months(year)[month-1]-dayOfMonth, true
	d.two(0, uint32(year/100%100))
	d.two(2, uint32(year%100))
	d.two(5, uint32(month))
	d.two(8, uint32(dayOfMonth))
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
	if len(a.Parts) > 0 {
		dst = appendAny(append(dst, `,"parts":`...), a.Parts)
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
