package process

import (
	"errors"
	"time"
)

// squareTime is how long a square may take.
const squareTime = 900 * time.Second

// errSlow is the error of a square that took longer: the processor is busy, or the layers are slow. It may pass.
var errSlow = errors.New("a square took more than 900 seconds")
