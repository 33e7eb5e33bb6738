-- Sweeps and runs have names that hold in every database, so that databases can be merged. A
-- sweep may have been done in parts: the shards of one plan, or what a merged one still lacked.
-- The columns of sweep sum its parts up.

ALTER TABLE sweep ADD COLUMN uid TEXT;
ALTER TABLE run ADD COLUMN uid TEXT;

-- Older rows get one that comes out the same in every copy of a file.
UPDATE sweep SET uid = 'old:' || coalesce(host, '') || ':' || started_ns || ':' || id;
UPDATE run SET uid = (SELECT s.uid FROM sweep s WHERE s.id = sweep_id) || ':' || started_ns || ':' || id;
CREATE UNIQUE INDEX sweep_uid ON sweep (uid);
CREATE UNIQUE INDEX run_uid ON run (uid);

CREATE TABLE sweep_part (
	uid             TEXT PRIMARY KEY,
	sweep_id        INTEGER NOT NULL REFERENCES sweep (id),
	started_ns      INTEGER NOT NULL,
	ended_ns        INTEGER,            -- NULL: still running, or it was killed
	command         TEXT NOT NULL,
	host            TEXT,
	rtbench_version TEXT,
	planned         INTEGER NOT NULL,
	status          TEXT
) STRICT;
CREATE INDEX sweep_part_sweep ON sweep_part (sweep_id);
INSERT INTO sweep_part SELECT uid, id, started_ns, ended_ns, command, host, rtbench_version, planned, status FROM sweep;
