// Package table adds to a table of addresses, coordinates or parcel ids what a running Mappe knows of each row: the parcel, its
// area and land use, its price, what protects it, and where nothing is found, why. It owns which columns mean what, the form of the
// files, and in which portions a server is asked; it asks over HTTP alone, at most two requests at once. What came is kept beside
// the result, so that an interrupted run goes on where it ended. localdev/command/table makes a command of it.
package table
