// Package line breaks paragraphs into lines as Knuth and Plass do: all breaks of a paragraph are chosen
// together, so that spaces are as even as they can be. It shapes words, knows where they may be divided,
// lets punctuation and hyphens hang a little over the edges, and gives letters at most 2 % more or less
// room before it touches the spaces further. It makes lines; package layout puts them on pages.
//
// All lengths are integers of 1/1000 point and all costs are integers, so that a book breaks alike on
// every processor.
//
//	text pieces ──shape──▶ items (box, glue, penalty) ──Break──▶ breaks ──set──▶ lines of glyph runs
package line

import "mappe/shared/book/layout/page"

// Unit is a length of 1/1000 point.
type Unit = page.Unit
