package ne

import (
	"context"
	"errors"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/artefacts/ne"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/hexgrid"
)

// read gives the rows of a container of the pass before; nil where that pass wrote no container, or it is gone.
func (p *pass) read(ctx context.Context, k *ne.IndexKG) (*kept, error) {
	if k == nil {
		return nil, nil
	}
	b, err := readObject(ctx, p.c.Store, k.Key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	head, err := ne.ParseFront(b, int64(len(b)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Key, err)
	}
	u, err := p.unpacker(ctx, head.Dict)
	if err != nil {
		return nil, err
	}
	defer u.Close()
	out := &kept{dict: head.Dict}
	for _, layer := range []struct {
		name  ne.Layer
		bytes int
		to    *map[hexgrid.Cell][]byte
	}{{ne.LU, ne.LUBytes, &out.lu}, {ne.Bev, ne.KBytes, &out.bev}} {
		s := head.Section(layer.name)
		if s == nil || s.RecordBytes != layer.bytes {
			if layer.name == ne.LU {
				return nil, nil
			}
			continue
		}
		*layer.to = make(map[hexgrid.Cell][]byte, len(s.Chunks))
		at := head.Start() + s.Offset
		for i, c := range s.Chunks {
			r, err := s.Unpack(i, b[at:at+c.Bytes], u)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k.Key, err)
			}
			(*layer.to)[c.Cell] = r
			out.frames = append(out.frames, [2][]byte{r, b[at : at+c.Bytes]})
			at += c.Bytes
		}
	}
	return out, nil
}

// unpacker reads frames of a dictionary, which need not be the one that is served now.
func (p *pass) unpacker(ctx context.Context, id string) (*ne.Unpacker, error) {
	switch id {
	case "":
		return ne.NewUnpacker(nil)
	case ne.DictID(dict):
		return ne.NewUnpacker(dict)
	}
	other, err := readObject(ctx, p.c.Store, keys.CellDict{Sum: id}.String())
	if err != nil {
		return nil, err
	}
	return ne.NewUnpacker(other)
}
