package austria

// LandUse is a land-use code (Nutzungscode, ns) of the cadastral map, 30 to 98; 0 means none.
type LandUse uint8
