-- in parts
-- Partitions by month for the tables that grow by time, by their ids, which are UUIDv7: the primary keys stay. The former tables become
-- the first partitions, without a copy. A brief part locks its tables for some milliseconds.
-- part
ALTER TABLE usage_events VALIDATE CONSTRAINT usage_events_project_check;
-- brief part: usage_events
SELECT begin_partitions('usage_events', 'id');
-- part
ALTER TABLE usage_events VALIDATE CONSTRAINT usage_events_before_check;
-- brief part: users, usage_events
SELECT complete_partitions('usage_events', 'id');
-- brief part: run_steps
SELECT begin_partitions('run_steps', 'run_id');
-- part
ALTER TABLE run_steps VALIDATE CONSTRAINT run_steps_before_check;
-- brief part: runs, run_steps
SELECT complete_partitions('run_steps', 'run_id');
-- brief part: run_events
SELECT begin_partitions('run_events', 'run_id');
-- part
ALTER TABLE run_events VALIDATE CONSTRAINT run_events_before_check;
-- brief part: runs, run_events
SELECT complete_partitions('run_events', 'run_id');
