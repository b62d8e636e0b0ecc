package main

import "errors"

// manuscripts are the files to build.
func manuscripts(_, file string) ([]string, error) {
	if file == "" {
		return nil, errors.New("--file is missing")
	}
	return []string{file}, nil
}
