-- Partitions are tables of a schema in which no service has a right: services reach their rows by the partitioned tables.
CREATE SCHEMA partitions;

-- The smallest UUIDv7 (RFC 9562 §5.7) of a time.
CREATE FUNCTION first_id_at(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- The time in a UUIDv7.
CREATE FUNCTION time_of_id(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_timestamp(('x' || left(translate(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);

-- The partitions of a table by the times of their ids, the oldest first. The default partition, which has the rows of no other, is the
-- last; its times are null. bytes: size without indexes.
CREATE FUNCTION partitions_of(parent regclass) RETURNS TABLE (partition regclass, starts_at timestamptz, ends_at timestamptz, bytes bigint)
LANGUAGE sql STABLE AS $$
  SELECT c.oid::regclass,
         CASE WHEN b.bound <> 'DEFAULT' THEN coalesce(time_of_id(substring(b.bound FROM 'FROM \(''([0-9a-f-]{36})''\)')::uuid), to_timestamp(0)) END,
         time_of_id(substring(b.bound FROM 'TO \(''([0-9a-f-]{36})''\)')::uuid) AS ends_at,
         pg_relation_size(c.oid)
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
   WHERE i.inhparent = parent ORDER BY ends_at
$$;

-- Makes a partition of a table for the ids of a period. Locks the table against changes of its definition only.
CREATE FUNCTION make_partition(parent text, starts_at timestamptz, ends_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE name text := parent || to_char(starts_at AT TIME ZONE 'UTC', '_YYYY_MM');
BEGIN
  EXECUTE format('CREATE TABLE partitions.%I (LIKE public.%I INCLUDING ALL)', name, parent);
  EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)',
    parent, name, first_id_at(starts_at), first_id_at(ends_at));
END $$;

-- CreateTable
CREATE TABLE "partition_changes" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "table_name" TEXT NOT NULL,
    "change" TEXT NOT NULL,
    "older_than" TIMESTAMPTZ(3),
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),

    CONSTRAINT "partition_changes_pkey" PRIMARY KEY ("id")
);
ALTER TABLE partition_changes
  ADD CONSTRAINT partition_changes_table_name_check CHECK (table_name IN ('run_events', 'run_steps', 'usage_events')),
  ADD CONSTRAINT partition_changes_change_check CHECK (change IN ('made', 'dropped'));
COMMENT ON TABLE partition_changes IS 'kept: 72 rows a year';

-- Whether a partition has only rows that may go. It is empty, and there is no run that may still write to it; or all its rows are older
-- than `older_than`, and those of usage events have been added up.
CREATE FUNCTION may_drop_partition(parent text, partition regclass, starts_at timestamptz, ends_at timestamptz, older_than timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE latest timestamptz;
BEGIN
  IF ends_at > now() - interval '1 day' THEN
    RETURN false;
  END IF;
  IF pg_relation_size(partition) = 0 THEN
    RETURN NOT EXISTS (SELECT FROM public.runs WHERE id >= first_id_at(starts_at) AND id < first_id_at(ends_at));
  END IF;
  IF older_than IS NULL OR ends_at > older_than THEN
    RETURN false;
  END IF;
  IF parent <> 'usage_events' THEN
    RETURN true;
  END IF;
  -- A run that ends late records its usage later than its id.
  EXECUTE format('SELECT max(u.at) FROM public.projects p, LATERAL (SELECT max(e.at) AS at FROM %s e WHERE e.project = p.id) u', partition)
    INTO latest;
  RETURN latest IS NULL OR latest < least(older_than, coalesce((SELECT max(day) FROM public.usage_days)::timestamp AT TIME ZONE 'UTC', '-infinity'));
END $$;

-- Inserting a row is what changes the partitions of a table, so that admin-auth needs no right to. 'made': makes the next partition, unless
-- partitions reach three months ahead. 'dropped': drops the oldest partition whose rows may all go. Without a partition to change, no row
-- is inserted. Fails with lock_not_available while the table is in use for longer than the lock may be waited for.
CREATE FUNCTION change_partitions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  parent regclass := to_regclass(format('public.%I', NEW.table_name));
  key text := CASE NEW.table_name WHEN 'usage_events' THEN 'id' ELSE 'run_id' END;
  unplaced regclass;
  next_at timestamptz;
  number integer;
  is_taken boolean;
  due record;
BEGIN
  IF NEW.table_name NOT IN ('run_events', 'run_steps', 'usage_events') OR NEW.change NOT IN ('made', 'dropped') THEN
    RETURN NEW; -- a check of the table refuses the row
  END IF;
  NEW.at := now();
  PERFORM pg_catalog.set_config('lock_timeout', '100ms', true);
  SELECT p.partition INTO unplaced FROM partitions_of(parent) p WHERE p.ends_at IS NULL;
  IF NEW.change = 'made' THEN
    -- Adding a partition reads the whole default partition, under a lock of it.
    IF pg_relation_size(unplaced) > 16777216 THEN
      RETURN NULL;
    END IF;
    SELECT max(p.ends_at), count(*) INTO next_at, number FROM partitions_of(parent) p;
    WHILE next_at <= now() + interval '3 months' LOOP
      NEW.starts_at := next_at;
      -- From the 36th partition on, one holds a year, so that a table without retention has few as well.
      next_at := (next_at AT TIME ZONE 'UTC' + CASE WHEN number < 36 THEN interval '1 month' ELSE interval '1 year' END) AT TIME ZONE 'UTC';
      NEW.ends_at := next_at;
      -- Rows that are in the default partition already stay there, and their month has no partition.
      EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I >= $1 AND %I < $2)', unplaced, key, key)
        INTO is_taken USING first_id_at(NEW.starts_at), first_id_at(NEW.ends_at);
      IF NOT is_taken THEN
        PERFORM make_partition(NEW.table_name, NEW.starts_at, NEW.ends_at);
        RETURN NEW;
      END IF;
    END LOOP;
    RETURN NULL;
  END IF;
  SELECT * INTO due FROM partitions_of(parent) p
   WHERE p.ends_at < now() AND may_drop_partition(NEW.table_name, p.partition, p.starts_at, p.ends_at, NEW.older_than)
   ORDER BY p.ends_at LIMIT 1;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  -- Later statements on the table wait behind this lock: at most as long as lock_timeout, for the locks after it are not waited for.
  EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent);
  EXECUTE format('LOCK TABLE ONLY %s, ONLY %s IN ACCESS EXCLUSIVE MODE NOWAIT', unplaced, due.partition);
  IF NOT may_drop_partition(NEW.table_name, due.partition, due.starts_at, due.ends_at, NEW.older_than) THEN
    RETURN NULL;
  END IF;
  EXECUTE format('DROP TABLE %s', due.partition);
  NEW.starts_at := due.starts_at;
  NEW.ends_at := due.ends_at;
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION change_partitions() FROM PUBLIC;
CREATE TRIGGER partition_changes_change BEFORE INSERT ON partition_changes FOR EACH ROW EXECUTE FUNCTION change_partitions();

-- For the next migration. Begins the conversion of a table: its rows have ids of times before the third month from now. The conversion
-- has to be completed before that month.
CREATE FUNCTION begin_partitions(parent text, key text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  until uuid := first_id_at((date_trunc('month', now() AT TIME ZONE 'UTC') + interval '3 months') AT TIME ZONE 'UTC');
  later bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM (SELECT FROM public.%I WHERE %I >= $1 LIMIT 1000) l', parent, key) INTO later USING until;
  IF later > 0 THEN
    RAISE EXCEPTION '% has % rows whose % is no UUIDv7 of the past; see docs/upgrading.md', parent,
      CASE WHEN later = 1000 THEN 'at least 1000' ELSE later::text END, key;
  END IF;
  EXECUTE format('ALTER TABLE public.%I ADD CONSTRAINT %I CHECK (%I < %L) NOT VALID', parent, parent || '_before_check', key, until);
END $$;

-- For the next migration. Makes the table the first partition of a new table of its name, with the same columns, keys, indexes, comments
-- and rights. No row is read, since the validated check proves the partition's range.
CREATE FUNCTION complete_partitions(parent text, key text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  former regclass := format('public.%I', parent);
  until uuid := (SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9a-f-]{36})''')
                   FROM pg_constraint WHERE conrelid = former AND conname = parent || '_before_check' AND convalidated);
  name text := parent || to_char(time_of_id(until) AT TIME ZONE 'UTC', '_"before"_YYYY_MM');
  next_at timestamp := time_of_id(until) AT TIME ZONE 'UTC';
  one record;
BEGIN
  IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = former AND NOT tgisinternal)
     OR EXISTS (SELECT FROM pg_policy WHERE polrelid = former) OR EXISTS (SELECT FROM pg_constraint WHERE confrelid = former) THEN
    RAISE EXCEPTION '% has a trigger, a policy or a reference, which a conversion would lose', parent;
  END IF;
  EXECUTE format('ALTER TABLE public.%I SET SCHEMA partitions', parent);
  EXECUTE format('ALTER TABLE partitions.%I RENAME TO %I', parent, name);
  EXECUTE format('CREATE TABLE public.%I (LIKE partitions.%I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (%I)', parent, name, key);
  EXECUTE format('ALTER TABLE public.%I DROP CONSTRAINT %I', parent, parent || '_before_check');
  EXECUTE format('COMMENT ON TABLE public.%I IS %L', parent, obj_description(former, 'pg_class'));
  FOR one IN
    SELECT conname, pg_get_constraintdef(oid) AS definition, obj_description(oid, 'pg_constraint') AS comment
      FROM pg_constraint WHERE conrelid = former AND contype IN ('p', 'u', 'f') ORDER BY contype DESC, conname
  LOOP
    EXECUTE format('ALTER TABLE public.%I ADD CONSTRAINT %I %s', parent, one.conname, one.definition);
    EXECUTE format('COMMENT ON CONSTRAINT %I ON public.%I IS %L', one.conname, parent, one.comment);
  END LOOP;
  FOR one IN
    SELECT pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
     WHERE i.indrelid = former AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.conrelid = former)
  LOOP
    EXECUTE regexp_replace(one.definition, ' ON \S+ USING ', format(' ON public.%I USING ', parent));
  END LOOP;
  FOR one IN
    SELECT a.grantee::regrole::text AS role, a.privilege_type AS privilege, '' AS columns
      FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = former AND a.grantee NOT IN (0, c.relowner)
    UNION ALL
    SELECT a.grantee::regrole::text, a.privilege_type, format('(%I)', t.attname)
      FROM pg_attribute t, aclexplode(t.attacl) a WHERE t.attrelid = former AND a.grantee <> 0
  LOOP
    EXECUTE format('GRANT %s %s ON public.%I TO %s', one.privilege, one.columns, parent, one.role);
    EXECUTE format('REVOKE ALL ON partitions.%I FROM %s', name, one.role);
  END LOOP;
  EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION partitions.%I FOR VALUES FROM (MINVALUE) TO (%L)', parent, name, until);
  EXECUTE format('ALTER TABLE partitions.%I DROP CONSTRAINT %I', name, parent || '_before_check');
  EXECUTE format('CREATE TABLE partitions.%I PARTITION OF public.%I DEFAULT', parent || '_default', parent);
  WHILE next_at AT TIME ZONE 'UTC' <= now() + interval '3 months' LOOP
    PERFORM make_partition(parent, next_at AT TIME ZONE 'UTC', (next_at + interval '1 month') AT TIME ZONE 'UTC');
    next_at := next_at + interval '1 month';
  END LOOP;
END $$;
