package workfeed

import _ "embed"

// inGerman are the sentences that this service alone says of itself.
//
//go:embed de.po
var inGerman string
