package epub

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io"
	"time"
)

const container = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`

// pack writes the archive. Sizes stand in the local headers and there are no extra fields, as the first
// entry has to have it and old readers like it.
func (k *book) pack(w io.Writer) error {
	z := zip.NewWriter(w)
	write := func(name string, body []byte, stored bool) error {
		h := &zip.FileHeader{Name: name, CRC32: crc32.ChecksumIEEE(body), UncompressedSize64: uint64(len(body)), Method: zip.Store}
		dos(h, k.opt.Created)
		if !stored {
			var packed bytes.Buffer
			f, err := flate.NewWriter(&packed, flate.DefaultCompression)
			if err != nil {
				return err
			}
			f.Write(body) // a buffer takes everything
			f.Close()
			if packed.Len() < len(body) {
				h.Method, body = zip.Deflate, packed.Bytes()
			}
		}
		h.CompressedSize64 = uint64(len(body))
		e, err := z.CreateRaw(h)
		if err != nil {
			return err
		}
		_, err = e.Write(body)
		return err
	}
	if err := write("mimetype", []byte("application/epub+zip"), true); err != nil {
		return err
	}
	if err := write("META-INF/container.xml", []byte(container), false); err != nil {
		return err
	}
	for _, i := range k.items {
		if err := write("EPUB/"+i.path, i.body, i.stored); err != nil {
			return err
		}
	}
	return z.Close()
}

// dos writes the date of a file as zip keeps it: from 1980 on, two seconds fine.
func dos(h *zip.FileHeader, t time.Time) {
	t = t.UTC()
	if t.Year() < 1980 || t.Year() > 2107 {
		t = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	//lint:ignore SA1019 Modified would add an extra field, which the first entry must not have
	h.ModifiedDate = uint16(t.Day() + int(t.Month())<<5 + (t.Year()-1980)<<9)
	//lint:ignore SA1019 see above
	h.ModifiedTime = uint16(t.Second()/2 + t.Minute()<<5 + t.Hour()<<11)
}
