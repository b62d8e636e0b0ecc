package columns

import (
	"fmt"

	"mappe/artefacts/columns"
	"mappe/shared/cloud/spool"
)

// spooled keeps sections in a temporary file until they are written in the order of the artefact.
type spooled struct {
	file *spool.File
	size int64
	at   map[string]span
}

type span struct{ offset, length int64 }

func newSpool() (*spooled, error) {
	f, err := spool.NewFile("")
	return &spooled{file: f, at: map[string]span{}}, err
}

func (s *spooled) close() { s.file.Close() }

// add appends the sections of a district.
func (s *spooled) add(d *district) error {
	for _, g := range columns.AllGroups() {
		body := d.sections[g]
		if _, err := s.file.Write(body); err != nil {
			return fmt.Errorf("spool of sections: %w", err)
		}
		s.at[g.Section(d.part.District)] = span{s.size, int64(len(body))}
		s.size += int64(len(body))
	}
	return nil
}

func (s *spooled) read(name string) ([]byte, error) {
	at := s.at[name]
	body := make([]byte, at.length)
	if _, err := s.file.ReadAt(body, at.offset); err != nil {
		return nil, fmt.Errorf("spool of sections: %w", err)
	}
	return body, nil
}
