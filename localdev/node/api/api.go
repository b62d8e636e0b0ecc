// Package api holds the interface of the node as Protocol Buffers: the names and numbers of the network's
// services, as far as this node serves them. The Go code below it is generated, with protoc 3.21.12,
// protoc-gen-go v1.36.12 and protoc-gen-connect-go v1.21.1 on the path.
package api

// o:generate sh -c "protoc -I . -I /usr/include --go_out=. --go_opt=module=mappe/localdev/node/api --connect-go_out=.
// --connect-go_opt=module=mappe/localdev/node/api $(find . -name '*.proto' | sort | tr '\\n' ' ')"
