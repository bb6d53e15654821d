import type { Document } from 'bson';
import type { Socket } from 'node:net';

/** What the primary of a replica set of one, reached at `address`, reports about itself. */
export function hello(socket: Socket, address: string): Document {
  return {
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    secondary: false,
    setName: 'rs0',
    setVersion: 1,
    hosts: [address],
    primary: address,
    me: address,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 25_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: socket.remotePort ?? 0,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
  };
}

/** Replies to what tools ask when they connect. */
export const FIXED_REPLIES: Readonly<Record<string, Document>> = {
  buildinfo: {
    version: '7.0.0',
    versionArray: [7, 0, 0, 0],
    bits: 64,
    maxBsonObjectSize: 16_777_216,
    modules: [],
  },
  getparameter: { featureCompatibilityVersion: { version: '7.0' } },
  connectionstatus: {
    authInfo: { authenticatedUsers: [], authenticatedUserRoles: [], authenticatedUserPrivileges: [] },
  },
  getlog: { totalLinesWritten: 0, log: [] },
  hostinfo: { system: {}, os: {}, extra: {} },
  getcmdlineopts: { argv: [], parsed: {} },
};
