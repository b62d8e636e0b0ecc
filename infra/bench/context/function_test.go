package context

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/localdev/exact"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/geo/geom"
)

// template is a stack of the place context's function alone, with the memory of template.yaml.
const template = `AWSTemplateFormatVersion: "2010-09-09"
Transform: AWS::Serverless-2016-10-31
Globals:
  Function: { Runtime: provided.al2023, Handler: bootstrap, Timeout: 60 }
Resources:
  Bucket: { Type: AWS::S3::Bucket }
  Secret: { Type: AWS::SecretsManager::Secret }
  PlaceFunction:
    Type: AWS::Serverless::Function
    Metadata: { Main: %s }
    Properties:
      MemorySize: 1024
      FunctionUrlConfig: { AuthType: NONE, InvokeMode: RESPONSE_STREAM }
      Environment:
        Variables:
          MAPPE_STORE: !Sub "s3://${Bucket}/artefacts"
          MAPPE_ORIGIN_SECRETS: !Ref Secret
  Viewer:
    Type: AWS::CloudFront::Function
    Properties:
      FunctionCode: "function handler(event) { event.request.headers['x-viewer-address'] = { value: event.viewer.ip }; return event.request }"
  Distribution:
    Type: AWS::CloudFront::Distribution
    Properties:
      DistributionConfig:
        Origins:
          - { Id: bucket, DomainName: !GetAtt Bucket.RegionalDomainName, OriginPath: /site }
          - Id: place
            DomainName: !Select [2, !Split ["/", !GetAtt PlaceFunctionUrl.FunctionUrl]]
            CustomOriginConfig: { OriginReadTimeout: 60 }
            OriginCustomHeaders: [{ HeaderName: X-Origin-Verify, HeaderValue: !Sub "{{resolve:secretsmanager:${Secret}:SecretString}}" }]
        DefaultCacheBehavior: { TargetOriginId: bucket }
        CacheBehaviors:
          - PathPattern: /context/*
            TargetOriginId: place
            AllowedMethods: [GET, HEAD, OPTIONS, PUT, PATCH, POST, DELETE]
            OriginRequestPolicyId: b689b0a8-53d0-40ab-baf2-68738e2966ac
            FunctionAssociations: [{ EventType: viewer-request, FunctionARN: !GetAtt Viewer.FunctionARN }]
`

// BenchmarkFunction runs the Lambda bootstrap through the Runtime API over a directory: the time from the start of a process
// to its first answer without artefacts of the place context and with them, and the most memory that a process has taken
// after its first /context and after 20,000 mixed requests. The register has 7,921 KGs.
func BenchmarkFunction(b *testing.B) {
	bare, whole := directory(b, false), directory(b, true)
	for b.Loop() {
		first := math.Inf(1)
		for range 5 { // what is the program's is in the least of five
			s, _ := bootstrap(b, bare, 1)
			first = min(first, ms(s.SlowestInit))
		}
		b.ReportMetric(first, "bare-first-ms")
		first, most := math.Inf(1), int64(0)
		for range 5 {
			s, _ := bootstrap(b, whole, 1)
			first, most = min(first, ms(s.SlowestInit)), max(most, s.MaxRSS)
		}
		b.ReportMetric(first, "first-ms")
		b.ReportMetric(float64(most>>20), "first-MB")
		s, took := bootstrap(b, whole, 20_000)
		b.ReportMetric(float64(s.MaxRSS>>20), "20000-MB")
		b.ReportMetric(took.Seconds(), "20000-s")
	}
}

// directory publishes the country, or a generation with nothing around places, into a directory.
func directory(b *testing.B, whole bool) string {
	b.Helper()
	path := b.TempDir()
	s, err := dir.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := publishNational(s, whole); err != nil {
		b.Fatal(err)
	}
	return path
}

func publishNational(s store.Store, whole bool) error {
	err := fixture.PublishWith(s, fixture.Snapshots(), func(c *register.Contents) {
		for i := range 89 * 89 {
			k := register.KG{DistrictCode: "301"}
			k.Code, k.Name, k.GemeindeCode = austria.KGCode(fmt.Sprintf("%05d", 10_000+i)), fmt.Sprintf("Katastralgemeinde %d", i),
				austria.GemeindeCode(fmt.Sprintf("3%02d%02d", 1+i/4/50, 1+i/4%50))
			k.GemeindeName, k.DistrictName = fmt.Sprintf("Gemeinde %d", i/4), "Bezirk"
			r := rand.New(rand.NewPCG(uint64(i), 5))
			k.Outline = geom.MultiPolygon{{blob(r, West+(East-West)*(float64(i%89)+0.5)/89, South+(North-South)*(float64(i/89)+0.5)/89,
				0.012, 100)}}
			k.Box = k.Outline.Bounds()
			c.KGs = append(c.KGs, k)
		}
		slices.SortFunc(c.KGs, func(a, b register.KG) int { return cmp.Compare(a.Code, b.Code) })
	})
	if err != nil || !whole {
		return err
	}
	return further(s, benched())
}

// bootstrap starts the function and asks it; it gives what is known of its process.
func bootstrap(b *testing.B, data string, requests int) (exact.Stats, time.Duration) {
	b.Helper()
	work := b.TempDir()
	main, err := filepath.Rel(work, filepath.Join(oracles.Root(b), "functions/context/place/lambda"))
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(work, "template.yaml")
	if err := os.WriteFile(file, fmt.Appendf(nil, template, main), 0o600); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	edge, err := exact.Start(ctx, exact.Config{Template: file, DataDir: data, WorkDir: work, MaxProcesses: 1, Logs: io.Discard})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(edge)
	defer func() {
		server.Close()
		cancel()
		edge.Wait()
	}()
	began := time.Now()
	for n := range requests {
		res, err := http.Get(server.URL + "/context" + mixed(uint64(n)))
		if err != nil {
			b.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != 200 {
			b.Fatalf("%s: %s %v %.300s", mixed(uint64(n)), res.Status, err, body)
		}
	}
	took := time.Since(began)
	for _, s := range edge.Stats() {
		if s.Function == "PlaceFunction" {
			return s, took
		}
	}
	b.Fatal("the function is not known")
	return exact.Stats{}, 0
}

// mixed are requests as a map and its users send them: mostly whole contexts, some of single datasets.
func mixed(n uint64) string {
	at := target(n)[len("/api/v1/context?"):]
	switch n % 10 {
	case 6:
		return "/api/v1/osm/point?" + at
	case 7:
		return "/api/v1/natura2000/point?" + at[:len(at)-len("&area_sqm=800")]
	case 8:
		return "/api/v1/toponyms/near?" + at[:len(at)-len("&area_sqm=800")]
	case 9:
		return fmt.Sprintf("/api/v1/toponyms/search?q=Ort+%d", n%1000)
	}
	return "/api/v1/context?" + at
}
