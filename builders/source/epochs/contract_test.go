package epochs_test

import (
	"testing"
	"testing/fstest"

	"mappe/builders/source/epochs"
	"mappe/builders/source/epochs/epochstest"
)

func TestContract(t *testing.T) {
	epochstest.Run(t, func(_ *testing.T, files map[string]string) (epochs.Reader, error) {
		source := fstest.MapFS{}
		for name, body := range files {
			source[name] = &fstest.MapFile{Data: []byte(body)}
		}
		return epochs.OpenFolder(source)
	})
}
