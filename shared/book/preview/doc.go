// Package preview draws the pages of a page.Book as SVG, each page a picture complete in itself: glyphs
// as outlines of the fonts, each outline once a page; no font, style, script or address from elsewhere.
// Pack puts all pages of a proof, compressed, into one object beside a contents list, so that a page is
// one ranged read away and nothing of the press is needed to show it. Package press's callers store both.
//
//	page.Book ──Draw──▶ one SVG          page.Book ──Pack──▶ List (JSON) + pages, gzip, end to end
//
// The same book gives the same bytes.
package preview
