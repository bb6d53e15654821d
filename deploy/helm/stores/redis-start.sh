#!/bin/sh
# Holds only rate limits, which expire within seconds, so nothing is written to disk. If it is ever full, it evicts the
# counters that expire soonest. If it refused writes instead, every gateway would count alone.
# The configuration comes through standard input, so that no process list shows the password.
set -eu
exec redis-server - <<CONFIG
requirepass $REDIS_PASSWORD
maxmemory 64mb
maxmemory-policy volatile-ttl
save ""
appendonly no
CONFIG
