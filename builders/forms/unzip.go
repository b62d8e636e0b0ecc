package forms

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// maxText bounds an unpacked GeoJSON: the largest KG takes about 40 MB.
const maxText = 1 << 30

func unzip(b []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("unpacks to more than %d bytes", maxText)
	}
	return text, err
}
