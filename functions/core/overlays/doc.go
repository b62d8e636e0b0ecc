// Package overlays answers what lies over the cadastre: Natura 2000 sites, protected areas, laws that name parcels,
// municipalities under their legacy names. It owns these endpoints and their order; the artefacts are read through
// functions/core/overlayindex. Which parcels lie where other families show too, in the rows of parcels and of KGs.
//
// Containment is exact and half-open: of municipalities that share a border exactly one holds a point on it. A
// generation without overlays answers empty lists.
package overlays
