package format

// WriteNDJSON writes one JSON object a line.
func WriteNDJSON(b *Buffer, l *Layout, rows Seq) error {
	j := NewJSON(b, false)
	for r, err := range rows {
		if err == nil {
			err = b.err
		}
		if err != nil {
			return err
		}
		j.Row(r, l)
		j.line()
	}
	return b.err
}

// WriteGeoJSONSeq writes one feature a line, each after a record separator (RFC 8142).
func WriteGeoJSONSeq(b *Buffer, l *Layout, rows Seq) error {
	j := NewJSON(b, false)
	for r, err := range rows {
		if err == nil {
			err = b.err
		}
		if err != nil {
			return err
		}
		b.b = append(b.b, 0x1e)
		j.Feature(r, l)
		j.line()
	}
	return b.err
}

// line ends a document of a sequence.
func (j *JSON) line() {
	j.comma = false
	j.b = append(j.b, '\n')
}
