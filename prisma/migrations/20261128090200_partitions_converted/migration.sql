-- The conversion has ended.
DROP FUNCTION begin_partitions(text, text);
DROP FUNCTION complete_partitions(text, text);
