package source

import (
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/exif"
)

// Picture is the first picture of a manuscript.
func Picture(b []byte, l Limits) (m manuscript.Image, fault string) {
	return NewPictures(l).picture(b, exif.Pose{})
}
