/**
 * The gateway's additions to the database; safe to run again. A driver retries a write or a commit when it got no
 * reply. These tables detect the retry, even if the gateway or the whole server was killed in between.
 */
export const schema = `
CREATE EXTENSION IF NOT EXISTS documentdb CASCADE;
-- Indexes are built while createIndexes waits; these jobs would only wake up every two seconds for nothing.
SELECT cron.unschedule(jobid) FROM cron.job WHERE jobname LIKE 'documentdb_index_build_task%';
-- Expired documents go sooner than MongoDB promises (a minute), so that tests need not wait that long.
SELECT cron.alter_job(job_id := jobid, schedule := '5 seconds') FROM cron.job WHERE jobname = 'documentdb_ttl_task';

CREATE SCHEMA IF NOT EXISTS stand_in;

-- One row per session: a session runs one command at a time, so only its last write can be repeated.
CREATE TABLE IF NOT EXISTS stand_in.last_write (
  session bytea PRIMARY KEY,
  number bigint NOT NULL,
  reply bytea NOT NULL,
  success boolean NOT NULL,
  written_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS stand_in.commits (
  session bytea PRIMARY KEY,
  number bigint NOT NULL,
  written_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- DocumentDB overlooks a document that is updated while a delete waits for it. So a delete that found nothing looks
-- once more, with a new snapshot; MongoDB would have found the updated document.
CREATE OR REPLACE FUNCTION stand_in.delete(
  db text, command documentdb_core.bson, documents documentdb_core.bsonsequence,
  OUT p_result documentdb_core.bson, OUT p_success boolean
) LANGUAGE plpgsql AS $$
BEGIN
  FOR attempt IN 1..5 LOOP
    SELECT r.p_result, r.p_success INTO p_result, p_success FROM documentdb_api.delete(db, command, documents) r;
    EXIT WHEN documentdb_core.bson_get_value_text(p_result, 'n') <> '0';
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION stand_in.find_and_remove(
  db text, command documentdb_core.bson, OUT p_result documentdb_core.bson, OUT p_success boolean
) LANGUAGE plpgsql AS $$
BEGIN
  FOR attempt IN 1..5 LOOP
    SELECT r.p_result, r.p_success INTO p_result, p_success FROM documentdb_api.find_and_modify(db, command) r;
    EXIT WHEN documentdb_core.bson_get_value_text(p_result, 'lastErrorObject.n') <> '0';
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION stand_in.write_once(
  verb text, db text, command documentdb_core.bson, documents documentdb_core.bsonsequence,
  of_session bytea, of_number bigint, OUT reply bytea, OUT success boolean
) LANGUAGE plpgsql AS $$
DECLARE
  last stand_in.last_write;
BEGIN
  SELECT * INTO last FROM stand_in.last_write w WHERE w.session = of_session;
  IF last.number = of_number THEN
    reply := last.reply;
    success := last.success;
    RETURN;
  ELSIF last.number > of_number THEN
    RAISE EXCEPTION 'write % is older than the last one of its session, %', of_number, last.number USING ERRCODE = 'SI225';
  END IF;
  CASE verb
    WHEN 'insert' THEN
      SELECT r.p_result::bytea, r.p_success INTO reply, success FROM documentdb_api.insert(db, command, documents) r;
    WHEN 'update' THEN
      SELECT r.p_result::bytea, r.p_success INTO reply, success FROM documentdb_api.update(db, command, documents) r;
    WHEN 'delete' THEN
      SELECT r.p_result::bytea, r.p_success INTO reply, success FROM stand_in.delete(db, command, documents) r;
    WHEN 'findAndModify' THEN
      SELECT r.p_result::bytea, r.p_success INTO reply, success FROM documentdb_api.find_and_modify(db, command) r;
    WHEN 'findAndRemove' THEN
      SELECT r.p_result::bytea, r.p_success INTO reply, success FROM stand_in.find_and_remove(db, command) r;
  END CASE;
  -- As in MongoDB, a failed write that changed nothing is not recorded, so a retry runs it: it may have been a deadlock.
  IF NOT success AND documentdb_core.bson_get_value_text(reply::documentdb_core.bson, 'n') = '0' THEN
    RETURN;
  END IF;
  INSERT INTO stand_in.last_write AS w VALUES (of_session, of_number, reply, success, clock_timestamp())
    ON CONFLICT (session) DO UPDATE
      SET number = excluded.number, reply = excluded.reply, success = excluded.success, written_at = excluded.written_at
      WHERE w.number < excluded.number;
  IF NOT FOUND THEN
    -- The first attempt was still running. This one is undone, and finds the first one's reply when it is run again.
    RAISE EXCEPTION 'write % is being made by another connection', of_number USING ERRCODE = '40001';
  END IF;
END $$;
`;

/** Sessions idle for longer than their lifetime (logicalSessionTimeoutMinutes) cannot retry anything. */
export const forgetOldSessions = `
DELETE FROM stand_in.last_write WHERE written_at < now() - interval '31 minutes';
DELETE FROM stand_in.commits WHERE written_at < now() - interval '31 minutes';
`;
