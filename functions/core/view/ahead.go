package view

import (
	"context"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/shared/austria"
)

// Width bounds the KG objects read at once by one request, MaxKGs all that it reads.
const (
	Width  = 8
	MaxKGs = 2048
)

// Ahead has the KG files of a list read a few places before they are asked for, so that a search over many
// KGs waits for the store once and not for each. The library joins the two reads of a file.
type Ahead struct {
	v     *View
	codes []austria.KGCode
	use   func(*kgfile.File) error
	asked int // files asked for so far
	begun int // files whose read has begun
}

// Ahead reads the files of these KGs in advance; they are asked for in this order.
func (v *View) Ahead(codes []austria.KGCode) *Ahead { return &Ahead{v: v, codes: codes} }

// Decoding has a part of each file decoded in advance too. What has to be decoded anyway is decoded on several processors so.
func (a *Ahead) Decoding(use func(*kgfile.File) error) *Ahead {
	a.use = use
	return a
}

// Parcels decodes the parcels of a file; they stay decoded.
func Parcels(f *kgfile.File) error {
	_, err := f.Parcels()
	return err
}

// Next says that the next file of the list is asked for now.
func (a *Ahead) Next(ctx context.Context) {
	for ; a.begun < len(a.codes) && a.begun < a.asked+Width; a.begun++ {
		if code := a.codes[a.begun]; a.begun > a.asked && !a.v.InMemory(code) {
			go library.Guarded(func() error { // an error comes again when the file is asked for
				f, err := a.v.KG(ctx, code)
				if err == nil && a.use != nil {
					err = a.use(f)
				}
				return err
			})
		}
	}
	a.asked++
}
