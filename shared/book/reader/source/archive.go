package source

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"path"
	"strings"
)

// Archive is a zip whose parts are looked up by name and unpacked within the limits. Names are compared
// without case and with / for \; of two parts of one name the first counts. Nothing is written anywhere.
type Archive struct {
	files  map[string]*zip.File
	order  []string // names as written, in the order of the directory
	limits Limits
	spent  int // bytes unpacked so far
}

// alarmRatio and alarmSize make the alarm of a bomb: text packs to a tenth, and seldom to a fiftieth.
const (
	alarmRatio = 400
	alarmSize  = 8 << 20
)

// OpenArchive reads the directory of a zip.
func OpenArchive(b []byte, l Limits) (*Archive, error) {
	// A directory is counted before it is read: its records take far more memory than bytes.
	if n := bytes.Count(b, []byte("PK\x01\x02")); n > l.Entries {
		return nil, Refuse(TooComplex, "The file is an archive of more than %d parts. Save it anew from your word processor.", l.Entries)
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, Refuse(Broken, "The file is damaged: it begins like a document but its end is missing or unreadable. Save it again and upload the new copy.")
	}
	a := &Archive{files: make(map[string]*zip.File, len(z.File)), limits: l}
	for _, f := range z.File {
		key := partKey(f.Name)
		if _, twice := a.files[key]; !twice {
			a.files[key] = f
			a.order = append(a.order, f.Name)
		}
	}
	return a, nil
}

func partKey(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
}

// Names are the names of all parts, in the order of the directory.
func (a *Archive) Names() []string { return a.order }

// Has says whether there is such a part.
func (a *Archive) Has(name string) bool {
	_, ok := a.files[partKey(name)]
	return ok
}

// Part unpacks a part. A missing part is nil and no error.
func (a *Archive) Part(name string) ([]byte, error) {
	f := a.files[partKey(name)]
	if f == nil {
		return nil, nil
	}
	if f.Flags&1 != 0 {
		return nil, Refuse(Encrypted, "The file is protected by a password. Remove the password and upload it again.")
	}
	limit := min(a.limits.Part, a.limits.Total-a.spent)
	tooLarge := Refuse(TooLarge, "The file unpacks to more than %s (the part %q). Leave out what is not text or save it anew.", Size(limit),
		path.Base(partKey(name)))
	if f.UncompressedSize64 > uint64(limit) {
		return nil, tooLarge
	}
	if f.CompressedSize64 > uint64(a.limits.File) {
		return nil, broken(name)
	}
	if f.UncompressedSize64 > alarmSize && f.UncompressedSize64/alarmRatio > f.CompressedSize64 {
		return nil, Refuse(TooLarge, "The part %q of the file unpacks to %d times its size, which no text does. Save the file anew from your word processor.",
			path.Base(partKey(name)), alarmRatio)
	}
	r, err := f.Open()
	if err != nil {
		return nil, broken(name)
	}
	defer r.Close()
	// The size in the directory is a hint for the first allocation only, and bounded by what the bytes can give.
	hint := min(int(f.UncompressedSize64), limit, int(f.CompressedSize64)*64+512)
	buf := bytes.NewBuffer(make([]byte, 0, hint+bytes.MinRead))
	if _, err := buf.ReadFrom(io.LimitReader(r, int64(limit)+1)); err != nil {
		return nil, broken(name)
	}
	if buf.Len() > limit {
		return nil, tooLarge
	}
	a.spent += buf.Len()
	return buf.Bytes(), nil
}

func broken(name string) error {
	return Refuse(Broken, "The file is damaged: its part %q cannot be unpacked. Save it again and upload the new copy.",
		path.Base(partKey(name)))
}
