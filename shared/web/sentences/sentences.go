// Package sentences is what several services say of themselves alike, in German: of parameters, rows and failures. What one service
// alone says stands beside it. A service is given both (endpoint.Service.German); functions/families tests that they fit.
package sentences

import _ "embed"

// German are the sentences as shared/web/catalogue reads them.
//
//go:embed de.po
var German string
