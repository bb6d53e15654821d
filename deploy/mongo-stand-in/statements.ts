import type { Statement } from './database.ts';

function statement(name: string, text: string): Statement {
  return { name, text };
}

const spec = '$2::documentdb_core.bson';
const sequence = '$3::documentdb_core.bsonsequence';

/** The SQL statements behind the commands. */
export const statements = {
  find: statement('find', firstPage('find_cursor_first_page')),
  aggregate: statement('aggregate', firstPage('aggregate_cursor_first_page')),
  listCollections: statement('listCollections', firstPage('list_collections_cursor_first_page')),
  listIndexes: statement('listIndexes', firstPage('list_indexes_cursor_first_page')),
  getMore: statement(
    'getMore',
    `SELECT cursorpage::bytea, continuation::bytea
      FROM documentdb_api.cursor_get_more($1, ${spec}, $3::documentdb_core.bson)`,
  ),
  insert: statement('insert', write(`documentdb_api.insert($1, ${spec}, ${sequence})`)),
  update: statement('update', write(`documentdb_api.update($1, ${spec}, ${sequence})`)),
  delete: statement('delete', write(`stand_in.delete($1, ${spec}, ${sequence})`)),
  findAndModify: statement('findAndModify', write(`documentdb_api.find_and_modify($1, ${spec})`)),
  findAndRemove: statement('findAndRemove', write(`stand_in.find_and_remove($1, ${spec})`)),
  writeOnce: statement(
    'writeOnce',
    `SELECT reply, success FROM stand_in.write_once($4, $1, ${spec}, ${sequence}, $5::bytea, $6::bigint)`,
  ),
  count: statement('count', `SELECT document::bytea FROM documentdb_api.count_query($1, ${spec})`),
  distinct: statement('distinct', `SELECT document::bytea FROM documentdb_api.distinct_query($1, ${spec})`),
  create: statement('create', `SELECT documentdb_api.create_collection_view($1, ${spec})::bytea`),
  createIndexes: statement(
    'createIndexes',
    `SELECT documentdb_api_internal.create_indexes_non_concurrently($1, ${spec}, true)::bytea`,
  ),
  dropIndexes: statement(
    'dropIndexes',
    `SELECT documentdb_api_internal.drop_indexes_non_concurrently($1, ${spec})::bytea`,
  ),
  drop: statement('drop', 'SELECT documentdb_api.drop_collection($1, $2)'),
  dropDatabase: statement('dropDatabase', 'SELECT documentdb_api.drop_database($1)::text'),
  collStats: statement('collStats', 'SELECT documentdb_api.coll_stats($1, $2, $3::float8)::bytea'),
  dbStats: statement('dbStats', 'SELECT documentdb_api.db_stats($1, $2::float8)::bytea'),
  collMod: statement('collMod', `SELECT documentdb_api.coll_mod($1, $3, ${spec})::bytea`),
  listDatabases: statement('listDatabases', 'SELECT documentdb_api.list_databases($1::documentdb_core.bson)::bytea'),
  renameCollection: statement(
    'renameCollection',
    'SELECT documentdb_api.rename_collection($1::documentdb_core.bson)::bytea',
  ),
  validate: statement('validate', `SELECT document::bytea FROM documentdb_api.validate($1, ${spec})`),
} as const;

function firstPage(name: string): string {
  return `SELECT cursorpage::bytea, continuation::bytea, cursorid::text FROM documentdb_api.${name}($1, ${spec})`;
}

function write(call: string): string {
  return `SELECT p_result::bytea, p_success FROM ${call}`;
}
