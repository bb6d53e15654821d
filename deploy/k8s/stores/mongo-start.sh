#!/bin/sh
# A replica set with users needs a key that its members share, in a file that only their user can read.
set -eu
umask 077
printf '%s' "$MONGO_REPLICA_KEY" > /tmp/replica-key
exec docker-entrypoint.sh mongod --replSet rs0 --bind_ip_all --keyFile /tmp/replica-key --wiredTigerCacheSizeGB 0.5
