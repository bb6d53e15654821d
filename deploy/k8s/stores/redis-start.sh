#!/bin/sh
# Rate limits only, each good for seconds: nothing is written to disk. Should it ever be full, the counters that end
# soonest go; refusing writes instead would leave every gateway to count alone.
# The configuration comes through standard input, so that no process list shows the password.
set -eu
exec redis-server - <<CONFIG
requirepass $REDIS_PASSWORD
maxmemory 64mb
maxmemory-policy volatile-ttl
save ""
appendonly no
CONFIG
