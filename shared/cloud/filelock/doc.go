// Package filelock locks an open file against every other opening of it on this machine, in this process and
// in others. The system frees the lock when the file is closed or its process ends, however it ends. The
// store of a directory and the local cloud use it; a lock over a network is not its matter.
package filelock
