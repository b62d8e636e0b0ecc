# What a developer runs. Needed: Go, Node.js 20 with npm; a test that wants more (Chromium, GDAL, an S3
# server) is skipped without it and says so: make test ends with a list.

GO          ?= go
# Everything is compiled as the functions are (localdev/exact.BuildFlags), so that vet, staticcheck, the tests, the demo
# and the archives share their objects: without paths of this machine, and without what a debugger reads, which is a fifth
# of the compiler's time. Flags that GOFLAGS has already are kept. The race detector alone needs cgo; infra/testrun sees to
# that.
export GOFLAGS     := $(strip $(GOFLAGS) $(if $(findstring -trimpath,$(GOFLAGS)),,-trimpath) $(if $(findstring -gcflags,$(GOFLAGS)),,-gcflags=all=-dwarf=false))
export CGO_ENABLED ?= 0
# vet, staticcheck and the compiler they wait for end before memory is short: they collect garbage more rarely.
lint build coverage: export GOGC ?= 300
lint build coverage: export GOMEMLIMIT ?= 3GiB
STATICCHECK_VERSION := v0.8.2
STATICCHECK := .cache/staticcheck-$(STATICCHECK_VERSION)/staticcheck
DEADCODE_VERSION := v0.52.0
DEADCODE    := .cache/deadcode-$(DEADCODE_VERSION)/deadcode
VERSITYGW   ?= github.com/versity/versitygw/cmd/versitygw@v1.8.0
WEB         := localdev/server/web
BUNDLE      := $(WEB)/packed/.sources
ORACLES      := infra/oracles
DYNALITE    := infra/oracles/dynalite
RECURRENCE  := $(ORACLES)/recurrence
X402        := $(ORACLES)/x402
MCP         := $(ORACLES)/mcp
EPUBCHECK   := $(ORACLES)/epubcheck
OPENAPI     := $(ORACLES)/openapi
FIREFOX     := $(ORACLES)/firefox
NECELLS     := artefacts/ne/javascript
HYPERMEDIA  := $(ORACLES)/hypermedia
# A Go module of its own, so that its dependencies are none of the functions'.
NODE        := localdev/node
# What npm has installed for the tests, a file for each folder.
ORACLE_PACKAGES      := $(foreach folder,$(ORACLES) $(DYNALITE) $(RECURRENCE) $(X402) $(MCP) $(EPUBCHECK) $(OPENAPI) $(FIREFOX) $(NECELLS) $(HYPERMEDIA),$(folder)/node_modules/.package-lock.json)
FUZZTIME    ?= 20s
# an input that is new is made smaller before the next one is tried: without a bound for a minute, in which nothing else is found
FUZZMIN     ?= 100x
ARCH        ?= arm64,amd64
SOAK        ?= 1h
MUTANTS     ?= 200
GOVULNDB    ?=
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0
SEED        ?= 1
COUNTRY     ?= build/country
# The statistics office's list of KGs, whose codes and names the country then has.
REGISTER    ?=
# Found without git, so that an archive of the source is checked too.
GOFILES     := find . -name '*.go' -not -path '*/node_modules/*' -not -path './.*/*' -not -path './build/*'

.DEFAULT_GOAL := help
.PHONY: help demo program node test short lint fmt bench country fuzz soak mutants build vulnerabilities smoke coverage oracles e2e s3 tools packages clean

help: ## these lines
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## the made-up country: generate, build, bundle the map, serve on 127.0.0.1:8080
	@echo "compiling: minutes the first time, each package is named; seconds after that"
	@mkdir -p .localdev/bin
	@$(GO) build -v -o .localdev/bin/localdev ./localdev
	@.localdev/bin/localdev start

program: $(BUNDLE) ## one program with the map page in it, build/localdev, which serves everything from any directory
	$(GO) build -ldflags "-s -w" -o build/localdev ./localdev
	@ls -l build/localdev

node: ## a node of the hypermedia network on this machine: HTTP 55001, gRPC 55002; ARGS are its flags
	cd $(NODE) && $(GO) build -o $(CURDIR)/.localdev/bin/node .
	@.localdev/bin/node $(ARGS)

test: packages ## all tests, with the race detector where goroutines meet; at the end the slowest, the skipped, the budgets
	$(GO) run ./infra/testrun -budgets .ci/budgets.tsv ./...
	$(GO) run ./infra/testrun -budgets .ci/budgets.tsv -race none -C $(NODE) ./...

