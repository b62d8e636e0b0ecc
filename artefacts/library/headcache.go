package library

import (
	"context"

	"mappe/artefacts/headcache"
)

var headsDecoder = Decoder[map[string]headcache.Front]{Limit: headcache.MaxFile, Decode: func(body []byte) (
	map[string]headcache.Front, int64, error) {
	all, err := headcache.Decode(body)
	cost := int64(0)
	for key, f := range all {
		cost += int64(len(key)+len(f.Bytes)) + entryBytes
	}
	return all, cost, err
}}

// begun is the beginning of an object as the generation's head cache has it, and the size of the object; nil
// where it does not stand there. Why the head cache cannot be read is not told: then the object itself is.
func (v *View) begun(ctx context.Context, key string) ([]byte, int64) {
	if !v.beginsThere(key) {
		return nil, 0
	}
	of, ok := v.Artefact(headcache.Artefact)
	if !ok {
		return nil, 0
	}
	all, err := Get(ctx, v, of, headsDecoder)
	if err != nil {
		return nil, 0
	}
	f := all[key]
	return f.Bytes, f.Size
}

// beginsThere says whether an object is one whose beginning the head cache holds, so that it is read only for these.
func (v *View) beginsThere(key string) bool {
	for _, kind := range headcache.Kinds() {
		if v.g.pointer.Artefacts[kind].Key == key {
			return true
		}
	}
	return false
}
