package preview

import (
	"bytes"
	"fmt"
	"github.com/klauspost/compress/gzip"
	"io"

	"mappe/shared/book/layout/page"
)

// List says what pages there are and where each lies in the packed pages.
type List struct {
	WidthPt  float64 `json:"width_pt" doc:"of the trimmed page, in points of 1/72 inch"`
	HeightPt float64 `json:"height_pt" doc:"of the trimmed page"`
	Pages    []Item  `json:"pages" doc:"in order; the first is a right-hand page"`
}

// Item is a page of a List.
type Item struct {
	Folio  string `json:"folio" doc:"the page number as printed or as it would be"`
	Blank  bool   `json:"blank,omitempty" doc:"nothing stands on the page"`
	Offset int64  `json:"offset" doc:"of the page in the packed pages, bytes"`
	Size   int64  `json:"size" doc:"of the page packed: an SVG document in one gzip member"`
}

// Pack writes every page, each a gzip member, end to end.
func Pack(w io.Writer, b *page.Book) (List, error) {
	list := List{WidthPt: float64(b.Width) / 1000, HeightPt: float64(b.Height) / 1000, Pages: make([]Item, len(b.Pages))}
	d, err := NewDrawer(b)
	if err != nil {
		return List{}, err
	}
	var svg []byte
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return List{}, err
	}
	var at int64
	for i := range b.Pages {
		if svg, err = d.Draw(svg[:0], i); err != nil {
			return List{}, err
		}
		packed.Reset()
		z.Reset(&packed)
		if _, err := z.Write(svg); err != nil {
			return List{}, err
		}
		if err := z.Close(); err != nil {
			return List{}, err
		}
		n, err := w.Write(packed.Bytes())
		if err != nil {
			return List{}, fmt.Errorf("preview: page %d: %w", i+1, err)
		}
		list.Pages[i] = Item{Folio: b.Pages[i].Folio, Blank: b.Pages[i].Blank, Offset: at, Size: int64(n)}
		at += int64(n)
	}
	return list, nil
}
