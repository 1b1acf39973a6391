-- Removed passkeys stay, so that a browser that still offers one is informed. Of an account, the 20 removed last.
CREATE FUNCTION delete_removed_passkeys() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM passkeys WHERE id = ANY(ARRAY(
    SELECT id FROM passkeys WHERE user_id = NEW.user_id AND removed_at IS NOT NULL ORDER BY removed_at DESC, id DESC OFFSET 20));
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION delete_removed_passkeys() FROM PUBLIC;
CREATE TRIGGER passkeys_delete_removed AFTER INSERT ON passkeys FOR EACH ROW EXECUTE FUNCTION delete_removed_passkeys();

COMMENT ON TABLE passkeys IS 'parts: of an account, 20, and the 20 that were removed last';
