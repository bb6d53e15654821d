/** Deep enough to overflow a recursive serialiser's stack. */
const DEEP = 20_000;

/** Values that a database driver cannot serialise, or serialises to something else, by what is wrong with each. */
export function hostileMembers(): Record<string, unknown> {
  let deep: unknown = 1;
  for (let level = 0; level < DEEP; level++) deep = { deep };
  const circular: Record<string, unknown> = {};
  circular['itself'] = circular;
  return {
    'a fake ObjectId': { x: { _bsontype: 'ObjectId' } },
    'a fake Binary': { x: { _bsontype: 'Binary', sub_type: 4 } },
    'an unknown type': { x: { _bsontype: 'Nothing' } },
    'a fake Long': { x: { _bsontype: 'Long' } },
    'a fake DBRef': { x: { _bsontype: 'DBRef' } },
    'fake code': { x: { _bsontype: 'Code', scope: { y: { _bsontype: 'ObjectId' } } } },
    'a NUL in a key': { 'a\u0000b': 1 },
    'an operator': { $set: { companyId: 'other' } },
    'a dot in a key': { 'a.b': 1 },
    'no end': circular,
    'too many levels': deep,
    'more than a document holds': { text: 'x'.repeat(17 * 1024 * 1024) },
  };
}
