-- AlterTable
ALTER TABLE "usage_days" ADD COLUMN     "known_cost_usd" DECIMAL(18,9),
ADD COLUMN     "unpriced_events" INTEGER;
