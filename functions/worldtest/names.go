package worldtest

import (
	"mappe/artefacts/toponyms"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Toponyms are names of the world:
//
//	siedlung-1 Westdorf        x 2, y 2          (88801), also Zahodna vas
//	ried-1     Sonnleiten      x 1, y 1          (88801), variant Sunnleiten
//	ried-2     Sonnleiten      x 5, y 1          (88802)
//	gelaende-1 Sonnleitenkogel x 3, y 3, 812 m   (88801)
//	gewaesser-1 Bach           x 6, y 3          (88802)
//	gletscher-1 Fernkees       x 60, y 60        in no KG
func Toponyms() *toponyms.Country {
	name := func(id string, l toponyms.Layer, code int, feature, text string, x, y float64) toponyms.Name {
		return toponyms.Name{ID: id, Layer: l, Code: code, Feature: feature, Name: text, Elevation: toponyms.NoElevation, At: At(x, y),
			Year: 2022}
	}
	list := []toponyms.Name{
		name("siedlung-1", toponyms.Siedlung, 7101, "Ort", "Westdorf", 2, 2),
		name("ried-1", toponyms.Ried, 7701, "Riedname", "Sonnleiten", 1, 1),
		name("ried-2", toponyms.Ried, 7701, "Riedname", "Sonnleiten", 5, 1),
		name("gelaende-1", toponyms.Gelaende, 7302, "Berggipfel", "Sonnleitenkogel", 3, 3),
		name("gewaesser-1", toponyms.Gewaesser, 7501, "Fließgewässer", "Bach", 6, 3),
		name("gletscher-1", toponyms.Gletscher, 7401, "Gletscher", "Fernkees", 60, 60),
	}
	for i, code := range []string{"88801", "88801", "88802", "88801", "88802", ""} {
		list[i].KG = austria.KGCode(code)
	}
	list[0].Others = []toponyms.Other{{Language: "sl", Name: "Zahodna vas"}}
	list[1].Variant = "Sunnleiten"
	list[3].Elevation = 812
	return &toponyms.Country{Stichtag: Stichtag, Attribution: "made-up names", Names: list}
}

// AddNames gives the published generation names.
func AddNames(s store.Store, c *toponyms.Country) error {
	h, err := c.Head()
	if err != nil {
		return err
	}
	head, err := h.Encode()
	if err != nil {
		return err
	}
	return addParts(s, toponyms.Artefact, toponyms.Kind, head, c.Fill)
}
