package keys

// ContentSum is the part of a key that its bytes decide, the first 16 hex digits of their SHA-256; "" for a key
// that is not named for its content: the pointer, and digests, which are named for what they were made of.
func ContentSum(k Key) string {
	switch k := k.(type) {
	case Manifest:
		return k.Generation
	case ManifestPart:
		return k.Sum
	case Register:
		return k.Sum
	case National:
		return k.Sum
	case Prices:
		return k.Sum
	case CellDict:
		return k.Sum
	case Cells:
		return k.Sum
	case CellChanges:
		return k.Sum
	case CellTable:
		return k.Sum
	case CellCoarse:
		return k.Sum
	case Landscape:
		return k.Sum
	case Raster:
		return k.Sum
	case Snapshot:
		return k.Sum
	case Versions:
		return k.Sum
	}
	return ""
}
