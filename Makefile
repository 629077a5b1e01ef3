# `make` lists the targets. Maven does the work; this file only names what people do often.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

JAVA := $(if $(JAVA_HOME),$(JAVA_HOME)/bin/java,java)
JAVA_FLAGS := -XX:+UseParallelGC -XX:-OmitStackTraceInFastThrow

INPUT ?=
OUTPUT ?=
ONLY ?=
RUNS ?= 3
MINUTES ?= 10
SEEDS ?= 2000
FROM ?= 0
BUG ?=
KILLS ?= 10
FAULTS ?=
STATE ?= memory
GOLDEN ?= *Golden*,ExplainTest,PublicApiTest,DocumentationTest

# Everything that the examples' class path is made from.
EXAMPLE_SOURCES := $(shell find pom.xml .mvn */pom.xml streamforge-core/src/main streamforge-formats/src/main \
    examples/src/main -type f 2>/dev/null)
EXAMPLES := $(JAVA) $(JAVA_FLAGS) -cp 'examples/target/classes:examples/target/lib/*'

TESTKIT := $(JAVA) $(JAVA_FLAGS) -cp 'streamforge-testkit/target/classes:streamforge-testkit/target/lib/*'
# With the storages that are not of the core.
CHAOS := $(JAVA) $(JAVA_FLAGS) -cp 'streamforge-testkit/target/classes:streamforge-s3/target/classes:streamforge-s3/target/lib/*:streamforge-rocksdb/target/classes:streamforge-rocksdb/target/lib/*'
BENCH := $(JAVA) -cp 'streamforge-bench/target/classes:streamforge-bench/target/lib/*'
# As the benchmark starts the JVMs that measure.
MEASURED := -Xms2g -Xmx2g -XX:+UseParallelGC

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## package every module without running tests
	scripts/maven -q -DskipTests package

.PHONY: run
run: examples/target/.built ## count the words of a text: INPUT=FILE OUTPUT=FILE
	@$(EXAMPLES) io.streamforge.examples.WordCount \
	    "$(or $(INPUT),examples/data/moby-dick.txt)" $(if $(OUTPUT),"$(OUTPUT)")

.PHONY: flights
flights: examples/target/.built ## delays of a week of flights: INPUT=FILE OUTPUT=FILE
	@$(EXAMPLES) io.streamforge.examples.Flights \
	    "$(or $(INPUT),examples/data/flights-2001-w1.csv.gz)" $(if $(OUTPUT),"$(OUTPUT)")

.PHONY: test
test: ## run all tests; the last line says how many passed, failed and were skipped
	@scripts/test

.PHONY: test-cover
test-cover: ## run all tests with coverage and print the path of the report
	@scripts/test -Pcoverage
	@echo "coverage report: streamforge-bench/target/site/jacoco-aggregate/index.html"

.PHONY: lint
lint: ## check formatting, Error Prone, NullAway, Javadoc and the repository's own rules
	@scripts/lint

.PHONY: format
format: ## format all Java sources
	scripts/maven -q -pl '!streamforge-bom' spotless:apply

.PHONY: install
install: ## put the artifacts with sources, Javadoc and the BOM into the local repository
	scripts/maven -q -Prelease -DskipTests install

.PHONY: bench
bench: bench-build ## measure the workloads beside their peers and write streamforge-bench/results: ONLY=W1,W3 RUNS=N
	@$(BENCH) -XX:+UseSerialGC -Xmx256m -Donly='$(ONLY)' -Druns=$(RUNS) io.streamforge.bench.Bench

.PHONY: bench-micro
bench-micro: bench-build ## run the JMH benchmarks: ONLY=REGEX
	@$(BENCH) org.openjdk.jmh.Main -foe true '$(or $(ONLY),io.streamforge.bench.micro)'

.PHONY: bench-build
bench-build:
	@scripts/maven -q -Dmaven.test.skip=true -pl streamforge-bench -am package

.PHONY: profile
profile: bench-build ## write a flame graph and a summary of one workload on StreamForge: ONLY=W2
	@$(BENCH) $(MEASURED) -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints \
	    -Donly='$(or $(ONLY),W2)' io.streamforge.bench.profile.Profile

.PHONY: soak
soak: bench-build ## run into a slow sink for MINUTES=10, then start and close 500 jobs; look for what is left
	@$(BENCH) -Xms512m -Xmx512m -XX:+UseParallelGC -Dminutes=$(MINUTES) io.streamforge.bench.soak.Soak

.PHONY: simulate
simulate: ## run drawn jobs that crash, one a seed, and look for what is lost or comes twice: SEEDS=n FROM=seed BUG=name
	@scripts/maven -q -Dmaven.test.skip=true -pl streamforge-testkit -am package
	@$(TESTKIT) -Dslf4j.internal.verbosity=ERROR -Dseeds=$(SEEDS) -Dfrom=$(FROM) -Dbug=$(BUG) io.streamforge.testkit.simulation.Simulate

.PHONY: chaos
chaos: ## kill the process of a job again and again, and look for what is lost or comes twice: KILLS=n FAULTS=disk-full,… STATE=memory,rocksdb
	@scripts/maven -q -Dmaven.test.skip=true -pl streamforge-testkit,streamforge-s3,streamforge-rocksdb -am package
	@$(CHAOS) -Dsun.net.httpserver.nodelay=true -Dkills=$(KILLS) -Dfaults='$(FAULTS)' -Dbackends='$(STATE)' io.streamforge.testkit.chaos.Chaos

.PHONY: golden-update
golden-update: ## write the golden cases anew from what the code does now; review the diff
	scripts/maven -q -pl streamforge-testkit,examples -am test -Dgolden.update=true \
	    -Dtest='$(GOLDEN)' -Dsurefire.failIfNoSpecifiedTests=false
	@git status --short -- docs README.md CONTRIBUTING.md 'streamforge-*/src/test'

.PHONY: clean
clean: ## remove everything that was built
	rm -rf target */target

# Maven takes seconds even when there is nothing to do, so it is asked only when a source changed,
# and heard only when it fails.
examples/target/.built: $(EXAMPLE_SOURCES)
	@echo 'Building…' >&2
	@mkdir -p target && rm -rf examples/target/lib
	@scripts/maven -q -Dmaven.test.skip=true -pl examples -am package > target/build.log 2>&1 \
	    || { cat target/build.log >&2; exit 1; }
	@touch $@
