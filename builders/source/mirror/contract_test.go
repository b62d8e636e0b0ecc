package mirror

import (
	"testing"

	"mappe/builders/kg"
	"mappe/builders/kg/tiletest"
	"mappe/builders/source/epochs"
	"mappe/builders/source/epochs/epochstest"
)

func TestTilesContract(t *testing.T) {
	tiletest.RunFiles(t, func(t *testing.T, files tiletest.Files) kg.TileReader {
		raw := map[string][]byte{}
		for name, body := range files {
			raw["tiles/"+name] = body
		}
		return Tiles{stored(t, raw)}
	})
}

func TestEpochsContract(t *testing.T) {
	epochstest.Run(t, func(t *testing.T, files map[string]string) (epochs.Reader, error) {
		raw := map[string][]byte{}
		for name, body := range files {
			raw[name] = []byte(body)
		}
		return Epochs{stored(t, raw)}, nil
	})
}
