package mem_test

import (
	"testing"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return mem.New() })
}
