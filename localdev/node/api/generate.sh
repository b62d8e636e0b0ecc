#!/bin/sh
# Writes the Go code of the interface and of bitswap's messages anew. protoc 3.21.12 (Debian's protobuf-compiler) is on the path; its
# plugins are built from the modules that go.mod names.
set -eu
cd "$(dirname "$0")"
plugins=$(mktemp -d)
trap 'rm -rf "$plugins"' EXIT
go build -o "$plugins" google.golang.org/protobuf/cmd/protoc-gen-go connectrpc.com/connect/cmd/protoc-gen-connect-go
PATH="$plugins:$PATH"
protoc -I . --go_out=. --go_opt=module=mappe/localdev/node/api --connect-go_out=. --connect-go_opt=module=mappe/localdev/node/api \
	$(find . -name '*.proto' | sed 's|^\./||' | sort)
protoc -I ../bitswap --go_out=../bitswap --go_opt=module=mappe/localdev/node/bitswap message.proto
