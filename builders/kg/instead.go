package kg

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxNamed bounds the names in the message.
const maxNamed = 6

// instead says what the tiles of the parcel zoom hold when they hold nothing of the KG, so that a wrong
// zoom, tileset or attribute is seen at once.
func (c *cadastre) instead() string {
	layers, keys, codes := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range c.region.order {
		t := c.region.tiles[s]
		for i := range t.Layers {
			l := &t.Layers[i]
			layers[l.Name] = true
			if l.Name != layerParcels {
				continue
			}
			for _, k := range l.Keys {
				keys[k] = true
			}
			key := l.Key("kg")
			for i := range l.Features {
				if v, ok := l.Value(&l.Features[i], key); key >= 0 && ok {
					codes[v.Text()] = true
				}
			}
		}
	}
	switch {
	case len(layers) == 0:
		return "they are empty"
	case !layers[layerParcels]:
		return fmt.Sprintf("they have the layers %s: expected %s", named(layers), layerParcels)
	case !keys["kg"]:
		return fmt.Sprintf("their layer %s has the attributes %s: expected kg", layerParcels, named(keys))
	}
	return fmt.Sprintf("their layer %s holds the KGs %s", layerParcels, named(codes))
}

// named lists names in order, a few of them.
func named(set map[string]bool) string {
	all := slices.Sorted(maps.Keys(set))
	for i, s := range all[:min(len(all), maxNamed)] {
		all[i] = fmt.Sprintf("%.40q", s)
	}
	if len(all) > maxNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:maxNamed], ", "), len(all)-maxNamed)
	}
	return strings.Join(all, ", ")
}
