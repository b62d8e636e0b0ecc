package source

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // pictures are measured by their headers
	_ "image/jpeg"
	_ "image/png"
	"path"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/exif"
)

// Pictures gathers the pictures of a manuscript, each once.
type Pictures struct {
	Images []manuscript.Image
	byName map[string]int
	faults map[string]string
	limits Limits
	pixels int // of the pictures that were decoded
}

// NewPictures makes an empty collection.
func NewPictures(l Limits) *Pictures {
	return &Pictures{byName: map[string]int{}, faults: map[string]string{}, limits: l}
}

// Add takes a picture in and gives its index; -1 with a fault, a half sentence for people, where it
// cannot be used. load is called once per name.
func (p *Pictures) Add(name string, load func() ([]byte, error)) (index int, fault string) {
	return p.AddPosed(name, exif.Pose{}, load)
}

// AddPosed is Add for a picture that is shown cut, mirrored or turned. load is called once per name and pose.
func (p *Pictures) AddPosed(name string, pose exif.Pose, load func() ([]byte, error)) (index int, fault string) {
	key := name
	if pose != (exif.Pose{}) {
		key = fmt.Sprint(name, "\x00", pose)
	}
	if i, ok := p.byName[key]; ok {
		return i, p.faults[key]
	}
	i, fault := p.add(name, pose, load)
	p.byName[key], p.faults[key] = i, fault
	return i, fault
}

// together bounds the pixels of all pictures, in pictures of the largest size: two hundred and fifty photographs of
// twelve megapixels.
const together = 50

func (p *Pictures) add(name string, pose exif.Pose, load func() ([]byte, error)) (int, string) {
	b, err := load()
	switch {
	case err != nil:
		return -1, err.Error()
	case len(b) == 0:
		return -1, "the file does not hold the picture"
	}
	m, fault := p.picture(b, pose)
	if fault != "" {
		return -1, fault
	}
	m.Name = path.Base(name)
	p.Images = append(p.Images, m)
	return len(p.Images) - 1, ""
}

// picture measures a picture by its header and puts it upright; fault says why it cannot be used.
func (p *Pictures) picture(b []byte, pose exif.Pose) (m manuscript.Image, fault string) {
	l := p.limits
	c, format, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		if kind := otherPicture(b); kind != "" {
			return m, "a picture of the kind " + kind + " cannot be printed; save it as PNG or JPEG"
		}
		return m, "the picture is broken"
	}
	if c.Width <= 0 || c.Height <= 0 || c.Width > l.Side || c.Height > l.Side || c.Width > l.Pixels/c.Height {
		return m, fmt.Sprintf("the picture of %d by %d pixels is larger than %d megapixels or %d pixels a side", c.Width, c.Height,
			l.Pixels/1_000_000, l.Side)
	}
	if !whole(b, format) {
		return m, "the picture is cut off"
	}
	if p.pixels += c.Width * c.Height; p.pixels > together*l.Pixels {
		return m, fmt.Sprintf("the pictures have more than %d megapixels together", together*l.Pixels/1_000_000)
	}
	grey := gray(c.ColorModel) || format == "png" && grayAlpha(b)
	if pose != (exif.Pose{}) || exif.Lies(b) {
		if b, err = exif.Show(b, pose); err == nil {
			c, format, err = image.DecodeConfig(bytes.NewReader(b))
		}
	} else {
		// The press decodes it too: what it cannot decode is told here.
		_, _, err = image.Decode(bytes.NewReader(b))
	}
	if err != nil {
		return m, "the picture is broken"
	}
	return manuscript.Image{MediaType: "image/" + format, Bytes: b, Width: c.Width, Height: c.Height, Gray: grey}, ""
}

// grayAlpha says whether a PNG holds greys with transparency, which are decoded as colours.
func grayAlpha(b []byte) bool {
	const kind, greyAlpha = 25, 4 // of the colours, in the header
	return len(b) > kind && b[kind] == greyAlpha
}

// whole says whether the end of a picture is there, without decoding it.
func whole(b []byte, format string) bool {
	switch format {
	case "jpeg":
		// The segments before the first scan may hold a picture of their own, with an end.
		for at := 2; at+4 <= len(b) && b[at] == 0xff; {
			if b[at+1] == 0xff {
				at++ // filling
				continue
			}
			if b[at+1] == 0xda {
				return bytes.Contains(b[at:], []byte{0xff, 0xd9})
			}
			at += 2 + int(binary.BigEndian.Uint16(b[at+2:]))
		}
		return false
	case "png":
		for at := 8; at+12 <= len(b); {
			n := int(binary.BigEndian.Uint32(b[at:]))
			if n < 0 || n > len(b)-at-12 {
				return false
			}
			if string(b[at+4:at+8]) == "IEND" {
				return true
			}
			at += 12 + n
		}
		return false
	}
	return true
}

func gray(m color.Model) bool {
	switch m := m.(type) {
	case color.Palette:
		for _, c := range m {
			if r, g, b, _ := c.RGBA(); r != g || g != b {
				return false
			}
		}
		return true
	default:
		return m == color.GrayModel || m == color.Gray16Model
	}
}

// otherPicture knows the kinds of pictures that word processors embed and presses do not take.
func otherPicture(b []byte) string {
	at := func(i int, s string) bool { return len(b) >= i+len(s) && string(b[i:i+len(s)]) == s }
	switch {
	case at(0, "\xd7\xcd\xc6\x9a"), at(0, "\x01\x00\x09\x00"), at(0, "\x02\x00\x09\x00"):
		return "WMF"
	case at(0, "\x01\x00\x00\x00") && at(40, " EMF"):
		return "EMF"
	case at(0, "II*\x00"), at(0, "MM\x00*"):
		return "TIFF"
	case at(0, "BM"):
		return "BMP"
	case at(0, "RIFF") && at(8, "WEBP"):
		return "WebP"
	case at(0, "%!PS"), at(0, "\xc5\xd0\xd3\xc6"):
		return "EPS"
	case at(0, "%PDF"):
		return "PDF"
	case at(4, "ftypheic"), at(4, "ftypmif1"), at(4, "ftypavif"):
		return "HEIC"
	case bytes.Contains(b[:min(len(b), 1024)], []byte("<svg")):
		return "SVG"
	}
	return ""
}
