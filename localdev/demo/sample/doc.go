// Package sample makes up manuscripts: English and German books of any length, in prose of an own
// vocabulary and grammar, with faults planted where a test or a demonstration wants them and the truth
// about each beside the text. It writes them as the files authors send (DOCX, ODT, EPUB, Markdown, plain
// text). It owns no rule of what a fault is; it only knows what it has done to the text.
//
// The same options give the same book and the same bytes.
package sample

// dice is a stream of numbers that depends on its seed alone (splitmix64).
type dice struct{ state uint64 }

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// n is a number from 0 to below limit.
func (d *dice) n(limit int) int { return int(d.next() % uint64(limit)) }

// between is a number from low to high.
func (d *dice) between(low, high int) int { return low + d.n(high-low+1) }

// chance is true in so many of a hundred cases.
func (d *dice) chance(percent int) bool { return d.n(100) < percent }

func pick[T any](d *dice, from []T) T { return from[d.n(len(from))] }
