package odt

import "mappe/shared/book/reader/xmlpart"

const (
	office xmlpart.NS = iota + 1
	text
	style
	table
	draw
	fo
	svg
	xlink
	meta
	dc
	manifest
	none = xmlpart.None
)

var names = xmlpart.Names{
	"urn:oasis:names:tc:opendocument:xmlns:office:1.0":            office,
	"urn:oasis:names:tc:opendocument:xmlns:text:1.0":              text,
	"urn:oasis:names:tc:opendocument:xmlns:style:1.0":             style,
	"urn:oasis:names:tc:opendocument:xmlns:table:1.0":             table,
	"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0":           draw,
	"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0": fo,
	"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0":    svg,
	"http://www.w3.org/1999/xlink":                                xlink,
	"urn:oasis:names:tc:opendocument:xmlns:meta:1.0":              meta,
	"http://purl.org/dc/elements/1.1/":                            dc,
	"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0":          manifest,
}
