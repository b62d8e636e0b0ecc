package layout

// StandsIn says whether the layout sets other characters in the place of one that type faces rarely have.
func StandsIn(c rune) bool { return known(string(c)) != string(c) }
