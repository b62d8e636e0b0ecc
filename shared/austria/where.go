package austria

// Where says where Austria lies, for messages.
const Where = "Austria lies at longitudes 9.5 to 17.2 and latitudes 46.3 to 49.1"

// Swapped says whether a position lies far from Austria and would lie in it with its axes exchanged.
func Swapped(lon, lat float64) bool { return near(lat, lon) && !near(lon, lat) }

// near says whether a position in degrees lies in a box some 50 km around Austria.
func near(lon, lat float64) bool { return lon >= 9 && lon <= 17.5 && lat >= 46 && lat <= 49.2 }
