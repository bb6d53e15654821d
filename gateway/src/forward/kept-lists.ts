import type { KeptList } from '@event-commerce/bus';
import { LRUCache } from 'lru-cache';

/**
 * The lists that make up most of companies' long responses, in at most `bytesMax` of memory. One list may take half of
 * it, so that it never evicts all others.
 */
export function createKeptLists(bytesMax: number) {
  const lists = new LRUCache<string, KeptList>({
    maxSize: bytesMax,
    maxEntrySize: bytesMax / 2,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });

  return {
    find: (about: string): KeptList | undefined => lists.get(about),

    keep(about: string, { digest, bytes }: KeptList): void {
      if (lists.peek(about)?.digest === digest) return;
      // A copy, because it is part of a larger buffer that would be kept too.
      if (bytes.length <= bytesMax / 2) lists.set(about, { digest, bytes: Uint8Array.from(bytes) });
      else lists.delete(about);
    },
  };
}
