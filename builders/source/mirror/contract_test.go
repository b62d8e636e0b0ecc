package mirror

import (
	"testing"

	"mappe/builders/source/epochs"
	"mappe/builders/source/epochs/epochstest"
)

func TestEpochsContract(t *testing.T) {
	epochstest.Run(t, func(t *testing.T, files map[string]string) (epochs.Reader, error) {
		raw := map[string][]byte{}
		for name, body := range files {
			raw[name] = []byte(body)
		}
		return Epochs{stored(t, raw)}, nil
	})
}
