package odt

import (
	"fmt"
	"testing"

	"mappe/shared/book/reader/source"
)

// framed is a paragraph with a picture of 60 by 30 millimetres.
func framed(how string) string {
	return `<text:p><draw:frame ` + how +
		` svg:width="6cm" svg:height="3cm"><draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p>`
}

// TestPicturesAreCutAndTurned: what is set has the pixels that are shown. The picture is four by three pixels, of
// which 96 are an inch.
func TestPicturesAreCutAndTurned(t *testing.T) {
	for how, want := range map[string]string{
		"":                                    "4 3",
		`draw:transform="rotate (1.5707963)"`: "3 4",
		`draw:transform="rotate (3.1415927)" draw:style-name="G1"`:      "2 2",
		`draw:transform="rotate(1.5707963)" draw:style-name="G2"`:       "3 4",
		`draw:transform="skewX (1)" draw:style-name="G3"`:               "4 3",
		`draw:transform="translate (1cm 2cm) rotate (what"`:             "4 3",
		`draw:style-name="G1" draw:transform="rotate (-1.5707963) x()"`: "2 2",
	} {
		b, _, err := Read(someText(framed(how)), source.Default())
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(b.Images[0].Width, b.Images[0].Height); got != want {
			t.Errorf("%s: %s, want %s", how, got, want)
		}
	}
}
