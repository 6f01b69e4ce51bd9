# The image of the server. It speaks plain http to a proxy: see docs/install.md.
# A release replaces this stage with its own tarballs.
FROM node:24-trixie-slim@sha256:50c3b2f6988dfc307b86e5301d69611af31f4789bdf232863b07d3b02fe55ae0 AS packages
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts && npm run build \
  && node tools/build/pack.js shipscore-server \
  && npm pack --pack-destination=/ ./dist/package/shipscore-server

FROM node:24-trixie-slim@sha256:50c3b2f6988dfc307b86e5301d69611af31f4789bdf232863b07d3b02fe55ae0 AS build
COPY --from=packages /shipscore-server-*.tgz /tmp/
RUN npm install --global --prefix=/opt/shipscore --ignore-scripts /tmp/shipscore-server-*.tgz

FROM debian:trixie-slim@sha256:a99cfc517144bc59b1978475ec53b46ecabec7e43635402ee5b77cc54cd1b20a
RUN groupadd --system --gid=10001 shipscore \
  && useradd --system --uid=10001 --gid=10001 --home-dir=/var/lib/shipscore --shell=/usr/sbin/nologin shipscore \
  && install --directory --mode=700 --owner=10001 --group=10001 /var/lib/shipscore
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /opt/shipscore /opt/shipscore
ENV PATH=/opt/shipscore/bin:/usr/local/bin:/usr/bin:/bin \
  SHIPSCORE_DATA_DIR=/var/lib/shipscore
VOLUME ["/var/lib/shipscore"]
USER 10001:10001
EXPOSE 7070
# After this signal, the server accepts nothing new, and running work gets 25 s to finish.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:7070/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["shipscore-server"]
CMD ["start", "--host", "0.0.0.0"]
