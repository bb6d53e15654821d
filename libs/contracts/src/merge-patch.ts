import { z } from 'zod';
import { type MemberNotes, memberNotes } from './members.ts';

type Unwrapped<T> = T extends z.ZodDefault<infer Inner> | z.ZodOptional<infer Inner> ? Unwrapped<Inner> : T;
type Patched<Shape> = {
  [Member in keyof Shape]: Shape[Member] extends z.ZodDefault | z.ZodOptional
    ? z.ZodOptional<z.ZodNullable<Unwrapped<Shape[Member]> & z.ZodType>>
    : z.ZodOptional<Shape[Member] & z.ZodType>;
};

/**
 * A JSON merge patch of an object of `shape`: each member may be absent, which keeps what is there, or null, which
 * removes it if it is not required. No defaults, as absence is not a value.
 */
export function mergePatch<Shape extends Readonly<Record<string, z.ZodType>>>(
  shape: Shape,
  notes: Omit<MemberNotes, 'isPatch'> = {},
): z.ZodObject<Patched<Shape>> {
  const members = Object.entries(shape).map(([member, type]) => {
    const bare = withoutDefault(type);
    return [member, bare === type ? type.optional() : bare.nullish()];
  });
  return z.object(Object.fromEntries(members) as Patched<Shape>).register(memberNotes, { ...notes, isPatch: true });
}

function withoutDefault(type: z.ZodType): z.ZodType {
  const { def } = type as z.ZodType & { def: { type: string; innerType?: z.ZodType } };
  const wraps = def.type === 'default' || def.type === 'optional';
  return wraps && def.innerType !== undefined ? withoutDefault(def.innerType) : type;
}