short: ## the tests that take seconds
	$(GO) test -short ./...
	cd $(NODE) && $(GO) test -short ./...

lint: $(STATICCHECK) $(DEADCODE) ## gofmt, go vet, staticcheck, code that no program reaches, and cfn-lint where it is installed
	@unformatted=$$($(GOFILES) -exec gofmt -l {} +); if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	cd $(NODE) && $(GO) vet ./...
	$(STATICCHECK) ./...
	cd $(NODE) && $(CURDIR)/$(STATICCHECK) ./...
	GOMEMLIMIT=5GiB $(GO) run ./infra/unreached -tool $(CURDIR)/$(DEADCODE) . $(NODE)
	@if command -v cfn-lint >/dev/null 2>&1; then echo cfn-lint template.yaml infra/waf.yaml; cfn-lint template.yaml infra/waf.yaml; else echo "skipped: cfn-lint is not installed (infra/archtest checks the template too)"; fi

fmt: ## gofmt -w
	@$(GOFILES) -exec gofmt -w {} +

bench: ## the Go benchmarks, then the press, the map and the expander beside their peers, where installed
	$(GO) test -run '^$$' -bench . -benchmem ./...
	cd $(NODE) && $(GO) test -run '^$$' -bench . -benchmem ./...
	@if command -v npm >/dev/null 2>&1; then npm install --no-save --no-audit --no-fund --ignore-scripts --prefix infra/bench/press >/dev/null || echo "Typst, a peer of the press, is not installed"; fi
	$(GO) run ./infra/bench/press
	@if ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then $(GO) run ./infra/bench/cadastre; else echo "skipped: PostgreSQL with PostGIS is not installed"; fi
	@if ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then $(GO) run ./infra/bench/query; if command -v wrk >/dev/null 2>&1; then $(GO) run ./infra/bench/query -partly; else echo "skipped: wrk is not installed"; fi; else $(GO) run ./infra/bench/query -postgres=false; fi
	$(GO) run ./infra/bench/overlays
	$(GO) run ./infra/bench/segment
	$(GO) run ./infra/bench/trees
	@if command -v npm >/dev/null 2>&1; then npm install --no-save --no-audit --no-fund --ignore-scripts --prefix infra/bench/expander >/dev/null || echo "the peers of the expander are not installed"; fi
	$(GO) run ./infra/bench/expander
	$(GO) run ./infra/bench/forest
	$(GO) run ./infra/bench/country -kgs 100
	$(GO) run ./infra/bench/landscape

country: ## 7,850 KGs and 10.2 million parcels from raw sources to answers, beside PostGIS, in COUNTRY: 40 GB, hours; goes on where it was stopped
	$(GO) run ./infra/bench/country -proof $(COUNTRY) -kgs 7850 $(if $(REGISTER),-register $(REGISTER))

