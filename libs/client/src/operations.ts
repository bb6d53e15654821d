import { dataOf } from './data-of.ts';
import { itemsOf } from './items-of.ts';
import type { Name, Options } from './operation-types.ts';
import { OPERATIONS, type Operations } from './operations.generated.ts';

/** A method of the client that takes paths instead of names. */
type Send = (path: never, init: any) => Promise<{ data?: any; error?: unknown; response: Response }>;
type Sends = Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Send>;
type Request = readonly [method: keyof Sends, path: string, takes?: 'body' | 'query'];
type Call = (...given: unknown[]) => unknown;

/** A method for each operation, in the groups of the document: `orders.create` sends what `createOrder` takes. */
export function operationsOf(sends: Sends): Operations {
  const groups = Object.entries<Record<string, Request>>(OPERATIONS).map(([group, requests]) => {
    const calls = Object.entries(requests).map(([name, request]): [string, Call] => [name, callOf(sends, request)]);
    return [group, Object.fromEntries(calls)];
  });
  return Object.fromEntries(groups) as Operations;
}

function callOf(sends: Sends, [method, path, takes]: Request): Call {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return (...given) => {
    const parts = Object.fromEntries(names.map((name, index) => [name, given[index]]));
    const [input, options] = takes === undefined ? [undefined, given[names.length]] : given.slice(names.length);
    const { headers, query, signal } = (options ?? {}) as Options<Name>;
    const read = (page: object = {}) =>
      sends[method](path as never, {
        params: { path: parts, header: headers, query: takes === 'query' ? { ...(input as object), ...page } : query },
        ...(takes === 'body' && { body: input }),
        ...(signal && { signal }),
      });
    const first = read();
    const data = dataOf(first);
    if (takes !== 'query') return data;
    return Object.assign(data, {
      [Symbol.asyncIterator]: () => {
        // A caller who reads the pages gets an error there.
        data.catch(() => undefined);
        return itemsOf((page) => (page.cursor === undefined ? first : read(page)));
      },
    });
  };
}
