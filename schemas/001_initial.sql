-- The store of rtbench, version 1. docs/store.md explains it to people who query it.
-- Times are Unix time in nanoseconds. Words (status, verdict, factor, origin) are those the
-- program prints. Samples are raw: figure = sample / div.

CREATE TABLE sweep (
	id              INTEGER PRIMARY KEY AUTOINCREMENT,
	started_ns      INTEGER NOT NULL,
	ended_ns        INTEGER,            -- NULL: still running, or it was killed
	command         TEXT NOT NULL,
	host            TEXT,
	rtbench_version TEXT,
	config_text     TEXT,
	planned         INTEGER NOT NULL,
	status          TEXT
) STRICT;

CREATE TABLE cell (
	id           INTEGER PRIMARY KEY,
	target       TEXT NOT NULL,
	kernel       TEXT NOT NULL,
	opt          TEXT NOT NULL,
	instrumented INTEGER NOT NULL CHECK (instrumented IN (0, 1)),
	UNIQUE (target, kernel, opt, instrumented)
) STRICT;

-- What a fact can be about; kept in step with the program's own table at every open.
CREATE TABLE fact_key (
	id     INTEGER PRIMARY KEY,
	name   TEXT NOT NULL UNIQUE,
	factor TEXT NOT NULL,
	unit   TEXT NOT NULL,
	text   TEXT NOT NULL
) STRICT;

-- All facts of one factor of a run. Runs whose facts of a factor are the same share the set,
-- so equal ids mean an equal factor. digest finds a set again and may collide.
CREATE TABLE fact_set (
	id     INTEGER PRIMARY KEY,
	factor TEXT NOT NULL,
	digest INTEGER NOT NULL
) STRICT;
CREATE INDEX fact_set_digest ON fact_set (digest);

CREATE TABLE fact (
	set_id INTEGER NOT NULL REFERENCES fact_set (id),
	key_id INTEGER NOT NULL REFERENCES fact_key (id),
	origin TEXT NOT NULL,
	value  TEXT NOT NULL,
	PRIMARY KEY (set_id, key_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
	id           INTEGER PRIMARY KEY AUTOINCREMENT,
	sweep_id     INTEGER NOT NULL REFERENCES sweep (id),
	cell_id      INTEGER NOT NULL REFERENCES cell (id),
	repeat       INTEGER NOT NULL,
	attempt      INTEGER NOT NULL,
	started_ns   INTEGER NOT NULL,
	ended_ns     INTEGER NOT NULL,
	status       TEXT NOT NULL,
	error        TEXT,
	verdict      TEXT NOT NULL,
	build_ms     INTEGER NOT NULL,
	flash_ms     INTEGER NOT NULL,
	boot_ms      INTEGER NOT NULL,
	measure_ms   INTEGER NOT NULL,
	store_ms     INTEGER NOT NULL,
	wait_ms      INTEGER NOT NULL,
	version_set  INTEGER NOT NULL REFERENCES fact_set (id),
	clock_set    INTEGER NOT NULL REFERENCES fact_set (id),
	compiler_set INTEGER NOT NULL REFERENCES fact_set (id),
	config_set   INTEGER NOT NULL REFERENCES fact_set (id),
	method_set   INTEGER NOT NULL REFERENCES fact_set (id),
	image_set    INTEGER NOT NULL REFERENCES fact_set (id),
	note_set     INTEGER NOT NULL REFERENCES fact_set (id)
) STRICT;
CREATE INDEX run_sweep ON run (sweep_id, status);
CREATE INDEX run_cell ON run (cell_id);

-- One series of one case. Of an unsupported case every figure is NULL.
CREATE TABLE record (
	id           INTEGER PRIMARY KEY,
	run_id       INTEGER NOT NULL REFERENCES run (id),
	case_name    TEXT NOT NULL,
	series       TEXT NOT NULL,
	case_version INTEGER NOT NULL,
	unit         TEXT NOT NULL,
	div          INTEGER NOT NULL CHECK (div > 0),
	supported    INTEGER NOT NULL CHECK (supported IN (0, 1)),
	n INTEGER, min INTEGER, max INTEGER, sum INTEGER,
	sumsq        INTEGER,               -- NULL: overflowed
	imax         INTEGER,
	cold         INTEGER,
	warmup INTEGER, ticks INTEGER, discarded INTEGER,
	checksum     INTEGER,               -- unsigned 64 bits, seen as signed
	cycles INTEGER, timer INTEGER,
	hist         BLOB,                  -- varints, see v_histogram
	raw          BLOB,                  -- varints, see v_raw; NULL: not asked for
	-- Worked out from the above when the run was stored, in units (divided). A percentile
	-- known to a bucket only is the bucket's middle; its _err is half the bucket's width.
	p50 REAL, p90 REAL, p99 REAL, p999 REAL,
	p50_err REAL, p90_err REAL, p99_err REAL, p999_err REAL,
	mean REAL, stddev REAL, mad REAL, tmean5 REAL
) STRICT;
CREATE INDEX record_run ON record (run_id);

CREATE TABLE stack_mark (
	run_id  INTEGER NOT NULL REFERENCES run (id),
	task    TEXT NOT NULL,
	bytes   INTEGER NOT NULL,
	used    INTEGER NOT NULL,
	touched INTEGER NOT NULL
) STRICT;
CREATE INDEX stack_mark_run ON stack_mark (run_id);

CREATE TABLE footprint (
	run_id INTEGER NOT NULL REFERENCES run (id),
	part   TEXT NOT NULL,
	flash  INTEGER NOT NULL,
	ram    INTEGER NOT NULL
) STRICT;
CREATE INDEX footprint_run ON footprint (run_id);

CREATE TABLE finding (
	run_id    INTEGER NOT NULL REFERENCES run (id),
	check_name TEXT NOT NULL,
	severity  TEXT NOT NULL,
	case_name TEXT,                     -- NULL: about the whole run
	series    TEXT,
	reason    TEXT NOT NULL
) STRICT;
CREATE INDEX finding_run ON finding (run_id);

CREATE TABLE log (
	run_id INTEGER NOT NULL REFERENCES run (id),
	kind   TEXT NOT NULL,               -- openocd, serial, build
	bytes  INTEGER NOT NULL,            -- length unpacked
	cut    INTEGER NOT NULL,            -- bytes left out of the middle before packing
	packed BLOB NOT NULL,               -- zlib stream
	PRIMARY KEY (run_id, kind)
) STRICT;

-- The text that made the views, to notice when the program's differs.
CREATE TABLE view_text (
	id  INTEGER PRIMARY KEY CHECK (id = 1),
	sql TEXT NOT NULL
) STRICT;
