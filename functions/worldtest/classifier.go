package worldtest

import (
	"mappe/artefacts/classifier"
	"mappe/artefacts/classifier/scenes"
	"mappe/artefacts/keys"
	"mappe/shared/cloud/store"
)

// AddClassifier gives the published generation the model of segments that was trained from made-up scenes, under a kind of
// classifier.NewestOf: nothing is trained.
func AddClassifier(s store.Store, kind string) error {
	return AddModel(s, kind, scenes.Model())
}

// AddModel is AddClassifier of another file, which need not be a model.
func AddModel(s store.Store, kind string, body []byte) error {
	return putArtefact(s, kind, keys.National{Name: kind, Sum: keys.Sum(body), Ext: "parts"}, body)
}

// ClassifierID is the name that answers have for that model.
func ClassifierID() string { return keys.Sum(scenes.Model()) }

// ClassifierArtefact is the kind of the model of a raw source.
const ClassifierArtefact = classifier.Artefact
