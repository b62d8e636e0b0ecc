// Package register is the national register as one object (.reg): every KG with its facts, metrics,
// outline and the name of its .kgs file; municipalities, districts, localities and postal codes. It
// owns the rows, the bytes and the lookups by code and by place. A function loads it once per
// generation; rows are ready after Open, outlines stay packed until one is asked for.
//
//	offset  bytes  what
//	0       8      magic "MAPPEREG"
//	8       2+2    version (4), oldest reader (2); versions 3, without plzw, 2, without prov, and 1, without
//	               tol and without odd numbers in ints columns, are read too
//	12      2+2    number of sections n, zero
//	16      4      length of the file
//	20      4      CRC-32C of bytes 0-19 and of the table
//	24      24n    section table: name[4], offset, length, decoded length, rows, CRC-32C (all u32)
//
// Integers are little-endian. Sections in order, columns as artefacts/internal/column draws them:
//
//	head  texts Stichtag, attribution, universe hash · steps of 0.01 m tolerance
//	kgs   codes, names, municipality and district codes and names, boxes and centroids against the
//	      KG before, counts, metrics in steps (none = 0), date, size, SHA-256, key when it is not the usual one
//	kgo   count of packed bytes · ints length of each packed outline · ints of its box, four u32 a KG ·
//	      a raw frame of all packed outlines
//	gem   municipalities · gemo their outlines as kgo · bez districts · ort localities · plz postal places
//	tol   ints of each KG's own tolerance in steps of 0.01 m, 0 the one in the head
//	prov  texts of each KG's assembly version and ingest generation, empty where not known
//	plzw  ints of each postal place's weight, 0 not known
//
// A packed outline is: polygons, per polygon rings, per ring vertices, then zigzag differences in
// longitude and latitude (1e-7 degree) from the vertex before, the first from the box's lower corner;
// all LEB128 numbers, none = 0 polygons.
package register

import (
	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Contents is everything in the register. Encode wants KGs, municipalities and districts in rising
// code order, localities by OKZ, postal places by PLZ, place and municipality.
type Contents struct {
	Stichtag    string // newest snapshot date, YYYY-MM-DD
	Attribution string
	// ToleranceM is the greatest distance in metres between a stored outline and the true one.
	ToleranceM     float64
	KGs            []KG
	Municipalities []Municipality
	Districts      []District
	Localities     []Locality
	PLZ            []PostalPlace
}

// KG is one Katastralgemeinde: its row and where its snapshot is.
type KG struct {
	kgfile.KG
	DistrictCode austria.DistrictCode
	Centroid     geom.Point
	Snapshot     Object
	// Assembly and Ingest are the assembly version and the ingest generation of the snapshot, as in
	// kgfile.Build; "" where none is in the store, and of registers before version 3.
	Assembly, Ingest string
	// Outline is simplified within Contents.ToleranceM. It is filled for Encode; rows of an open
	// Register leave it nil and Register.Outline gives it.
	Outline geom.MultiPolygon
	// ToleranceM is the greatest distance in metres between this outline and the true one; 0 means that of
	// Contents. The outline of a KG without a snapshot comes from a map of small scale and is coarser.
	ToleranceM float64
}

// State is the state the KG lies in.
func (k *KG) State() austria.StateCode { return k.GemeindeCode.State() }

// Object names the .kgs file of a KG. An empty Key means that no snapshot is in the object store: the
// KG is cold.
type Object struct {
	Key    string
	Date   string // YYYY-MM-DD
	Bytes  int64
	SHA256 [32]byte
}

// Municipality is one Gemeinde.
type Municipality struct {
	Code         austria.GemeindeCode
	Name         string
	DistrictCode austria.DistrictCode
	DistrictName string
	At           geom.Point
	Outline      geom.MultiPolygon // as KG.Outline; Register.MunicipalityOutline gives it
}

// State is the state the municipality lies in.
func (m *Municipality) State() austria.StateCode { return m.Code.State() }

// District is one political district.
type District struct {
	Code  austria.DistrictCode
	Name  string
	State austria.StateCode
}

// Locality is one Ortschaft.
type Locality struct {
	OKZ          uint32 // Ortschaftskennziffer
	Name         string
	GemeindeCode austria.GemeindeCode
	GemeindeName string
	KG           austria.KGCode // "" unknown
	PLZ          []austria.PLZ
	At           geom.Point
}

// PostalPlace is a place of a postal code in one municipality.
type PostalPlace struct {
	PLZ          austria.PLZ
	Place        string
	GemeindeCode austria.GemeindeCode
	// Weight says how much of the postal code lies in the place: its addresses, where those of the code are known, else an
	// estimate of its people. Weights of one code are comparable; 0 is not known.
	Weight uint32
}
