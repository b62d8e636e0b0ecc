// Package kgfile is the one-KG file (.kgs): everything known of one Katastralgemeinde in one small
// object that a function reads whole. It owns the model, the byte layout, the encoder and the reader
// with its containment index. It knows no object names (artefacts/keys) and opens no stores
// (artefacts/library).
package kgfile
