#!/bin/sh
# Bypasses the image's entrypoint, which sets up a new database on a temporary server, and never resumes if it is interrupted.
set -eu
umask 077
rm -f /tmp/ready
# A replica set with users needs a key that its members share, in a file that only their user can read.
printf '%s' "$MONGO_REPLICA_KEY" > /tmp/replica-key
(
  until mongosh --quiet --norc /etc/event-commerce/mongo-set-up.js; do sleep 1; done
  : > /tmp/ready
) &
# The transaction of a killed process blocks the documents that it wrote until this time is over.
exec mongod --setParameter transactionLifetimeLimitSeconds=5 --replSet rs0 --bind_ip_all --keyFile /tmp/replica-key --wiredTigerCacheSizeGB 0.5
