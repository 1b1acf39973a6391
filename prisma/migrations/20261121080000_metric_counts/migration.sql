-- CreateTable
CREATE TABLE "metric_counts" (
    "day" DATE NOT NULL,
    "project" TEXT NOT NULL,
    "area" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "bucket_ms" INTEGER NOT NULL DEFAULT 0,
    "n" BIGINT NOT NULL,

    CONSTRAINT "metric_counts_pkey" PRIMARY KEY ("project","day","metric","area","bucket_ms")
);
