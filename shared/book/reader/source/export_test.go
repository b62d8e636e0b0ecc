package source

import (
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/upright"
)

// Picture is the first picture of a manuscript.
func Picture(b []byte, l Limits) (m manuscript.Image, fault string) {
	return NewPictures(l).picture(b, upright.Pose{})
}
