# The API with its embedded store, for machines without Firebase: docs/self-hosting.md.
# Both base images are pinned. Others, of a mirror for example, are named with --build-arg.
ARG BUILD_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ARG RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian13:nonroot@sha256:9eeb7f5887d0e239e78264b06f7f11d2e14be534050481803a9e4728fcdd278e

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY functions/package.json functions/package-lock.json functions/tsconfig.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY functions/scripts scripts
COPY functions/src src
RUN node scripts/build.mjs
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund
# The code of most of these is in lib/; the others belong to the Firebase door, which the server does not load.
RUN cd node_modules && rm -r @anthropic-ai @babel @google/genai @google-cloud/functions-framework @modelcontextprotocol @pydantic commander eventsource-parser firebase-functions google-auth-library openai re2js string-width swagger-ui-dist tinyld ws zod
# The function of Firebase is for deployments, what belongs to `npm start` and `npm run doctor` for a checkout. Source maps and types are a third of all bytes, and nothing reads them.
RUN rm lib/index.js lib/index.cjs lib/seed.js lib/doctor.js lib/env-files.js lib/probe.js node_modules/.built && find lib node_modules/ -type f \( -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' -o -name '*.test.js' \) -delete
RUN mkdir data

FROM ${RUNTIME_IMAGE}
LABEL org.opencontainers.image.title="Ensemble API" org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY LICENSE functions/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/lib lib
# A new volume takes its owner from here.
COPY --from=build --chown=65532:65532 /build/data /data
ENV NODE_ENV=production PORT=8080 DATA_DIR=/data PATH=/nodejs/bin
USER 65532:65532
VOLUME ["/data"]
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health', { signal: AbortSignal.timeout(4000) }).then(({ ok, status }) => ok || Promise.reject('status ' + status)).catch((why) => { console.error(why.cause?.message ?? why.message ?? why); process.exit(1) })"]
# Node itself is the first process: it gets the signals. Other programs of the image are named instead of the second line.
ENTRYPOINT ["/nodejs/bin/node"]
CMD ["--max-semi-space-size=8", "--v8-pool-size=2", "lib/server.js"]
