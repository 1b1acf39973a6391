-- AlterTable
ALTER TABLE "context_messages" ADD COLUMN     "answers_to" UUID;

-- AlterTable
ALTER TABLE "run_steps" ADD COLUMN     "read_seqs" INTEGER[];

