import { anyOf } from './refusal.ts';
import type { Rule } from './rule.ts';

export const channelRule: Rule = ({ conditions: { channelIds } }, { channelId }) => {
  if (channelIds === undefined) return undefined;
  if (channelId !== undefined && channelIds.has(channelId)) return undefined;
  const given = channelId === undefined ? 'no channel was given' : `this sale is on ${channelId}`;
  return { reason: 'channel-mismatch', detail: `is for sales on channel ${anyOf(channelIds)}, ${given}` };
};
