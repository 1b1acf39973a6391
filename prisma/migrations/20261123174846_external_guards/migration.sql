-- External guards: plugins that decide about the texts of runs.

-- AlterTable
ALTER TABLE "guard_policies" ADD COLUMN     "filters" JSONB NOT NULL DEFAULT '[]';

ALTER TABLE guard_policies ADD CONSTRAINT guard_policies_filters_check
  CHECK (jsonb_typeof(filters) = 'array' AND jsonb_array_length(filters) <= 5 AND octet_length(filters::text) <= 2000);

-- Every row fulfils it, because it allows more than before: it is not checked again while the table is locked.
ALTER TABLE plugins DROP CONSTRAINT plugins_type_check;
ALTER TABLE plugins ADD CONSTRAINT plugins_type_check
  CHECK (type IN ('tool', 'data_source', 'integration', 'filter')) NOT VALID;