fuzz: ## every fuzz test for FUZZTIME
	@for module in . $(NODE); do cd $(CURDIR)/$$module && $(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | while read -r pkg; do \
	  for name in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "$$pkg $$name"; $(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) -fuzzminimizetime $(FUZZMIN) $$pkg || exit 1; \
	  done; \
	done || exit 1; done

soak: $(ORACLE_PACKAGES) ## every fuzz target, random search, property, kill and load test, SOAK altogether; then 200 mutants; tables in build/
	$(GO) run ./infra/soak -for $(SOAK) -out build/soak.txt
	$(GO) run ./infra/mutate -n $(MUTANTS) -seed $$(date +%Y%m%d) -out build/mutants.tsv

mutants: ## MUTANTS random changes of an operator: do the tests notice? A table in build/mutants.tsv
	$(GO) run ./infra/mutate -n $(MUTANTS) -seed $(SEED) -out build/mutants.tsv

build: ## reproducible archives of every function under build/, for ARCH (arm64,amd64)
	$(GO) run ./infra/pack/cmd -template template.yaml -out build -arch $(ARCH)

vulnerabilities: ## the archives beside a copy of the Go vulnerability database, GOVULNDB=file:///path; govulncheck too where it is installed
	$(GO) run ./infra/pack/vulnerabilities -db "$(GOVULNDB)" build
	@PATH="$$PATH:$(CURDIR)/.cache/bin"; if command -v govulncheck >/dev/null 2>&1; then govulncheck -db "$(GOVULNDB)" ./...; else echo "skipped: govulncheck, which follows calls, is not installed: GOBIN=$(CURDIR)/.cache/bin go install $(GOVULNCHECK)"; fi

smoke: ## ask a deployment some requests of every service: make smoke URL=https://maps.example
	@$(GO) run ./localdev smoke $(URL)

coverage: ## which endpoints of the specification are served
	$(GO) run ./localdev coverage

oracles: $(ORACLE_PACKAGES) ## the published forms read, the paid calls bought, the tools for models asked, by independent programs
	$(GO) test -count=1 ./builders/forms/... ./infra/oracles/...

e2e: $(BUNDLE) ## the whole system, in one process and with the real bootstraps
	$(GO) test -count=1 -timeout 30m -v ./localdev/e2e

s3: .cache/bin/versitygw ## the store's contract against a real S3 server
	$(GO) test -count=1 ./shared/cloud/store/s3

packages: $(BUNDLE) $(ORACLE_PACKAGES) ## what the tests need from npm, and the bundle of the pages

tools: .cache/bin/versitygw $(STATICCHECK) $(DEADCODE) ## the S3 server of the tests, staticcheck and deadcode, into .cache/

# The pages, bundled and compressed as they are compiled into the program; the list is written last.
$(BUNDLE): $(WEB)/node_modules/.package-lock.json $(wildcard $(WEB)/*.mjs $(WEB)/package.json) $(shell find $(WEB)/src clients/javascript/*.js shared/austria/landuse.csv -type f)
	cd $(WEB) && npm run --silent build

# Tools are in no go.mod. Tests find the server here.
.cache/bin/versitygw:
	GOBIN=$(CURDIR)/.cache/bin $(GO) install $(VERSITYGW)

$(STATICCHECK):
	GOBIN=$(CURDIR)/$(dir $@) $(GO) install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)

$(DEADCODE):
	GOBIN=$(CURDIR)/$(dir $@) $(GO) install golang.org/x/tools/cmd/deadcode@$(DEADCODE_VERSION)

# DuckDB's and anvil's builds for other platforms are not in a lock file without addresses, and npm ci then
# refuses it; npm install keeps to the same lock. Nothing here needs a script to be run when it is installed.
$(ORACLES)/node_modules/.package-lock.json $(X402)/node_modules/.package-lock.json $(MCP)/node_modules/.package-lock.json $(EPUBCHECK)/node_modules/.package-lock.json: %/node_modules/.package-lock.json: %/package-lock.json
	npm install --no-save --ignore-scripts --no-audit --no-fund --prefix $*

%/node_modules/.package-lock.json: %/package-lock.json
	npm ci --no-audit --no-fund --prefix $*

clean: ## what make and the demo have written
	rm -rf build .localdev .cache $(WEB)/node_modules $(WEB)/dist $(WEB)/packed/*.gz $(WEB)/packed/*.br $(WEB)/packed-* $(BUNDLE) $(ORACLES)/node_modules $(DYNALITE)/node_modules $(RECURRENCE)/node_modules $(X402)/node_modules $(MCP)/node_modules $(EPUBCHECK)/node_modules $(OPENAPI)/node_modules $(NECELLS)/node_modules $(HYPERMEDIA)/node_modules

TZDATA_DIR := .cache/tzdata

.PHONY: tzdata
tzdata: ## the zone data of Debian's newest tzdata package into shared/recurrence/zones
	rm -rf $(TZDATA_DIR) && mkdir -p $(TZDATA_DIR)
	cd $(TZDATA_DIR) && apt-get download tzdata && dpkg-deb -x tzdata_*.deb deb
	/usr/sbin/zic -b fat -d $(TZDATA_DIR)/compiled $(TZDATA_DIR)/deb/usr/share/zoneinfo/tzdata.zi
	cp $(TZDATA_DIR)/deb/usr/share/zoneinfo/tzdata.zi $(TZDATA_DIR)/deb/usr/share/zoneinfo/zone.tab shared/recurrence/zones/
	$(GO) run shared/recurrence/zones/generate.go shared/recurrence/zones/tzdata.zi shared/recurrence/zones/zone.tab $(TZDATA_DIR)/compiled > $(TZDATA_DIR)/zones.bin
	mv $(TZDATA_DIR)/zones.bin shared/recurrence/zones/zones.bin
	@head -n 1 shared/recurrence/zones/zones.bin
