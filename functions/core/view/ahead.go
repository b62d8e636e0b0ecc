package view

import (
	"context"

	"mappe/artefacts/library"
	"mappe/shared/austria"
)

// Width bounds the KG objects read at once by one request.
const Width = 8

// Ahead has the KG files of a list read a few places before they are asked for, so that a search over many
// KGs waits for the store once and not for each. The library joins the two reads of a file.
type Ahead struct {
	v     *View
	codes []austria.KGCode
	asked int // files asked for so far
	begun int // files whose read has begun
}

// Ahead reads the files of these KGs in advance; they are asked for in this order.
func (v *View) Ahead(codes []austria.KGCode) *Ahead { return &Ahead{v: v, codes: codes} }

// Next says that the next file of the list is asked for now.
func (a *Ahead) Next(ctx context.Context) {
	for ; a.begun < len(a.codes) && a.begun < a.asked+Width; a.begun++ {
		if code := a.codes[a.begun]; a.begun > a.asked && !a.v.InMemory(code) {
			go library.Guarded(func() error { // an error comes again when the file is asked for
				_, err := a.v.KG(ctx, code)
				return err
			})
		}
	}
	a.asked++
}
