-- What the shards tell of how they were played.
SELECT decode(value) AS facts
FROM parquet_kv_metadata($files)
WHERE key = 'facts';
