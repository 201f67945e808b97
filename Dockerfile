FROM debian:bookworm-slim
COPY speclab_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends python3 /tmp/speclab_*.deb && rm -rf /var/lib/apt/lists/*
