import type { z } from 'zod';

/**
 * The members of `shape` as a JSON merge patch has them: each may be absent, which keeps what is there, or null, which removes it. No
 * defaults, as absence is not a value.
 */
export function mergePatch(shape: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(shape).map(([member, type]) => [member, withoutDefault(type).nullish()]));
}

function withoutDefault(type: z.ZodType): z.ZodType {
  const { def } = type as z.ZodType & { def: { type: string; innerType?: z.ZodType } };
  const wraps = def.type === 'default' || def.type === 'optional';
  return wraps && def.innerType !== undefined ? withoutDefault(def.innerType) : type;
}
