// Callers may call the members of their own objects anything. A database reads a dot as a path, and a dollar as an
// operator or, as in `$ref`, as a type of its own: those names are stored with these characters escaped.

const ESCAPED = /[%.$]/;
const ALL_ESCAPED = /[%.$]/g;
const ESCAPES = /%(25|2E|24)/g;

/** `value` as it is stored. The same object if no name in it is escaped. */
export function withStoredNames<T>(value: T): T {
  return renamed(value, (name) => (ESCAPED.test(name) ? name.replaceAll(ALL_ESCAPED, escapeOf) : name)) as T;
}

/** `value` as it was given to `withStoredNames`. */
export function withOwnNames<T>(value: T): T {
  return renamed(value, (name) =>
    name.includes('%') ? name.replaceAll(ESCAPES, (_, code: string) => characterOf(code)) : name,
  ) as T;
}

function escapeOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function characterOf(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((one: unknown) => renamed(one, rename));
    return elements.some((one, index) => one !== value[index]) ? elements : value;
  }
  if (!isPlain(value)) return value;
  let isChanged = false;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const [newName, newMember] = [rename(name), renamed(member, rename)];
    isChanged ||= newName !== name || newMember !== member;
    return [newName, newMember];
  });
  return isChanged ? Object.fromEntries(members) : value;
}

/** Whether `value` has members of its own: no date, and nothing else that the driver knows. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
