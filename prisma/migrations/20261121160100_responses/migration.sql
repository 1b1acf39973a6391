-- CreateTable
CREATE TABLE "responses" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "conversation_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "body" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "responses_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "responses_conversation_id_idx" ON "responses"("conversation_id");

-- AddForeignKey
ALTER TABLE "responses" ADD CONSTRAINT "responses_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE RESTRICT;
