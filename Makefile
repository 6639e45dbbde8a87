# The two commands are `make run` and `make test`; `make help` lists the rest.
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
KILLS ?= 1000
PREFIX ?= /usr/local
export JOBS FUZZ_SECONDS
.DEFAULT_GOAL := build
.PHONY: build run test deps deps-build deps-test deps-package bench sanitize tsan fuzz stress load format tidy coverage \
        transcripts docs stacks tests-built units install deb clean help

build: deps-build          ## build the program at build/sextant
	@test -f build/build.ninja || cmake -S . -B build -G Ninja --log-level=NOTICE -DSEXTANT_TESTS=OFF
	@cmake --build build --parallel $(JOBS) --target sextant

run: build                 ## build the program and show the main job
	@scripts/main_job.sh

test: deps                 ## every check that must pass before a change is accepted
	@scripts/test.sh

deps: deps-build deps-test ## install the Debian packages that are missing
deps-build:
	@scripts/deps.sh build
deps-test:
	@scripts/deps.sh test
deps-package:
	@scripts/deps.sh package

tests-built: deps
	@cmake -S . -B build -G Ninja --log-level=NOTICE -DSEXTANT_TESTS=ON
	@cmake --build build --parallel $(JOBS)

bench: tests-built         ## run the benchmarks
	@build/bench/sextant_bench

sanitize: deps             ## unit tests under the address and undefined-behaviour sanitizers
	@scripts/sanitize.sh build
	@scripts/sanitize.sh run

tsan: deps                 ## what is threaded, under the thread sanitizer
	@scripts/tsan.sh

fuzz: deps                 ## fuzz every reader for FUZZ_SECONDS (60) each
	@scripts/fuzz.sh

stress: tests-built        ## kill KILLS (1000) writers of records, and a daemon 100 times, and check what is left
	@build/tests/kill_writer $(KILLS)
	@for method in edf sextant; do \
	  build/tests/daemon_kills build/sextant build/tests/scratch/daemon_kills 10000 100 $$method || exit 1; done

load: tests-built          ## 500 submissions a second to a daemon, for a minute
	@for method in edf sextant; do \
	  build/tests/daemon_load build/sextant build/tests/scratch/daemon_load 500 60 $$method || exit 1; done

format: deps               ## format the C++ files
	@scripts/format.sh

tidy: tests-built          ## clang-tidy on what changed since it last passed
	@scripts/tidy.sh all

units: deps                ## compile every source alone: each includes what it uses
	@scripts/units.sh

install: build             ## install programs, manual, completion, library and headers below PREFIX (/usr/local)
	@cmake --build build --parallel $(JOBS) --target sextant_library sextant_manual
	@cmake --install build --prefix "$(PREFIX)"

deb: build deps-package    ## make the Debian packages sextant and sextant-worker in build/packages
	@cmake --build build --parallel $(JOBS) --target sextant_manual
	@cd build && cpack -G DEB

coverage: deps             ## line coverage of the unit tests, as HTML in build/coverage/html
	@scripts/deps.sh coverage
	@scripts/coverage.sh

stacks: build              ## fit the shipped stacks again and write docs/accuracy.md (SEXTANT_DATA)
	@scripts/stacks.sh

transcripts: tests-built   ## rewrite the outputs in the documents and examples; review the diff
	@scripts/transcripts.sh

docs: build                ## write the generated reference pages again
	@build/sextant reference > docs/reference/commands.md
	@build/sextant plan daemon --openapi > docs/reference/daemon-openapi.json

clean:                     ## remove everything that was built
	rm -rf build

help:                      ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
