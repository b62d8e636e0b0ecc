package exif

import (
	"bytes"
	"image"
	"image/color"
	_ "image/gif" // is written anew as PNG
	"image/jpeg"
	"image/png"
	"math"
)

// Pose is how a word processor shows a picture that its file holds otherwise: what is cut off at each side of the
// stored picture, then mirrored, then turned.
type Pose struct {
	Left, Top, Right, Bottom int  // of Whole
	Mirror, Flip             bool // left to right, top to bottom
	Quarters                 int  // turned clockwise, 0 to 3
}

// Whole is the width and the height that a pose cuts from.
const Whole = 100_000

// Quarters takes an angle clockwise for the next quarter turns; angle is the whole of it where it is no quarter.
func Quarters(degrees float64) (quarters, angle int) {
	if !(math.Abs(degrees) < 1e6) {
		return 0, 0
	}
	degrees = math.Mod(math.Mod(degrees, 360)+360, 360)
	next := math.Round(degrees / 90)
	if math.Abs(degrees-90*next) >= 1 {
		angle = int(math.Round(degrees))
	}
	return int(next) % 4, angle
}

// turn is what a pose does after cutting.
func (p Pose) turn() turn {
	switch p.Quarters {
	case 1:
		return turn{p.Mirror, !p.Flip, true}
	case 2:
		return turn{!p.Mirror, !p.Flip, false}
	case 3:
		return turn{!p.Mirror, p.Flip, true}
	}
	return turn{p.Mirror, p.Flip, false}
}

// Show gives the picture as it is shown, a JPEG as JPEG and others as PNG. A word processor that turns a
// photograph by its EXIF data when it is put in states that turn in the pose and leaves the data where they are:
// they count only where the pose turns nothing. The caller has bounded the pixels.
func Show(b []byte, p Pose) ([]byte, error) {
	m, format, err := image.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	t := p.turn()
	if t == (turn{}) && format == "jpeg" {
		t = turns[orientation(b)]
	}
	if m = p.cut(m); t != (turn{}) {
		m = t.picture(m)
	}
	var out bytes.Buffer
	if format == "jpeg" {
		err = jpeg.Encode(&out, m, &jpeg.Options{Quality: Quality})
	} else {
		err = png.Encode(&out, m)
	}
	return out.Bytes(), err
}

// cut leaves the part that is shown; all of it where nothing would be left.
func (p Pose) cut(m image.Image) image.Image {
	r := m.Bounds()
	at := func(from, size, share int) int { return from + int((int64(size)*int64(share)+Whole/2)/Whole) }
	shown := image.Rect(at(r.Min.X, r.Dx(), p.Left), at(r.Min.Y, r.Dy(), p.Top), at(r.Min.X, r.Dx(), Whole-p.Right),
		at(r.Min.Y, r.Dy(), Whole-p.Bottom))
	if p.Left+p.Right >= Whole || p.Top+p.Bottom >= Whole || shown.Empty() || shown == r {
		return m
	}
	if m.ColorModel() == color.YCbCrModel {
		// Samples of colour stand for up to four by two of brightness; the cut does not part them.
		shown.Min.X -= (shown.Min.X - r.Min.X) % 4
		shown.Min.Y -= (shown.Min.Y - r.Min.Y) % 2
	}
	if s, ok := m.(interface {
		SubImage(image.Rectangle) image.Image
	}); ok {
		return s.SubImage(shown)
	}
	return m
}
