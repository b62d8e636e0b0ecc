package index

import (
	"context"
	"sync"

	"mappe/artefacts/landscape"
	"mappe/shared/austria"
	land "mappe/shared/landscape/segment"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// tallies are how many parcels of KGs are of a type for the most part, of the index that was asked last: the first page of a type
// reads all KGs that may have some, the others those on the page.
type tallies struct {
	mu    sync.Mutex
	index string // key
	of    map[land.Type][]tally
}

// tally is a KG with parcels of a type.
type tally struct {
	kg austria.KGCode
	n  int
}

func (t *tallies) get(index string, of land.Type) (list []tally, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.index != index {
		return nil, false
	}
	list, ok = t.of[of]
	return list, ok
}

func (t *tallies) put(index string, of land.Type, list []tally) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.index != index || t.of == nil {
		t.index, t.of = index, map[land.Type][]tally{}
	}
	t.of[of] = list
}

// parcelsByType lists parcels by KG and number; KGs without the type have no such parcel and are passed over.
func (s *service) parcelsByType(ctx context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	t := typeOf(qParcels.Of(r))
	list, known := s.tallies.get(c.key, t)
	if !known {
		for i := range c.entries {
			if e := &c.entries[i]; e.Processed && coverOf(e, t) != nil {
				list = append(list, tally{kg: e.Code()})
			}
		}
	}
	shown, counted, err := c.parcelsOn(ctx, r, list, known)
	if err != nil {
		return nil, err
	}
	if !known && c.parts != nil {
		s.tallies.put(c.key, t, counted)
	}
	total := 0
	for _, k := range counted {
		total += k.n
	}
	return write(r, landRows, total, shown, func(item, of *landscape.Parcel) { *item = *of }), nil
}

// parcelsOn are the parcels on the page that is asked for, of KGs whose numbers are known or counted here: of known ones those on the
// page are read alone.
func (c *country) parcelsOn(ctx context.Context, r *endpoint.Request, list []tally, known bool) (shown []landscape.Parcel,
	counted []tally, err error) {
	name, offset, limit := qParcels.Of(r), r.Offset, r.Limit
	at := 0 // parcels before the KG
	for _, k := range list {
		if known && (at+k.n <= offset || at >= offset+limit) {
			at += k.n
			continue
		}
		parcels, err := c.land(ctx, k.kg)
		if err != nil {
			return nil, nil, err
		}
		n := 0
		for i := range parcels {
			if parcels[i].DominantType != name {
				continue
			}
			if at+n >= offset && len(shown) < limit {
				shown = append(shown, parcels[i])
			}
			n++
		}
		at += n
		if n > 0 {
			counted = append(counted, tally{k.kg, n})
		}
	}
	if known {
		counted = list
	}
	return shown, counted, nil
}
