package exact

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"

	"mappe/localdev/listen"
	"mappe/shared/cloud/stack"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/signed"
)

// buckets answers what a bucket of the template answers itself: addresses that a function has signed. It
// has an origin of its own, as in the cloud.
type buckets struct {
	origin string // http://127.0.0.1:PORT
	secret string // of this run
	mux    *http.ServeMux
	served map[string]bool
}

func startBuckets(ctx context.Context) (*buckets, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &buckets{origin: "http://" + l.Addr().String(), secret: rand.Text(), mux: http.NewServeMux(), served: map[string]bool{}}
	server := listen.New(b.mux, listen.Limits{})
	go server.Serve(l)
	context.AfterFunc(ctx, func() { server.Close() })
	return b, nil
}

// signs says whether a function sends clients to a bucket: its environment has the bucket's origin.
func signs(f stack.Function, bucket string) bool {
	for _, value := range f.Environment {
		if origin, ok := strings.CutPrefix(value, "https://"); ok && strings.HasPrefix(origin, bucket+".s3.") {
			return true
		}
	}
	return false
}

// adapt gives an environment the addresses of this machine: a folder of a bucket that the function signs
// for becomes a directory with signed addresses, the bucket's origin the one of b.
func (b *buckets) adapt(f stack.Function, stateDir string) (stack.Function, error) {
	adapted := map[string]string{}
	for name, value := range f.Environment {
		bucket, key, _ := strings.Cut(strings.TrimPrefix(value, "s3://"), "/")
		switch {
		case strings.HasPrefix(value, "s3://local-") && key != "artefacts" && signs(f, bucket):
			folder := path.Join(stateDir, ".exact", key)
			base := b.origin + "/" + bucket + "/" + key
			if err := b.serve("/"+bucket+"/"+key+"/", folder, base); err != nil {
				return f, err
			}
			u := url.URL{Scheme: "dir", Path: folder, RawQuery: url.Values{"signed": {base}, "secret": {b.secret}}.Encode()}
			value = u.String()
		case strings.HasPrefix(value, "https://local-") && strings.HasSuffix(value, ".s3."+stack.Region+".amazonaws.com"):
			value = b.origin
		}
		adapted[name] = value
	}
	f.Environment = adapted
	return f, nil
}

// serve answers the addresses of a folder, below a prefix.
func (b *buckets) serve(prefix, folder, base string) error {
	if b.served[prefix] {
		return nil
	}
	files, err := dir.Open(folder)
	if err != nil {
		return err
	}
	h, err := signed.New(files, base, []byte(b.secret), nil)
	if err != nil {
		return fmt.Errorf("bucket %s: %w", prefix, err)
	}
	b.served[prefix] = true
	b.mux.Handle(prefix, h)
	return nil
}
