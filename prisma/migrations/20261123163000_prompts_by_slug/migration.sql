-- Prompts by the slug of their title, by which clients name them as models.
CREATE INDEX "prompts_project_slug_idx" ON "prompts" ("project",
  (rtrim(left(ltrim(regexp_replace(lower(regexp_replace(normalize(title, NFKD), '[\u0300-\u036f]', '', 'g')),
  '[^a-z0-9]+', '-', 'g'), '-'), 60), '-'))) WHERE "deleted_at" IS NULL;
