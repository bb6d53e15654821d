import { z } from 'zod';
import { type MemberNotes, memberNotes } from './member-notes.ts';
import { isObject } from './members.ts';

type Unwrapped<T> = T extends z.ZodDefault<infer Inner> | z.ZodOptional<infer Inner> ? Unwrapped<Inner> : T;
type PatchOf<T> = T extends z.ZodObject<infer Shape> ? z.ZodObject<Patched<Shape>> : T & z.ZodType;
type Patched<Shape> = {
  [Member in keyof Shape]: Shape[Member] extends z.ZodDefault | z.ZodOptional
    ? z.ZodOptional<z.ZodNullable<PatchOf<Unwrapped<Shape[Member]>>>>
    : z.ZodOptional<PatchOf<Shape[Member]>>;
};

const readOnlyMember = z
  .unknown()
  .optional()
  .meta({ readOnly: true, description: 'Cannot be changed; may be sent back as it is.' });

/**
 * Members that are set only at the creation of a record. A patch accepts them, so that a different value can be
 * refused.
 */
export function readOnly<Name extends string>(...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, readOnlyMember])) as Record<Name, typeof readOnlyMember>;
}

/**
 * The schema of a JSON merge patch (RFC 7396) of an object of `shape`, and of the objects in it: each member may be
 * absent, which keeps the present value, or null, which removes it if it is not required. There are no defaults,
 * because absence is not a value, and no rules between members, because the other one may be stored: validate the
 * result.
 */
export function mergePatch<Shape extends Readonly<Record<string, z.ZodType>>>(
  shape: Shape,
  notes: Omit<MemberNotes, 'isPatch'> = {},
): z.ZodObject<Patched<Shape>> {
  return z.object(patchedMembers(shape) as Patched<Shape>).register(memberNotes, { ...notes, isPatch: true });
}

function patchedMembers(shape: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  const members = Object.entries(shape).map(([member, type]) => {
    if (type === readOnlyMember) return [member, type];
    const bare = withoutDefault(type);
    const patch = bare instanceof z.ZodObject ? patchOfObject(bare) : bare;
    return [member, bare === type ? patch.optional() : patch.nullish()];
  });
  return Object.fromEntries(members);
}

function patchOfObject({ shape, def }: z.ZodObject): z.ZodObject {
  const members = patchedMembers(shape);
  const isStrict = def.catchall instanceof z.ZodNever;
  return (isStrict ? z.strictObject(members) : z.object(members)).register(memberNotes, { isPatch: true });
}

function withoutDefault(type: z.ZodType): z.ZodType {
  const { def } = type as z.ZodType & { def: { type: string; innerType?: z.ZodType } };
  const wraps = def.type === 'default' || def.type === 'optional';
  return wraps && def.innerType !== undefined ? withoutDefault(def.innerType) : type;
}

/** `target` changed by a JSON merge patch: objects are merged member by member, null removes a member. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, applyMergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
