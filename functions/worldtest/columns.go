package worldtest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"mappe/artefacts/columns"
	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// putColumns writes the parcels of the KGs as columns, as builders/columns does for a country.
func putColumns(ctx context.Context, s store.Store, files []*kgfile.File) (manifest.Artefacts, error) {
	slices.SortFunc(files, func(a, b *kgfile.File) int {
		return cmp.Or(cmp.Compare(district(a), district(b)), cmp.Compare(a.KG().Code, b.KG().Code))
	})
	var kgs []columns.KG
	var head []columns.Part
	tables := map[austria.DistrictCode][]*columns.Table{}
	for _, f := range files {
		t, err := columns.Of(f)
		if err != nil {
			return nil, err
		}
		k, err := columns.Summarise(f, district(f), t)
		if err != nil {
			return nil, err
		}
		if len(tables[k.District]) == 0 {
			head = append(head, columns.Part{District: k.District})
		}
		head[len(head)-1].Rows += k.Parcels
		tables[k.District], kgs = append(tables[k.District], t), append(kgs, k)
	}
	body, err := columnsFile(head, kgs, tables)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	o := manifest.Object{Key: keys.National{Name: columns.Artefact, Sum: keys.Sum(body), Ext: "parts"}.String(), Bytes: int64(len(body)),
		SHA256: hex.EncodeToString(sum[:])}
	_, err = s.Put(ctx, o.Key, body, store.PutOptions{Immutable: true})
	return manifest.Artefacts{columns.Artefact: o}, err
}

func district(f *kgfile.File) austria.DistrictCode { return f.KG().GemeindeCode.District() }

func columnsFile(head []columns.Part, kgs []columns.KG, tables map[austria.DistrictCode][]*columns.Table) ([]byte, error) {
	front, err := columns.EncodeHead(head)
	if err != nil {
		return nil, err
	}
	summary, err := columns.EncodeKGs(kgs)
	if err != nil {
		return nil, err
	}
	sections := []sectionfile.Section{{Name: columns.Summary, Body: summary}}
	for _, p := range head {
		t := columns.Join(tables[p.District])
		for _, g := range columns.AllGroups() {
			b, err := t.Encode(g)
			if err != nil {
				return nil, err
			}
			sections = append(sections, sectionfile.Section{Name: g.Section(p.District), Body: b})
		}
	}
	slices.SortFunc(sections, func(a, b sectionfile.Section) int { return cmp.Compare(a.Name, b.Name) })
	return sectionfile.Encode(columns.Kind, front, sections)
}
