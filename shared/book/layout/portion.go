package layout

import (
	"strings"
	"unicode/utf8"

	"mappe/shared/book/layout/line"
)

// portion is how many letters of a paragraph are set at once, some 10,000 words. Choosing the lines of a paragraph
// together takes memory for every place where one may end; a text beyond that length is no paragraph that a reader
// sees as one.
const portion = 60_000

// portions cuts the pieces of a paragraph so that none of the parts is longer than portion: behind a space where
// one stands in the last tenth, else anywhere.
func portions(pieces []line.Piece) [][]line.Piece {
	total := 0
	for i := range pieces {
		total += len(pieces[i].Text)
	}
	if total <= portion {
		return [][]line.Piece{pieces}
	}
	var out [][]line.Piece
	var part []line.Piece
	room := portion
	for _, p := range pieces {
		for len(p.Text) > room {
			at := strings.LastIndexByte(p.Text[:room], ' ') + 1
			if at <= room-portion/10 {
				for at = room; at > 0 && !utf8.RuneStart(p.Text[at]); at-- {
				}
			}
			head := p
			head.Text, head.Break, p.Text, p.Mark = strings.TrimRight(p.Text[:at], " "), false, p.Text[at:], 0
			out, part, room = append(out, append(part, head)), nil, portion
		}
		part, room = append(part, p), room-len(p.Text)
	}
	return append(out, part)
}
