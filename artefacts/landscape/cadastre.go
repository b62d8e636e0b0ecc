package landscape

import "mappe/artefacts/register"

// OfCadastre is the record of a KG with what the cadastre knows.
func OfCadastre(k *register.KG) Record {
	r := Empty(k.Code)
	r.KGName, r.GemeindeCode, r.GemeindeName = k.Name, string(k.GemeindeCode), k.GemeindeName
	r.DistrictCode, r.DistrictName = string(k.DistrictCode), k.DistrictName
	r.StateCode, r.StateName = string(k.State()), k.State().Name()
	r.BBox, r.Centroid = k.Box, k.Centroid
	if k.Snapshot.Key != "" {
		r.ParcelCount, r.BuildingCount, r.TotalAreaSqm = float64(k.ParcelCount), float64(k.FootprintCount), k.TotalAreaSqm
	}
	return r
}
