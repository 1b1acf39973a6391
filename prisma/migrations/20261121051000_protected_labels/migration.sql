-- A protected label is moved by those with the scope `admin` only. What serves production is.
ALTER TABLE "prompt_labels" ADD COLUMN "protected" BOOLEAN NOT NULL DEFAULT false;

UPDATE "prompt_labels" SET "protected" = true WHERE "name" = 'production';
