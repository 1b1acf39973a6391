-- Whether tokens are our estimate. Rows of before are counted ones: answers that were cut off before their first text were not recorded, and
-- the others cannot be told apart any more.
ALTER TABLE "usage_events" ADD COLUMN "estimated" BOOLEAN NOT NULL DEFAULT false;
