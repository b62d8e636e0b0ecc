package maps

import (
	"errors"
	"strconv"
	"strings"

	"mappe/shared/geo/crs"
)

// system is a system that pictures are drawn in, with its name there.
type system struct {
	crs.System
	lonFirst bool // CRS:84: EPSG:4326 with longitude first
}

// systems are all of them.
func systems() []system {
	list := []system{{System: crs.WebMercator}, {System: crs.WGS84}, {System: crs.WGS84, lonFirst: true}}
	for _, s := range crs.AllSystems() {
		if s != crs.WebMercator && s != crs.WGS84 {
			list = append(list, system{System: s})
		}
	}
	return list
}

// String is the name, "EPSG:31256" or "CRS:84".
func (s system) String() string {
	if s.lonFirst {
		return "CRS:84"
	}
	return s.System.String()
}

// northFirst says whether the first axis of the system goes north, as EPSG defines it: WMS 1.3.0 and WMTS name its positions so.
func (s system) northFirst() bool { return !s.lonFirst && s.System != crs.WebMercator }

// metres is how long a unit of the system is, as scales of WMTS count it.
func (s system) metres() float64 {
	if s.System == crs.WGS84 {
		return 111319.49079327358 // a degree on the equator of WGS84
	}
	return 1
}

func systemNames() string {
	var names []string
	for _, s := range systems() {
		names = append(names, s.String())
	}
	return strings.Join(names, ", ")
}

func parseSystem(text string) (system, error) {
	upper := strings.ToUpper(text)
	for _, s := range systems() {
		if upper == s.String() {
			return s, nil
		}
	}
	if upper == "EPSG:900913" {
		return system{System: crs.WebMercator}, nil // what older programs call it
	}
	return system{}, errors.New("one of " + systemNames())
}

// parseBox reads four numbers.
func parseBox(text string) (box [4]float64, err error) {
	parts := strings.Split(text, ",")
	bad := errors.New("four numbers with commas between them: the lower corner and the upper one, each with a larger number in the upper")
	if len(parts) != 4 {
		return box, bad
	}
	for i, p := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || !(v > -1e9 && v < 1e9) {
			return box, bad
		}
		box[i] = v
	}
	if !(box[0] < box[2] && box[1] < box[3]) {
		return box, bad
	}
	return box, nil
}
