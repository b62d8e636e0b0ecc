//go:build !linux

package exact

// peakRSS is not known here.
func (p *process) peakRSS() int64 { return 0 }

// memory is not known here: no process is ended for want of it.
func (p *process) memory() int64 { return 0 }
