package dir

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"mappe/shared/cloud/store"
)

// headersFile holds the headers of at most two versions of an object by ETag: the one that stands and
// the one about to replace it. It is written before the object is renamed into place.
type headersFile map[string]store.Headers

func (s *Store) headersPath(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(s.root, ".store", "headers", hex.EncodeToString(sum[:16])+".json")
}

func (s *Store) readHeaders(key string) (headersFile, error) {
	raw, err := os.ReadFile(s.headersPath(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("store: headers of %s: %w", key, err)
	}
	var file headersFile
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("store: headers of %s in %s: %w", key, s.headersPath(key), err)
	}
	return file, nil
}

// headers of the version with the ETag; settled is false when a headers file exists and does not know it.
func (s *Store) headers(key, etag string) (h store.Headers, settled bool, err error) {
	file, err := s.readHeaders(key)
	if err != nil {
		return h, false, err
	}
	if h, ok := file[etag]; ok {
		return h, true, nil
	}
	return store.Derived(key), file == nil, nil
}

// keepHeaders makes the headers of the coming version readable before its bytes are.
func (s *Store) keepHeaders(key, oldETag, newETag string, h store.Headers) error {
	old, err := s.readHeaders(key)
	if err != nil {
		return err
	}
	if old == nil && h == store.Derived(key) {
		return nil
	}
	file := headersFile{newETag: h}
	if kept, ok := old[oldETag]; ok && oldETag != newETag {
		file[oldETag] = kept
	} else if oldETag != "" && oldETag != newETag {
		file[oldETag] = store.Derived(key)
	}
	raw, err := json.Marshal(file)
	if err != nil {
		return fmt.Errorf("store: headers of %s: %w", key, err)
	}
	return s.publish(s.headersPath(key), raw)
}
