-- What is there was approved without these: the next probe adds them to what is on offer.
ALTER TABLE "mcp_tools" ADD COLUMN     "members" JSON NOT NULL DEFAULT '{}',
ADD COLUMN     "approved_members" JSON;
