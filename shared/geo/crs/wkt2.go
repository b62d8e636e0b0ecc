package crs

import "strings"

// What nodes of version 2 are called in version 1.
var olderNodes = map[string]string{
	"PROJCRS": "PROJCS", "PROJECTEDCRS": "PROJCS", "GEOGCRS": "GEOGCS", "GEODCRS": "GEOGCS", "GEODETICCRS": "GEOGCS",
	"GEOGRAPHICCRS": "GEOGCS",
	"BASEGEOGCRS":   "GEOGCS", "BASEGEODCRS": "GEOGCS", "ENSEMBLE": "DATUM", "GEODETICDATUM": "DATUM", "TRF": "DATUM",
	"ELLIPSOID": "SPHEROID",
	"METHOD":    "PROJECTION", "LENGTHUNIT": "UNIT", "ANGLEUNIT": "UNIT", "PRIMEMERIDIAN": "PRIMEM",
}

// What parameters of version 2 are called in version 1.
var olderParameters = map[string]string{
	"latitudeofnaturalorigin": "latitudeoforigin", "latitudeoffalseorigin": "latitudeoforigin",
	"longitudeofnaturalorigin": "centralmeridian",
	"longitudeoffalseorigin":   "centralmeridian", "scalefactoratnaturalorigin": "scalefactor",
	"latitudeof1ststandardparallel": "standardparallel1",
	"latitudeof2ndstandardparallel": "standardparallel2", "eastingatfalseorigin": "falseeasting", "northingatfalseorigin": "falsenorthing",
}

// older turns a node of version 2, with all below it, into one of version 1: what differs are names, and where the
// projection and the units stand. A node of version 1 stays as it is.
func (n *wktNode) older() {
	older, isNew := olderNodes[n.name]
	if isNew {
		n.name = older
	}
	for _, c := range n.nodes {
		c.older()
	}
	if !isNew {
		return
	}
	switch n.name {
	case "PROJCS":
		if conversion := n.child("CONVERSION"); conversion.name != "" {
			n.nodes = append(n.nodes, conversion.nodes...)
		}
		for _, c := range n.nodes {
			if name, ok := olderParameters[c.text(0)]; ok && c.name == "PARAMETER" {
				c.values[0] = name
			}
		}
		n.unitOfAxes()
	case "GEOGCS":
		n.unitOfAxes()
		if n.child("UNIT").name == "" {
			// of a base system, which need not say it
			n.nodes = append(n.nodes, &wktNode{name: "UNIT", values: []string{"degree", "0.0174532925199433"}})
		}
		if n.child("PRIMEM").name == "" {
			n.nodes = append(n.nodes, &wktNode{name: "PRIMEM", values: []string{"Greenwich", "0"}})
		}
	case "DATUM":
		if len(n.values) > 0 {
			n.values[0] = strings.TrimSuffix(n.values[0], " ensemble")
		}
	}
}

// unitOfAxes takes up the unit of the axes where the system has none of its own.
func (n *wktNode) unitOfAxes() {
	if n.child("UNIT").name != "" {
		return
	}
	if unit := n.child("AXIS").child("UNIT"); unit.name != "" {
		n.nodes = append(n.nodes, unit)
	}
}
