-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "parent_id" UUID,
ADD COLUMN     "parent_until" INTEGER,
ADD COLUMN     "tree_id" UUID;

-- CreateIndex
CREATE INDEX "conversations_parent_id_parent_until_idx" ON "conversations"("parent_id", "parent_until");

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "conversations"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;


ALTER TABLE "conversations" ADD CONSTRAINT "conversations_parent_check"
  CHECK ((parent_id IS NULL) = (parent_until IS NULL) AND (parent_id IS NULL OR tree_id IS NOT NULL) AND parent_id <> id AND parent_until > 0);

-- A conversation is deleted, and its forks keep what they share with it: the fork that shares most gets the messages, and the others
-- become forks of that one. Messages that no fork shows are deleted. The services may not move messages: only this function does.
CREATE FUNCTION hand_over_messages() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  heir uuid;
  shared integer;
BEGIN
  SELECT id, parent_until INTO heir, shared FROM conversations WHERE parent_id = OLD.id ORDER BY parent_until DESC, id LIMIT 1;
  IF NOT FOUND THEN
    RETURN OLD;
  END IF;
  UPDATE conversation_messages SET conversation_id = heir WHERE conversation_id = OLD.id AND seq <= shared;
  UPDATE conversations SET parent_id = heir WHERE parent_id = OLD.id AND id <> heir;
  UPDATE conversations SET parent_id = OLD.parent_id, parent_until = OLD.parent_until WHERE id = heir;
  RETURN OLD;
END $$;
-- Only this trigger runs it: a role that could execute it could attach it to a table of its own.
REVOKE EXECUTE ON FUNCTION hand_over_messages() FROM PUBLIC;
CREATE TRIGGER conversations_hand_over BEFORE DELETE ON conversations FOR EACH ROW EXECUTE FUNCTION hand_over_messages();
