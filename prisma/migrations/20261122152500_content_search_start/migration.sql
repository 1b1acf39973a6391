-- A list's search reads titles and the beginnings of bodies: a condition on a whole body reads up to 2 MB for each candidate.
DROP INDEX "content_items_search_idx";
CREATE INDEX "content_items_search_start_idx" ON "content_items" USING GIN ("title" gin_trgm_ops, left("body", 20000) gin_trgm_ops);
