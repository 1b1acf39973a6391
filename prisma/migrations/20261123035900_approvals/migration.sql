-- Decisions of people about single calls of tools.

-- CreateTable
CREATE TABLE "approvals" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "run_id" UUID NOT NULL,
    "asked_by" INTEGER NOT NULL,
    "call_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "agent" TEXT NOT NULL,
    "agent_version" INTEGER,
    "owner" TEXT NOT NULL,
    "owner_name" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "parameters" JSON NOT NULL,
    "arguments" TEXT NOT NULL,
    "tool_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,
    "tainted_by" TEXT[],
    "other_decider" BOOLEAN NOT NULL DEFAULT false,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "edited_arguments" TEXT,
    "reason" TEXT,
    "decided_by" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "approvals_run_id_asked_by_call_id_key" ON "approvals"("run_id", "asked_by", "call_id");

-- CreateIndex
CREATE INDEX "approvals_project_state_id_idx" ON "approvals"("project", "state", "id" DESC);

-- CreateIndex
CREATE INDEX "approvals_user_id_state_id_idx" ON "approvals"("user_id", "state", "id" DESC);

-- CreateIndex
CREATE INDEX "approvals_decided_by_idx" ON "approvals"("decided_by");

-- CreateIndex
CREATE INDEX "approvals_state_expires_at_idx" ON "approvals"("state", "expires_at");

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE RESTRICT;
COMMENT ON CONSTRAINT approvals_run_id_fkey ON approvals IS 'bounded: the calls that a run may make';

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_decided_by_fkey" FOREIGN KEY ("decided_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE approvals ADD CONSTRAINT approvals_state_check CHECK (state IN ('pending', 'approved', 'refused', 'expired', 'used'));
ALTER TABLE approvals ADD CONSTRAINT approvals_decided_once CHECK (state IN ('pending', 'expired') OR decided_at IS NOT NULL);
-- Where another user has to decide, no statement lets the requester do it.
ALTER TABLE approvals ADD CONSTRAINT approvals_two_people_check CHECK (NOT other_decider OR decided_by IS DISTINCT FROM user_id);

-- What is asked for and what was decided stay as they are.
CREATE TRIGGER approvals_expires_at_never_later BEFORE UPDATE OF expires_at ON approvals FOR EACH ROW
  WHEN (NEW.expires_at > OLD.expires_at) EXECUTE FUNCTION refuse_to_services('expires_at is never moved later');
CREATE TRIGGER approvals_used_at_never_changes BEFORE UPDATE OF used_at ON approvals FOR EACH ROW
  WHEN (OLD.used_at IS NOT NULL AND NEW.used_at IS DISTINCT FROM OLD.used_at)
  EXECUTE FUNCTION refuse_to_services('used_at never changes again');
CREATE TRIGGER approvals_asked_never_changes BEFORE UPDATE OF run_id, asked_by, call_id, user_id, tool_hash, arguments, other_decider ON approvals
  FOR EACH ROW WHEN ((OLD.run_id, OLD.asked_by, OLD.call_id, OLD.user_id, OLD.tool_hash, OLD.arguments, OLD.other_decider)
    IS DISTINCT FROM (NEW.run_id, NEW.asked_by, NEW.call_id, NEW.user_id, NEW.tool_hash, NEW.arguments, NEW.other_decider))
  EXECUTE FUNCTION refuse_to_services('what was asked never changes');
CREATE TRIGGER approvals_decided_never_changes BEFORE UPDATE ON approvals FOR EACH ROW
  WHEN (OLD.state <> 'pending' AND ((OLD.hash, OLD.edited_arguments, OLD.reason, OLD.decided_by)
      IS DISTINCT FROM (NEW.hash, NEW.edited_arguments, NEW.reason, NEW.decided_by)
    OR (NEW.state <> OLD.state AND NOT (OLD.state = 'approved' AND NEW.state = 'used'))))
  EXECUTE FUNCTION refuse_to_services('what was decided never changes');
