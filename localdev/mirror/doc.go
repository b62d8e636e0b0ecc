// Package mirror keeps a directory like the cells that a service publishes: the container of every KG and the dictionaries
// that they are packed with, each held to its digests, by the deltas of the manifest.
//
//	DIR/mirror.json        what is here: service, publication, the SHA-256 and the dictionary of each container
//	DIR/kg/{code}.ne       the container of a KG
//	DIR/dict/{id}.zdict    a dictionary
//
// The manifest names the SHA-256 of each container's bytes, and nothing else is taken: what comes otherwise, of a cache
// that is behind or of a proxy that changes bytes, is asked for again by its sum, past caches, and with it a new manifest. The
// publication moves on when all that its manifest names has come; a mirror that followed by deltas and a new one are then
// equal byte for byte.
//
// A run that was stopped goes on where it was: containers that are here are not asked for again, and one that was cut short
// is continued by Range.
package mirror
