-- Grows a database of sweeps by copying them once with ids of their own, up to wanted.n runs. The notes (what
-- differs from run to run) get sets of their own as well; other facts stay shared, as they are
-- when one bench runs the same cells night after night.
PRAGMA synchronous = OFF;
BEGIN;
CREATE TEMP TABLE top AS SELECT (SELECT max(id) FROM sweep) AS sweep, (SELECT max(id) FROM run) AS run,
	min((SELECT n FROM wanted) - (SELECT max(id) FROM run), (SELECT max(id) FROM run)) AS more,
	(SELECT max(id) FROM fact_set) AS sets, (SELECT max(id) FROM record) AS record;
INSERT INTO sweep SELECT id + top.sweep, started_ns + 60000000000, ended_ns + 60000000000, command, host,
	rtbench_version, config_text, planned, status, lower(hex(randomblob(16))) FROM sweep, top
	WHERE id IN (SELECT sweep_id FROM run WHERE id <= top.more);
INSERT INTO sweep_part SELECT uid, id, started_ns, ended_ns, command, host, rtbench_version, planned, status
	FROM sweep, top WHERE id > top.sweep;
INSERT INTO fact_set SELECT id + top.sets, factor, digest + 1 FROM fact_set, top WHERE factor = 'note';
INSERT INTO fact SELECT f.set_id + top.sets, f.key_id, f.origin, f.value
	FROM fact f JOIN fact_set s ON s.id = f.set_id, top WHERE s.factor = 'note' AND s.id <= top.sets;
INSERT INTO run SELECT id + top.run, sweep_id + top.sweep, cell_id, repeat, attempt, started_ns, ended_ns,
	status, error, verdict, build_ms, flash_ms, boot_ms, measure_ms, store_ms, wait_ms, version_set, clock_set,
	compiler_set, config_set, method_set, image_set, note_set + top.sets, lower(hex(randomblob(16))) FROM run, top WHERE id <= top.more;
INSERT INTO record SELECT id + top.record, run_id + top.run, case_name, series, case_version, unit, div,
	supported, n, min, max, sum, sumsq, imax, cold, warmup, ticks, discarded, checksum, cycles, timer, hist,
	raw, p50, p90, p99, p999, p50_err, p90_err, p99_err, p999_err, mean, stddev, mad, tmean5, overhead FROM record, top
	WHERE run_id <= top.more;
COMMIT;
