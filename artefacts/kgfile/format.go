package kgfile

import "mappe/artefacts/internal/column"

var format = column.Format{
	Magic: [8]byte{'M', 'A', 'P', 'P', 'E', 'K', 'G', 'S'}, Version: 2, Oldest: 2,
	Sections: []string{"head", "pgeo", "patt", "puse", "bldg", "foot", "luse", "symb", "labl", "foli", "outl"}, Swift: true,
}

// The places of the sections in format.Sections.
const (
	secHead = iota
	secPgeo
	secPatt
	secPuse
	secBldg
	secFoot
	secLuse
	secSymb
	secLabl
	secFoli
	secOutl
)

// The limits of a file. The largest real KG has some 30,000 parcels and 400,000 vertices.
const (
	maxVertices = 1 << 25
	maxRing     = 1 << 24
	// Copies of shared borders let few bytes stand for many vertices: a section may hold freeVertices,
	// and verticesPerByte more for each byte it is stored in.
	freeVertices    = 1 << 16
	verticesPerByte = 8
)
