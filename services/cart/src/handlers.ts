import { alreadyExists, seatsTaken, tableNotFound } from '@event-commerce/contracts';
import {
  type Handlers,
  makeOnce,
  refuseOtherVersion,
  refuseReadOnly,
  retryOnConflict,
  versionConflict,
} from '@event-commerce/service-kit';
import { isAlive } from './sessions/session-record.ts';
import { toTableCommitment } from './tables/table-record.ts';
import type { TableRepository } from './tables/table.repository.ts';
import type { ChangeRequest, ChangeSession } from './sessions/change-session.ts';
import { type FollowOrderDeps, withOrderFollowed } from './sessions/follow-order.ts';
import type { JoinTable } from './tables/join-table.ts';
import { leaveTable } from './tables/leave-table.ts';
import { listSessions, type ReadDeps, readSession, showSession } from './sessions/read-session.ts';

interface HandlerDeps extends ReadDeps, FollowOrderDeps {
  tables: TableRepository;
  changeSession: ChangeSession;
  joinTable: JoinTable;
}

/** The handlers of cart's operations. */
export function cartHandlers(deps: HandlerDeps): Handlers<'cart'> {
  const { changeSession, sessions, tables, clock } = deps;
  const change = async (request: ChangeRequest) =>
    await withOrderFollowed(deps, request.caller, request.id, async () => changeSession(request));
  return {
    createCartSession: async ({ caller, ifMatch, body: { id: ownId, ...input } }) =>
      makeOnce(caller, 'cs', {
        find: async (key) => {
          const standing = await sessions.load(caller.tenant, ownId ?? key);
          const wasMadeByThisRequest = isAlive(standing, clock()) && (standing.madeAs ?? standing.sessionId) === key;
          return wasMadeByThisRequest ? await showSession(deps, caller, standing) : undefined;
        },
        make: (key) =>
          changeSession({ caller, ifMatch, id: ownId ?? key, madeAs: key, change: { kind: 'create', input } }),
      }),

    listCartSessions: async ({ caller, query }) => listSessions(deps, caller, query),

    getCartSession: async ({ caller, params: { id } }) => readSession(deps, caller, id),

    updateCartSession: async ({ caller, ifMatch, params: { id }, body }) =>
      change({ caller, ifMatch, id, change: { kind: 'patch', input: body } }),

    setCartItem: async ({ caller, ifMatch, params: { id }, body }) =>
      change({ caller, ifMatch, id, change: { kind: 'set-item', input: body } }),

    joinTable: async ({ caller, ifMatch, params: { id: sessionId }, body: { tableCommitmentId: tableId, seats } }) => {
      const join = { caller, sessionId, tableId, seats, ifMatch };
      return await showSession(
        deps,
        caller,
        await withOrderFollowed(deps, caller, sessionId, async () => deps.joinTable(join)),
      );
    },

    leaveTable: async ({ caller, ifMatch, params: { id: sessionId } }) => {
      const leave = { caller, sessionId, ifMatch };
      return await showSession(
        deps,
        caller,
        await withOrderFollowed(deps, caller, sessionId, async () => leaveTable(deps, leave)),
      );
    },

    createTableCommitment: async ({ caller, body: { id: ownId, ...input } }) => {
      const table = await makeOnce(caller, 'tbl', {
        find: async (key) => {
          const standing = await tables.load(caller.tenant, ownId ?? key);
          return standing !== undefined && (standing.madeAs ?? standing.tableId) === key ? standing : undefined;
        },
        make: async (key) => {
          const id = ownId ?? key;
          const made = await tables.create(caller, { id, madeAs: key }, input, clock());
          if (made === undefined) throw alreadyExists('table commitment', id);
          return made;
        },
      });
      return toTableCommitment(table);
    },

    listTableCommitments: async ({ identity: { tenant }, query }) => tables.page(tenant, query),

    getTableCommitment: async ({ identity: { tenant }, params: { id } }) => {
      const table = await tables.load(tenant, id);
      if (table === undefined) throw tableNotFound(id);
      return toTableCommitment(table);
    },

    updateTableCommitment: async ({ caller, ifMatch, params: { id }, body: { seats, ...others } }) => {
      const changed = await retryOnConflict(async () => {
        const before = await tables.load(caller.tenant, id);
        if (before === undefined) throw tableNotFound(id);
        refuseReadOnly(others, toTableCommitment(before), 'close the table and create another');
        if (seats === undefined || seats === before.seats) return before;
        const table = await tables.setSeats(caller, before, seats, ifMatch, clock());
        if (table === undefined || table.seats === seats) return table;
        refuseOtherVersion(ifMatch, 'table commitment', table.version);
        if (table.seatsTaken > seats) throw seatsTaken(id, table.seatsTaken, seats);
        return undefined;
      }, versionConflict('The table commitment'));
      return toTableCommitment(changed);
    },

    closeTableCommitment: async ({ caller, ifMatch, params: { id } }) => {
      const closed = await retryOnConflict(async () => {
        const table = await tables.close(caller, id, ifMatch, clock());
        if (table === undefined) throw tableNotFound(id);
        if (table.status === 'closed') return table;
        refuseOtherVersion(ifMatch, 'table commitment', table.version);
        return undefined;
      }, versionConflict('The table commitment'));
      return toTableCommitment(closed);
    },
  };
}
