// Package repository is a stand-in for the research repository on disk: the part of Zenodo's REST API that
// shared/cloud/repository speaks, with its states, limits and refusals. The local cloud archives into it, and tests break
// it at every step. Its answers have the members that the real interface's have (a test compares them).
//
//	state.json                    the number that was given last
//	deposits/{id}.json            a deposit: state, metadata, names and checksums of its files
//	files/{bucket}/{name}         bytes of a file; a bucket belongs to one deposit, and its files never change once it is
//	                              published
//
// Every file is written beside its name and renamed, so that a process that is killed leaves nothing torn. As of the real
// one, whatever was published stays.
package repository
