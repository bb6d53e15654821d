#!/bin/sh
# Not through the image's own entrypoint: it sets a new database up with a server of its own, and never again if that is interrupted.
set -eu
umask 077
rm -f /tmp/ready
# A replica set with users needs a key that its members share, in a file that only their user can read.
printf '%s' "$MONGO_REPLICA_KEY" > /tmp/replica-key
(
  until mongosh --quiet --norc /etc/event-commerce/mongo-set-up.js; do sleep 1; done
  : > /tmp/ready
) &
# A transaction of a process that was killed blocks what it wrote for so long.
exec mongod --setParameter transactionLifetimeLimitSeconds=5 --replSet rs0 --bind_ip_all --keyFile /tmp/replica-key --wiredTigerCacheSizeGB 0.5
