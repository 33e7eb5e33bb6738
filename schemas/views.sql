-- Views for people with sqlite3. They hold no data: the program drops and makes them anew
-- whenever they differ from these. v_provenance and v_export are generated beside them, since
-- their columns are the provenance keys.

CREATE VIEW v_sweep AS
SELECT s.id AS sweep, strftime('%Y-%m-%dT%H:%M:%SZ', s.started_ns / 1000000000, 'unixepoch') AS started,
       (s.ended_ns - s.started_ns) / 1e9 AS seconds, s.command, s.host, s.rtbench_version,
       s.planned, coalesce(n.runs, 0) AS runs, coalesce(n.failed, 0) AS failed,
       coalesce(n.retried, 0) AS retried, s.status,
       (SELECT count(*) FROM sweep_part p WHERE p.sweep_id = s.id) AS parts, s.uid
-- a repeat of a cell counts once, by the attempt with the highest standing, among equals the last:
-- beside max() SQLite takes that row's status
FROM sweep s LEFT JOIN (SELECT sweep_id, count(*) AS runs, sum(status <> 'ok') AS failed, sum(tries - 1) AS retried
	FROM (SELECT sweep_id, status, max(standing << 40 | id), count(*) AS tries FROM run GROUP BY sweep_id, cell_id, repeat)
	GROUP BY sweep_id) n ON n.sweep_id = s.id;

CREATE VIEW v_run AS
SELECT r.id AS run, r.sweep_id AS sweep, c.target, c.kernel, c.opt, c.instrumented,
       r.repeat, r.attempt,
       NOT EXISTS (SELECT 1 FROM run o WHERE o.cell_id = r.cell_id AND o.sweep_id = r.sweep_id AND
                   o.repeat = r.repeat AND (o.standing, o.id) > (r.standing, r.id)) AS counts,
       strftime('%Y-%m-%dT%H:%M:%SZ', r.started_ns / 1000000000, 'unixepoch') AS started,
       (r.ended_ns - r.started_ns) / 1e9 AS seconds, r.status, r.error, r.verdict,
       r.build_ms, r.flash_ms, r.boot_ms, r.measure_ms, r.store_ms, r.wait_ms, r.uid
FROM run r JOIN cell c ON c.id = r.cell_id;

CREATE VIEW v_fact AS
SELECT r.id AS run, k.factor, k.name, f.origin, f.value, k.unit
FROM run r
JOIN fact f ON f.set_id IN (r.version_set, r.clock_set, r.compiler_set, r.config_set,
                            r.method_set, r.image_set, r.note_set)
JOIN fact_key k ON k.id = f.key_id;

CREATE VIEW v_record AS
SELECT d.id AS record, d.run_id AS run, r.sweep_id AS sweep, c.target, c.kernel, c.opt,
       c.instrumented, r.repeat, r.status, r.verdict,
       d.case_name AS "case", d.series, d.case_version, d.unit, d.n,
       d.min * 1.0 / d.div AS min, d.p50, d.p90, d.p99, d.p999, d.max * 1.0 / d.div AS max,
       d.mean, d.stddev, d.mad, d.tmean5,
       d.p50_err, d.p90_err, d.p99_err, d.p999_err, d.imax, d.cold * 1.0 / d.div AS cold,
       d.warmup, d.ticks, d.discarded, d.cycles, d.timer, d.overhead,
       d.min * 1.0 / d.div - d.overhead AS net_min, d.p50 - d.overhead AS net_p50,
       d.p99 - d.overhead AS net_p99, d.max * 1.0 / d.div - d.overhead AS net_max,
       d.mean - d.overhead AS net_mean
FROM record d JOIN run r ON r.id = d.run_id JOIN cell c ON c.id = r.cell_id
WHERE d.supported;

CREATE VIEW v_finding AS
SELECT f.run_id AS run, f.check_name AS "check", f.severity, f.case_name AS "case", f.series, f.reason
FROM finding f;

-- hist is a row of LEB128 varints, three for each bin in ascending order: zigzag(lo - hi of the
-- bin before, 0 at first), hi - lo, count. byte: the blob's bytes, with how far into a varint
-- each is and what it adds to; number: the finished varints, numbered.
CREATE VIEW v_histogram AS
SELECT d.id AS record, d.run_id AS run, d.case_name AS "case", d.series,
       b.value ->> 0 AS lo, b.value ->> 1 AS hi, b.value ->> 2 AS count
FROM record d, json_each((
	WITH RECURSIVE
	byte(i, v, shift, acc, k) AS (
		SELECT 0, 128, -7, 0, 0
		UNION ALL
		SELECT i + 1,
		       instr('123456789ABCDEF', substr(hex(substr(d.hist, i + 1, 1)), 1, 1)) * 16 +
		       instr('123456789ABCDEF', substr(hex(substr(d.hist, i + 1, 1)), 2, 1)),
		       CASE WHEN v < 128 THEN 0 ELSE shift + 7 END,
		       CASE WHEN v < 128 THEN 0 WHEN i = 0 THEN 0 ELSE acc | ((v & 127) << shift) END,
		       k + (v < 128)
		FROM byte WHERE i < length(d.hist)),
	number(k, x) AS (SELECT k, acc | (v << shift) FROM byte WHERE v < 128),
	bin(j, step, width, count) AS (
		SELECT k / 3,
		       max(CASE WHEN k % 3 = 0 THEN (x >> 1) * (1 - 2 * (x & 1)) - (x & 1) END),
		       max(CASE WHEN k % 3 = 1 THEN x END),
		       max(CASE WHEN k % 3 = 2 THEN x END)
		FROM number GROUP BY k / 3),
	placed(lo, hi, count) AS (
		SELECT sum(step + width) OVER (ORDER BY j) - width, sum(step + width) OVER (ORDER BY j), count
		FROM bin)
	SELECT json_group_array(json_array(lo, hi, count)) FROM placed
)) b
WHERE d.hist IS NOT NULL;

-- raw: the first samples in order, each a zigzag varint of its difference from the one before.
CREATE VIEW v_raw AS
SELECT d.id AS record, d.run_id AS run, d.case_name AS "case", d.series,
       b.value ->> 0 AS i, b.value ->> 1 AS sample
FROM record d, json_each((
	WITH RECURSIVE
	byte(i, v, shift, acc, k) AS (
		SELECT 0, 128, -7, 0, 0
		UNION ALL
		SELECT i + 1,
		       instr('123456789ABCDEF', substr(hex(substr(d.raw, i + 1, 1)), 1, 1)) * 16 +
		       instr('123456789ABCDEF', substr(hex(substr(d.raw, i + 1, 1)), 2, 1)),
		       CASE WHEN v < 128 THEN 0 ELSE shift + 7 END,
		       CASE WHEN v < 128 THEN 0 WHEN i = 0 THEN 0 ELSE acc | ((v & 127) << shift) END,
		       k + (v < 128)
		FROM byte WHERE i < length(d.raw)),
	number(k, x) AS (SELECT k, acc | (v << shift) FROM byte WHERE v < 128),
	step(k, x) AS (SELECT k, (x >> 1) * (1 - 2 * (x & 1)) - (x & 1) FROM number)
	SELECT json_group_array(json_array(k, s)) FROM (SELECT k, sum(x) OVER (ORDER BY k) AS s FROM step)
)) b
WHERE d.raw IS NOT NULL;
