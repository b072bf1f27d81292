# An image in which contentc runs as another user than root (docs/guides/docker.md):
#
#   make dist
#   docker build --tag contentc .
#
# Scripts/check-dockerfile.py runs these steps, and contentc, without a container engine.

# A tag gets Debian's security updates with the next build; `--build-arg BASE=debian@sha256:…` pins one version.
ARG BASE=debian:bookworm-slim
FROM ${BASE}

LABEL org.opencontainers.image.title="contentc" \
      org.opencontainers.image.description="A static content compiler and publisher for apps"

# A mount leaves no copy of the package in the image. Commands that use the network need the last two packages.
RUN --mount=type=bind,source=dist,target=/dist \
    set -eu; \
    apt-get update; \
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
      /dist/contentc_*_"$(dpkg --print-architecture)".deb libcurl4 ca-certificates; \
    apt-get clean; \
    rm -rf /var/lib/apt/lists/*

# The number is fixed, so that others can give files to this user. No user of Debian has it.
RUN set -eu; \
    groupadd --gid 10001 contentc; \
    useradd --uid 10001 --gid 10001 --no-log-init --no-create-home --home-dir /var/lib/contentc \
      --shell /usr/sbin/nologin contentc; \
    install --directory --owner=10001 --group=10001 /var/lib/contentc /work

# Also for other users that `docker run --user` names: settings and credentials are mounted here.
ENV HOME=/var/lib/contentc
USER 10001:10001
WORKDIR /work
# The first process of a container ignores signals without a handler. All commands handle Control-C.
STOPSIGNAL SIGINT
ENTRYPOINT ["contentc"]
CMD ["--help"]
