package drawn

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"mappe/shared/web/fault"
)

// maxUnpacked bounds what the shapefiles of a body unpack to: coordinates shrink by much, attributes by more.
const maxUnpacked = 8 * MaxBytes

// archive reads the documents of a KMZ and the shapefiles of a ZIP.
func (in *reading) archive(b []byte, depth int) error {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return fault.New(fault.BadBody, "the archive cannot be read").Because(err)
	}
	read, documents := 0, int64(0)
	for _, f := range z.File {
		if hidden(f.Name) {
			continue
		}
		ok, err := in.document(f, &documents, depth)
		if err != nil {
			return err
		}
		if ok {
			read++
		}
	}
	n, err := in.shapefiles(z)
	if err == nil && read+n == 0 {
		err = fault.New(fault.BadBody, "the archive holds no shapefile, KML, GeoJSON, GPX, WKT or GeoPackage")
	}
	return err
}

// document reads a file of an archive that is whole in itself; false for other files. Archives of shapefiles and
// programs hold .json files of their own, which are passed over.
func (in *reading) document(f *zip.File, used *int64, depth int) (bool, error) {
	ext := strings.ToLower(path.Ext(f.Name))
	limit := int64(MaxBytes)
	switch ext {
	case ".kml", ".geojson", ".json", ".geojsonl", ".geojsons", ".geojsonseq", ".ndjson", ".gpx", ".wkt":
	case ".gpkg":
		used, limit = &in.unpacked, maxUnpacked
	default:
		return false, nil
	}
	content, err := unpack(f, used, limit)
	if err != nil {
		return false, err
	}
	if ext == ".json" && !isGeoJSON(content) {
		return false, nil
	}
	err = in.body(content, depth+1)
	var known *fault.Fault
	if errors.As(err, &known) {
		known.Message = fmt.Sprintf("%.80q in the archive: %s", f.Name, known.Message)
	}
	return true, err
}

// hidden says whether a file is what macOS puts beside each file of an archive.
func hidden(name string) bool {
	return strings.HasPrefix(path.Base(name), "._") || strings.HasPrefix(name, "__MACOSX/")
}

// unpack is a file of an archive; its length counts against a limit that files share.
func unpack(f *zip.File, used *int64, limit int64) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, unreadable(f, err)
	}
	content, err := io.ReadAll(&unpacking{r, used, limit}) // what it says of its length is not believed
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, unreadable(f, err)
	}
	return content, nil
}

// unreadable is the fault of a file of an archive.
func unreadable(f *zip.File, err error) error {
	var known *fault.Fault
	if errors.As(err, &known) {
		return known
	}
	return fault.New(fault.BadBody, "%.80q in the archive cannot be read", f.Name).Because(err)
}

// unpacking reads a file of an archive until the limit that files share is reached.
type unpacking struct {
	from  io.Reader
	used  *int64
	limit int64
}

func (u *unpacking) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	if *u.used += int64(n); *u.used > u.limit {
		return 0, fault.New(fault.TooLarge, "the archive unpacks to more than %d MB", u.limit>>20)
	}
	return n, err
}
