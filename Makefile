# Entry points for developers. Every target installs what it needs (scripts/setup) and builds.
.PHONY: help build run test test-e2e test-cluster check simulate lint format sanitize fuzz bench bench-cluster clean
.DEFAULT_GOAL := help

FUZZ_SECONDS ?= 30
SEEDS ?= 1..20000
# The folders whose code uses threads; the thread sanitizer runs only there.
THREADED ?= net pickerclient cluster kube runtime

help:
	@echo 'make run            build ebb and run a demo cluster, for use with kubectl'
	@echo 'make build          build the program: build/ebb'
	@echo 'make test           build and run the tests'
	@echo 'make test-e2e       test real kubectl, Helm and other clients against ebb up (needs Go)'
	@echo 'make test-cluster   test the controllers on a real kube-apiserver (needs Go)'
	@echo 'make simulate       run the controllers in the simulated world, 20,000 seeds'
	@echo 'make check          test, simulate, lint, sanitizers, a short fuzzing run'
	@echo 'make bench          print benchmark figures, one line each'
	@echo 'make bench-cluster  compare with kube-controller-manager and kube-apiserver, as ratios'
	@echo 'make format         format the code'

build:
	@scripts/setup build
	@scripts/build release ebb ebb-sim ebb-protobuf
	@scripts/check-hardening build/release/ebb
	@ln -sf release/ebb build/ebb

run: build
	@build/ebb up --demo

test:
	@scripts/setup build test
	@scripts/build-and-test release

# E2E='-k drain' selects tests.
test-e2e: build
	@scripts/test-e2e $(E2E)

# CLUSTER='-k handover' selects tests; CLUSTER='--systems stock' runs them on the stock controllers.
test-cluster: build
	@scripts/test-cluster $(CLUSTER)

check: test simulate lint sanitize fuzz

# `make test` runs 2,000 seeds; SEEDS=1..100 selects others here.
simulate: build
	@build/release/ebb-sim --seeds $(SEEDS)
	@build/release/ebb-sim --seeds $(SEEDS) --webhook

# TIDY_SECONDS=300 limits clang-tidy, which starts with the files that changed last.
lint:
	@scripts/setup build test check
	@scripts/lint $(TIDY_SECONDS)

format:
	@scripts/setup check
	@git ls-files -co --exclude-standard '*.cc' '*.h' | xargs clang-format-14 -i

# SANITIZED='net pickerclient' runs the tests of some folders under the address sanitizer; an empty
# THREADED leaves the thread sanitizer out.
sanitize:
	@scripts/setup build test check
	@scripts/build-and-test asan $(SANITIZED)
	@$(if $(THREADED),scripts/build-and-test tsan $(THREADED))

fuzz:
	@scripts/setup build check
	@scripts/fuzz $(if $(FUZZ_TOTAL),--total $(FUZZ_TOTAL),$(FUZZ_SECONDS)) $(FUZZ_SUBJECTS)

# BENCH=cluster selects benchmarks.
bench:
	@scripts/setup build bench
	@scripts/build release -DEBB_BENCH=ON ebb_bench
	@build/release/bench/ebb_bench $(BENCH)

# BENCH_CLUSTER=--quick does a tenth of the work.
bench-cluster: build
	@scripts/bench-cluster $(BENCH_CLUSTER)

clean:
	rm -rf build
