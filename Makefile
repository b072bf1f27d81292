SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# Builds take the exact versions of Package.swift.
export CONTENTC_EXACT := 1
# The release program contains all libraries but libcrypto, whose security fixes come with the system's updates, and
# exports nothing. Modules are checked once instead of twice, and short relocations take 2 MB less. The folder of archives
# is made in a step of its own, because a shell goes on after an error in an argument. Assertions in C name their file:
# without the path of this folder, builds in two folders give equal programs. Public functions that nobody calls are
# removed at link time, which takes 2.4 MB less.
RELEASE = archives=$$(Scripts/link-archives.sh .build/archives) && \
  swift build -c release --static-swift-stdlib --product contentc -debug-info-format none \
  -Xswiftc -no-emit-module-separately-wmo -Xswiftc -use-ld=lld --pkg-config-path "$$archives" \
  -Xswiftc -Xfrontend -Xswiftc -internalize-at-link -Xswiftc -Xfrontend -Xswiftc -function-sections \
  -Xcc -ffile-prefix-map="$$PWD=." -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs
CONTENTC := .build/release/contentc
# A release build with tests, in a folder of its own. Only some modules are optimized (Package.swift), and the compiler
# checks each module once instead of twice.
TESTED := CONTENTC_TESTED=1 swift build -c release --scratch-path .build/tested -Xswiftc -enable-testing \
  -Xswiftc -Onone -Xswiftc -no-emit-module-separately-wmo
# Formats the scripts of the preview's page, with the settings in deno.json.
DENO = DENO_DIR=.build/tools/deno/cache DENO_NO_UPDATE_CHECK=1 "$$(Scripts/install-deno.sh .build/tools/deno)"
.PHONY: help setup setup-page setup-servers setup-judges run release demo test nightly unit check page docs site package format golden bench instructions clean build-tests tools-bench \
  dist test-dist install uninstall

help:  ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | awk -F'|' '{ printf "  make %-13s %s\n", $$1, $$2 }'

setup:  ## install what builds and `swift test` need
	@Scripts/install-packages.sh libyaml-dev libexpat1-dev zlib1g-dev libdeflate-dev libcurl4-openssl-dev libssl-dev \
	  libcmark-gfm-dev libcmark-gfm-extensions-dev libqrencode-dev pkg-config python3 curl openssl

setup-page: setup  ## install what checks the scripts of the preview's page
	@Scripts/install-packages.sh nodejs node-typescript
	@Scripts/install-deno.sh .build/tools/deno >/dev/null

# It depends on setup-page, because apt and the shared pip run one installation at a time.
setup-servers: setup-page  ## install the servers and the browser that `make test` starts
	@Scripts/install-packages.sh apache2 caddy haproxy libnginx-mod-http-cache-purge libplist-utils nginx openssh-client \
	  bash-completion bsdextrautils fish groff man-db mandoc squid trafficserver varnish varnish-modules zbar-tools \
	  zsh
	@Scripts/install-seaweedfs.sh .build/tools/seaweedfs >/dev/null
	@Scripts/install-rclone.sh .build/tools/rclone >/dev/null
	@Scripts/install-browser.sh .build/tools/browser >/dev/null
	@Scripts/install-ci-judges.sh .build/tools/ci >/dev/null
	@Scripts/install-site-builder.sh .build/tools/site >/dev/null

setup-judges: setup-servers  ## install the programs and files with which `make nightly` compares
	@Scripts/install-packages.sh libreoffice-calc-nogui
	@Scripts/install-pyyaml.sh
	@Scripts/install-botocore.sh
	@Scripts/install-cmark-spec.sh .build/tools/cmark-gfm >/dev/null
	@Scripts/install-moto.sh .build/tools/moto >/dev/null
	@Scripts/install-yaml-files.sh .build/tools/yaml >/dev/null
	@Scripts/install-edgegrid.sh .build/tools/edgegrid >/dev/null
	@Scripts/install-babel.sh .build/tools/babel >/dev/null
	@Scripts/install-sarif-judge.sh .build/tools/sarif >/dev/null
	@Scripts/install-translation-judges.sh .build/tools/translations >/dev/null

release: setup  ## build the release program
	$(RELEASE)

run: release  ## install missing packages, build, and preview content/ in a browser
	$(CONTENTC) build
	$(CONTENTC) preview

demo: setup  ## show the system: nginx, a publication, and the example app in a terminal
	@Scripts/install-packages.sh nginx
	$(RELEASE)
	swift build --package-path Examples/flowershop
	@Scripts/demo.sh $(CONTENTC) \
	  "$$(swift build --package-path Examples/flowershop --show-bin-path)/flowershop"

