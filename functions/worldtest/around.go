package worldtest

import (
	"errors"

	"mappe/artefacts/register"
	"mappe/shared/cloud/store"
)

// PublishAround publishes the world with everything that may lie around a place: two municipalities, overlays, prices,
// the community map and names. KG 88803 is cold.
func PublishAround(s store.Store) error {
	err := PublishOver(s, func(c *register.Contents) {
		c.Municipalities = []register.Municipality{
			{Code: "38801", Name: "Westgemeinde", DistrictCode: "388", DistrictName: "Bezirk 388", At: At(4, 2)},
			{Code: "38802", Name: "Südgemeinde", DistrictCode: "388", DistrictName: "Bezirk 388", At: At(4, -2)},
		}
	}, "88803")
	if err != nil {
		return err
	}
	return errors.Join(AddGrid(s, Over()), AddPrices(s, Snapshots(), PriceRows()), AddMap(s, Community()), AddNames(s, Toponyms()))
}
