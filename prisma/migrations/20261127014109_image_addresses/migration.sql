-- AlterTable
ALTER TABLE "models" ADD COLUMN     "image_urls" BOOLEAN NOT NULL DEFAULT false;

