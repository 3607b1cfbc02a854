# The front door. Every target installs what it needs (scripts/setup) and builds.
.PHONY: help build run test test-e2e test-cluster check simulate lint format sanitize fuzz bench bench-cluster clean
.DEFAULT_GOAL := help

FUZZ_SECONDS ?= 30
SEEDS ?= 1..20000
# The folders that have threads; nothing else can race.
THREADED := net asker cluster kube runtime

help:
	@echo 'make run            run a small cluster with workloads in it, for kubectl to talk to'
	@echo 'make build          build the program: build/ebb'
	@echo 'make test           build and run the tests'
	@echo 'make test-e2e       real kubectl, Helm and other clients against ebb up (needs Go)'
	@echo 'make test-cluster   the controllers on a real kube-apiserver (needs Go)'
	@echo 'make simulate       the controllers in the simulated world, 20,000 seeds'
	@echo 'make check          test, format, tidy, sanitizers, a short fuzzing run'
	@echo 'make bench          measure; one line a figure'
	@echo 'make bench-cluster  ours against kube-controller-manager and kube-apiserver, as ratios'
	@echo 'make format         put the code in its format'

build:
	@scripts/setup build
	@cmake --preset release >/dev/null
	@cmake --build build/release
	@ln -sf release/ebb build/ebb

run: build
	@build/ebb up --demo

test:
	@scripts/setup build test
	@scripts/build-and-test dev

# E2E='-k drain' runs a part.
test-e2e: build
	@scripts/test-e2e $(E2E)

# CLUSTER='-k handover' runs a part, CLUSTER='--systems stock' rehearses with the stock controllers.
test-cluster: build
	@scripts/test-cluster $(CLUSTER)

check: test simulate lint sanitize fuzz

# Tests run 2,000 seeds; SEEDS=1..100 runs others.
simulate: build
	@build/release/ebb-sim --seeds $(SEEDS)

lint:
	@scripts/setup build test check
	@scripts/lint

format:
	@scripts/setup check
	@git ls-files -co --exclude-standard '*.cc' '*.h' | xargs clang-format-14 -i

sanitize:
	@scripts/setup build test
	@scripts/build-and-test asan
	@scripts/build-and-test tsan $(THREADED)

fuzz:
	@scripts/setup build check
	@scripts/fuzz $(FUZZ_SECONDS)

# BENCH=cluster runs a part.
bench:
	@scripts/setup build bench
	@cmake --preset bench >/dev/null
	@cmake --build build/bench
	@build/bench/bench/ebb_bench $(BENCH)

# BENCH_CLUSTER=--quick does a tenth of the work.
bench-cluster: build
	@scripts/bench-cluster $(BENCH_CLUSTER)

clean:
	rm -rf build
