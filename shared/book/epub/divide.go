package epub

import (
	"fmt"

	"mappe/shared/book/manuscript"
)

// MaxPage is how many bytes a page of XHTML has at most, unless one block alone has more: readers built on
// older engines give up above 300 kB, and every one turns long pages slowly.
const MaxPage = 240_000

// piece is a page of a section: its blocks from up to to.
type piece struct {
	path     string
	from, to int
}

// divide names the pages of a section.
func (k *book) divide(section int) {
	name := fmt.Sprintf("s%03d", section+1)
	k.files[section] = name + ".xhtml"
	blocks := k.src.Sections[section].Blocks
	bytes := make([]int, len(blocks))
	w := walk{note: -1, seen: map[int]bool{}}
	for i := range blocks {
		before := w.bytes
		k.visitBlocks(&w, blocks[i:i+1])
		bytes[i] = w.bytes - before
	}
	for _, p := range k.starts[section] {
		if p.Block >= 0 && p.Block < len(bytes) {
			bytes[p.Block] += bytesOfRef
		}
	}
	from := 0
	for n, to := range divided(blocks, bytes, MaxPage) {
		path := k.files[section]
		if n > 0 {
			path = fmt.Sprintf("%s-%d.xhtml", name, n+1)
		}
		k.pieces[section] = append(k.pieces[section], piece{path, from, to})
		from = to
	}
}

// divided gives the ends of the pages of blocks, at least one: pages of about the same length and at most
// limit bytes.
func divided(blocks []manuscript.Block, bytes []int, limit int) (ends []int) {
	rest := 0
	for _, n := range bytes {
		rest += n
	}
	for from := 0; rest > limit; {
		end := border(blocks, bytes, from, rest, limit)
		if end == len(blocks) {
			break
		}
		ends = append(ends, end)
		for ; from < end; from++ {
			rest -= bytes[from]
		}
	}
	return append(ends, len(blocks))
}

// border finds where to end a page that begins with block from, where rest bytes are left: rather in front
// of a heading, the higher the better, then as near as it goes to an even share of the rest. No page ends
// with a heading.
func border(blocks []manuscript.Block, bytes []int, from, rest, limit int) int {
	share := rest / ((rest + limit - 1) / limit)
	best, level, away := len(blocks), 0, 0
	sum := 0
	for i := from + 1; i < len(blocks); i++ {
		sum += bytes[i-1]
		if heading(blocks[i-1]) > 0 {
			continue
		}
		if sum > limit && best < len(blocks) {
			break
		}
		h, d := heading(blocks[i]), max(sum-share, share-sum)
		if d > share/2 {
			h = 0
		}
		if best == len(blocks) || h > level || h == level && d < away {
			best, level, away = i, h, d
		}
		if sum > limit { // a block alone
			break
		}
	}
	return best
}

// heading is how high a heading stands, 0 for other blocks.
func heading(b manuscript.Block) int {
	if h, ok := b.(*manuscript.Heading); ok {
		return 10 - min(max(h.Level, 1), 9)
	}
	return 0
}

// divideNotes names the pages of the notes that stand at the end of the book: each note is on one of them,
// wherever it is referred to.
func (k *book) divideNotes() {
	sum := 0
	k.noteFiles = make([]string, len(k.src.Notes))
	for i := range k.src.Notes {
		if k.foot(&k.src.Notes[i]) {
			continue
		}
		w := walk{note: -1, seen: map[int]bool{i: true}, bytes: bytesOfNote}
		k.visitBlocks(&w, k.src.Notes[i].Blocks)
		if sum += w.bytes; sum > MaxPage && sum > w.bytes || len(k.notePages) == 0 {
			path := notesPath
			if len(k.notePages) > 0 {
				path = fmt.Sprintf("notes-%d.xhtml", len(k.notePages)+1)
			}
			k.notePages = append(k.notePages, path)
			sum = w.bytes
		}
		k.noteFiles[i] = k.notePages[len(k.notePages)-1]
	}
}
