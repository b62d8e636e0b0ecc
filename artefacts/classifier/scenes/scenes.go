// Package scenes holds the model that the demo country and the worlds of tests share: trained from made-up scenes
// (localdev/demo/lessons), so that it knows made-up land only. No function links it.
package scenes

import _ "embed"

// File is where the model lies below the root of the module.
const File = "artefacts/classifier/scenes/scenes.parts"

//go:embed scenes.parts
var model []byte

// Model is the file of the model (artefacts/classifier). It is not to be changed.
func Model() []byte { return model }
