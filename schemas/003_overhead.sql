-- What of each figure is the reading of the counter: the run's read cost, divided as the figures
-- are, where a sample is the difference of two reads. NULL: the case is not supported.

ALTER TABLE record ADD COLUMN overhead REAL;

UPDATE record SET overhead = 0 WHERE supported;
UPDATE record SET overhead = coalesce((
	SELECT CAST(f.value AS REAL) FROM run r
	JOIN fact f ON f.set_id IN (r.note_set, r.method_set)
	JOIN fact_key k ON k.id = f.key_id AND k.name = 'read_cost'
	WHERE r.id = record.run_id), 0) / div
WHERE supported AND unit = 'cycles' AND case_name IN ('yield', 'sem_wake', 'queue_wake', 'isr_to_task',
	'sem_pair', 'queue_pair', 'mutex_pair', 'mutex_inherit', 'isr_to_task_mid', 'isr_to_task_busy',
	'irq_load', 'footprint');
