-- The newest 1,000 versions of a skill and of an agent are kept: with each new one, the oldest beyond them are deleted, a few at a time where
-- a record has many more. A change is never refused for its versions, and a deletion takes a bounded number of them with it. The services
-- may not delete versions: only this function does.
CREATE FUNCTION delete_oldest_versions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('
        DELETE FROM %1$I WHERE (%2$I, version) IN (
            SELECT old.%2$I, old.version FROM (SELECT DISTINCT %2$I AS id FROM added) changed
              CROSS JOIN LATERAL (SELECT version FROM %1$I WHERE %2$I = changed.id ORDER BY version DESC OFFSET 999 LIMIT 1) oldest
              CROSS JOIN LATERAL (SELECT v.%2$I, v.version FROM %1$I v WHERE v.%2$I = changed.id AND v.version < oldest.version
                                   ORDER BY v.version LIMIT 10) old)', TG_TABLE_NAME, TG_ARGV[0]);
    RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION delete_oldest_versions() FROM PUBLIC;
CREATE TRIGGER skill_versions_delete_oldest AFTER INSERT ON skill_versions REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION delete_oldest_versions('skill_id');
CREATE TRIGGER agent_versions_delete_oldest AFTER INSERT ON agent_versions REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION delete_oldest_versions('agent_id');
COMMENT ON CONSTRAINT skill_versions_skill_id_fkey ON skill_versions IS 'bounded: the newest 1,000 are kept';
COMMENT ON CONSTRAINT agent_versions_agent_id_fkey ON agent_versions IS 'bounded: the newest 1,000 are kept';
