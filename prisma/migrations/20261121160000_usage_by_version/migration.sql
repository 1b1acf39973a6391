-- CreateIndex
CREATE INDEX "usage_events_subject_id_subject_version_idx" ON "usage_events"("subject_id", "subject_version");
