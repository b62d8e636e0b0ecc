package reader

import (
	"mappe/shared/book/reader/census"
	"mappe/shared/book/reader/plain"
	"mappe/shared/book/reader/source"
)

// Census gives the text of a manuscript passage by passage, found in another way than Read finds it.
func Census(name string, b []byte, l Limits) ([]census.Passage, error) {
	l = l.WithDefaults()
	format, err := Sniff(name, b)
	if err != nil {
		return nil, err
	}
	switch format {
	case DOCX:
		return census.DOCX(b, l)
	case ODT:
		return census.ODT(b, l)
	case EPUB:
		return census.EPUB(b, l)
	case HTML:
		return census.HTML(b, l)
	}
	text, ok := plain.Decode(b)
	switch {
	case !ok:
		return nil, source.Refuse(source.Unknown, "The file is no text.")
	case format == Markdown:
		return census.Markdown(text), nil
	}
	return census.Plain(text), nil
}
