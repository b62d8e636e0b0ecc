package national

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mappe/artefacts/register"
	"mappe/builders/objects"
	"mappe/shared/austria"
)

// maxAbolished is how many KGs may leave the registers from one build to the next without acceptance;
// a year's mergers are some tens. More is a register that was cut off.
const maxAbolished = 25

// Abolished is a KG that is served and that the source's registers have no more.
type Abolished struct {
	Code    austria.KGCode `json:"kg_code"`
	Name    string         `json:"kg_name"`
	Parcels int            `json:"parcel_count"` // 0: it was listed without data
	Dropped bool           `json:"dropped"`      // false: it has parcels and its loss was not accepted; it stays
}

func (a Abolished) String() string {
	switch {
	case a.Dropped && a.Parcels == 0:
		return fmt.Sprintf("KG %s %s is no more in the registers: it is no longer listed", a.Code, a.Name)
	case a.Dropped:
		return fmt.Sprintf("KG %s %s is no more in the registers: its %d parcels are no longer served", a.Code, a.Name, a.Parcels)
	}
	return fmt.Sprintf("KG %s %s is no more in the registers: its %d parcels stay served until the loss is accepted", a.Code, a.Name,
		a.Parcels)
}

// abolished compares what is served with the source's registers. A KG with parcels is dropped only when
// losses are accepted; one that was listed without data is dropped, unless they are suspiciously many,
// which is an error. A publication without registers drops nothing.
func (p *Publication) abolished(ctx context.Context, live Live) ([]Abolished, error) {
	if len(p.Country.Known) == 0 || len(live.Manifest.KGs) == 0 {
		return nil, nil
	}
	known := make(map[austria.KGCode]bool, len(p.Country.Known))
	for _, f := range p.Country.Known {
		known[f.Code] = true
	}
	for i := range p.Digests {
		known[p.Digests[i].Key.Code] = true
	}
	for _, k := range p.Keys {
		known[k.Code] = true
	}
	codes := make([]austria.KGCode, 0, len(known))
	for c := range known {
		codes = append(codes, c)
	}
	slices.Sort(codes)
	if register.UniverseHash(codes) == live.Manifest.UniverseHash {
		return nil, nil
	}
	b, err := objects.Read(ctx, p.Store, live.Manifest.KGList.Key)
	if err != nil {
		return nil, err
	}
	var list KGList
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", live.Manifest.KGList.Key, err)
	}
	var out []Abolished
	dropped := 0
	for _, k := range list.KGs {
		if known[k.Code] {
			continue
		}
		e, _ := live.Manifest.Find(k.Code)
		a := Abolished{Code: k.Code, Name: k.Name, Parcels: e.Parcels, Dropped: p.Accept || e.Parcels == 0}
		if a.Dropped {
			dropped++
		}
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b Abolished) int { return cmp.Compare(a.Code, b.Code) })
	if dropped > maxAbolished && !p.Accept {
		return nil, fmt.Errorf("the source's registers lack %d KGs that are listed now (%s ...): more than %d must be accepted", dropped,
			someCodes(out), maxAbolished)
	}
	return out, nil
}

func someCodes(all []Abolished) string {
	var s []string
	for _, a := range all[:min(len(all), 5)] {
		s = append(s, string(a.Code))
	}
	return strings.Join(s, ", ")
}
