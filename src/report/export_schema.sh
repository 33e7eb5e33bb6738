#!/bin/sh
# The JSON Schema of `rtbench export --format json`, from the program's own list of columns.
list=$("$1" list columns --json)
quoted=$(printf '%s' "$list" | sed "s/'/''/g")
sqlite3 :memory: "
WITH c AS (SELECT key AS i, value ->> 'column' AS name, value ->> 'type' AS type, value ->> 'text' AS text,
	value ->> 'unit' AS unit FROM json_each('$quoted'))
SELECT '{
  \"\$schema\": \"https://json-schema.org/draft/2020-12/schema\",
  \"title\": \"rtbench export\",
  \"type\": \"object\",
  \"required\": [\"schema\", \"rows\"],
  \"properties\": {
    \"schema\": {\"const\": \"rtbench-export-1\"},
    \"rows\": {
      \"type\": \"array\",
      \"items\": {
        \"type\": \"object\",
        \"additionalProperties\": false,
        \"required\": [' || (SELECT group_concat(json_quote(name), ', ') FROM c) || '],
        \"properties\": {
' || (SELECT group_concat('          ' || json_quote(name) || ': {\"type\": [\"' ||
	CASE type WHEN 'text' THEN 'string' ELSE type END || '\", \"null\"], \"description\": ' ||
	json_quote(text || CASE unit WHEN '' THEN '' ELSE ', in ' || unit END) || '}', ',
') FROM c) || '
        }
      }
    }
  }
}';"
