package epub

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // the formats of manuscript.Image
	_ "image/jpeg"
	_ "image/png"
)

// imageTypes are the formats that go into the book as they are.
var imageTypes = map[string]struct{ mediaType, end string }{
	"jpeg": {"image/jpeg", ".jpg"}, "png": {"image/png", ".png"}, "gif": {"image/gif", ".gif"},
}

// image gives the path of a picture of the manuscript and takes it into the book. A picture no reader could
// show has none; preflight has told the author.
func (k *book) image(n int) string {
	if n < 0 || n >= len(k.src.Images) {
		return ""
	}
	if path, ok := k.images[n]; ok {
		return path
	}
	path := ""
	b := k.src.Images[n].Bytes
	c, form, err := image.DecodeConfig(bytes.NewReader(b))
	if t, ok := imageTypes[form]; ok && err == nil && c.Width > 0 && c.Height > 0 {
		path = fmt.Sprintf("images/i%03d%s", n+1, t.end)
		k.items = append(k.items, item{id: fmt.Sprintf("i%03d", n+1), path: path, mediaType: t.mediaType, body: b, stored: true})
	}
	k.images[n] = path
	return path
}
