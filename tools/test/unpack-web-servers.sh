#!/usr/bin/env bash
# Unpacks nginx, Apache and Caddy of Debian into dist/web-servers, where the tests of fixes find them; nothing is
# installed or started. Where the packages cannot be had the configurations in fixes are parsed, but not loaded.
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v apt-get >/dev/null && command -v dpkg >/dev/null || exit 0

folder=dist/web-servers
mkdir -p "$folder/packages"
if [ "$(id -u)" -eq 0 ]; then timeout 60 apt-get update -qq; fi
for name in nginx nginx-core caddy apache2-bin libapr1 libaprutil1 libapr1t64 libaprutil1t64; do
  (cd "$folder/packages" && timeout 60 apt-get download -qq "$name")
done
for package in "$folder"/packages/*.deb; do
  if [ -f "$package" ]; then dpkg -x "$package" "$folder"; fi
done
exit 0
