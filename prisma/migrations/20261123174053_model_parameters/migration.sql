-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "model_parameters" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "prompt_versions" ADD COLUMN     "model_parameters" JSONB NOT NULL DEFAULT '{}';


ALTER TABLE agents ADD CONSTRAINT agents_model_parameters_check
  CHECK (jsonb_typeof(model_parameters) = 'object' AND octet_length(model_parameters::text) <= 8000);
ALTER TABLE prompt_versions ADD CONSTRAINT prompt_versions_model_parameters_check
  CHECK (jsonb_typeof(model_parameters) = 'object' AND octet_length(model_parameters::text) <= 8000);
