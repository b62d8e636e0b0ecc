package exact

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/url"
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

// adapt gives an environment the addresses of this machine: a folder of a bucket becomes the directory that stands for it, with
// signed addresses where the function signs for it, the bucket's origin the one of b, a table a SQLite ledger.
func (b *buckets) adapt(f stack.Function, c Config) (stack.Function, error) {
	return adapted(f, func(value string) (string, error) {
		folder, local := folderOf(value, c)
		bucket, key, _ := strings.Cut(strings.TrimPrefix(value, "s3://"), "/")
		switch {
		case local && key != "artefacts" && signs(f, bucket):
			base := b.origin + "/" + bucket + "/" + key
			if err := b.serve("/"+bucket+"/"+key+"/", folder, base); err != nil {
				return "", err
			}
			u := url.URL{Scheme: "dir", Path: folder, RawQuery: url.Values{"signed": {base}, "secret": {b.secret}}.Encode()}
			return u.String(), nil
		case local:
			return folder, nil
		case isOrigin(value):
			return b.origin, nil
		}
		if table, ok := strings.CutPrefix(value, "dynamodb://"); ok {
			return "sqlite:" + ledgerOf(table, c), nil
		}
		return value, nil
	})
}

// adapted is a function with every value of its environment changed.
func adapted(f stack.Function, change func(string) (string, error)) (stack.Function, error) {
	environment := map[string]string{}
	for name, value := range f.Environment {
		var err error
		if environment[name], err = change(value); err != nil {
			return f, err
		}
	}
	f.Environment = environment
	return f, nil
}

// isOrigin says whether a value is where a bucket of the template answers itself.
func isOrigin(value string) bool {
	return strings.HasPrefix(value, "https://local-") && strings.HasSuffix(value, ".s3."+stack.Region+".amazonaws.com")
}

// addresses fills the servers, where there are some, and gives what puts the addresses of this machine into environments.
func (e *Edge) addresses(ctx context.Context) (func(stack.Function) (stack.Function, error), error) {
	c := e.config
	if !c.Servers.given() {
		b, err := startBuckets(ctx)
		return func(f stack.Function) (stack.Function, error) { return b.adapt(f, c) }, err
	}
	if err := c.Servers.fill(ctx, e.stack, c); err != nil {
		return nil, err
	}
	asked := c.Servers
	if c.Faults != nil {
		var err error
		if asked, err = e.behindFaults(ctx, asked); err != nil {
			return nil, err
		}
	}
	return func(f stack.Function) (stack.Function, error) {
		f, err := adapted(f, func(value string) (string, error) {
			if isOrigin(value) {
				value = asked.S3
			}
			return value, nil
		})
		f.Environment["AWS_ENDPOINT_URL_S3"], f.Environment["AWS_ENDPOINT_URL_DYNAMODB"] = asked.S3, asked.DynamoDB
		return f, err
	}, nil
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
