#!/usr/bin/env bash
# Unpacks nginx, Apache, Caddy, PgBouncer, Prometheus, systemd-analyze, gnutls-serv, certutil and debootstrap of Debian into
# dist/unpacked, where the tests find them. Installs and starts nothing. Tests of a program that is unavailable are skipped, with a
# message.
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v apt-get >/dev/null && command -v dpkg >/dev/null || exit 0

folder=dist/unpacked
mkdir -p "$folder/packages"
if [ "$(id -u)" -eq 0 ]; then timeout 60 apt-get update -qq; fi
for name in nginx nginx-core caddy apache2-bin libapr1 libaprutil1 libapr1t64 libaprutil1t64 \
  pgbouncer libcares2 libc-ares2 libevent-2.1-7 libevent-2.1-7t64 prometheus \
  systemd libsystemd-shared gnutls-bin libgnutls-dane0 libunbound8 libnss3-tools debootstrap; do
  (cd "$folder/packages" && timeout 60 apt-get download -qq "$name")
done
for package in "$folder"/packages/*.deb; do
  if [ -f "$package" ]; then dpkg -x "$package" "$folder"; fi
done
exit 0