unit: build-tests  ## run the tests that need no server, faster than `swift test` (TESTS="[.]PurgeTests": only these)
	Scripts/run-tests.py $(if $(TESTS),'$(TESTS)')

test: setup-servers build-tests page  ## run the tests (TESTS: as for `unit`)
	CONTENTC_SERVERS=1 Scripts/run-tests.py $(if $(TESTS),'$(TESTS)')

nightly: setup-judges build-tests page  ## run all tests, also slow ones, and an earlier contentc beside this one (TESTS: as for `unit`)
	CONTENTC_SERVERS=1 CONTENTC_NIGHTLY=1 Scripts/run-tests.py $(if $(TESTS),'$(TESTS)')
	Scripts/check-old-program.py "$$($(TESTED) --show-bin-path)/contentc"
	$(MAKE) package
	$(MAKE) test-dist

check: setup page  ## check the format and the rules for sources and documents
	swift format lint --strict --recursive Sources Tests Examples Package.swift
	Scripts/check-source.sh
	Scripts/generate-time-zones.py --check

page: setup-page  ## check the format and types of the scripts of the preview's page, and run their unit tests
	$(DENO) fmt --check
	tsc --project Sources/PreviewPage
	tsc --project Sources/PreviewPage/tsconfig.typed.json
	node --test Tests/ContentPreviewTests/Page/*.test.mjs

dist: release  ## pack the release program into dist/ (SIGN=key.pem: sign the checksums)
	@Scripts/install-packages.sh binutils dpkg-dev openssl
	Scripts/dist.py pack $(if $(SIGN),--sign "$$SIGN") $(CONTENTC)

test-dist: dist  ## try the packages in bare Debian folders, as root (REBUILD=1: also build in another folder, and compare)
	@Scripts/install-packages.sh lintian mmdebstrap
	Scripts/check-dist.py $(CONTENTC) dist $(if $(REBUILD),--rebuild)
	"$$(Scripts/install-dockerfile-parser.sh .build/tools/dockerfile)" Scripts/check-dockerfile.py dist \
	  "$$(Scripts/install-debian-root.sh .build/tools/debian)"

# Only the owner of the sources builds: after 'sudo make install', the owner could not build any more.
install: $(shell test -O . && echo release)  ## install below PREFIX, which is /usr/local if nothing else is said (DESTDIR: a folder before it)
	@Scripts/install-packages.sh binutils
	PYTHONDONTWRITEBYTECODE=1 Scripts/dist.py install --prefix "$${PREFIX:-/usr/local}" --destdir "$${DESTDIR:-}" $(CONTENTC)

uninstall:  ## remove what `make install` wrote (PREFIX, DESTDIR: as for `install`)
	PYTHONDONTWRITEBYTECODE=1 Scripts/dist.py uninstall --prefix "$${PREFIX:-/usr/local}" --destdir "$${DESTDIR:-}"

docs: setup  ## build the documentation of the libraries; fail on a warning
	Scripts/build-docs.sh $(TESTED) $(BUILD_FLAGS)

site: docs  ## build a site with search from docs/ and the documentation of the libraries, in .build/site, and check its links
	Scripts/build-site.sh

package: setup  ## build an app that depends on the last commit by tag, and run the programs of read-from-swift.md in it
	swift build --product contentc
	env -u CONTENTC_EXACT Scripts/check-client-package.py "$$(swift build --show-bin-path)/contentc"

format:  ## format the sources in place
	$(DENO) fmt
	swift format --in-place --recursive Sources Tests Examples Package.swift

# `CheckedOutFiles.expect` fails in tests with other names.
golden: build-tests  ## record the golden files, and list the changed ones
	-RECORD_GOLDEN=1 Scripts/run-tests.py '/documents|Recorded'
	@echo "recorded; changed files:"
	@git status --short -- Tests docs
	@git diff --stat -- Tests docs

bench: setup-servers tools-bench  ## compare with other programs, and print a table (BENCH="cold-S hugo": only these groups)
	$(RELEASE)
	python3 Benchmarks/run.py $(CONTENTC) $(BENCH)

instructions: setup  ## compare counts of instructions with the recorded ones (RECORD=1 records them)
	@Scripts/install-packages.sh valgrind binutils
	python3 Benchmarks/tests.py
	$(TESTED) --product contentc $(BUILD_FLAGS)
	python3 Benchmarks/instructions.py "$$($(TESTED) --show-bin-path)/contentc" $(if $(RECORD),--record)

clean:  ## remove all build results
	swift package clean
	find out -mindepth 1 -maxdepth 1 ! -name README.md ! -name .gitignore -exec rm -r {} +

build-tests: setup
	$(TESTED) --build-tests $(BUILD_FLAGS)

tools-bench:
	@Scripts/install-packages.sh gcc python3-venv
	@Scripts/install-pyyaml.sh
