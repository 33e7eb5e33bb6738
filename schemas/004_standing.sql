-- Which attempt at a repeat counts: the one with the highest standing, among equals the last. A new
-- attempt takes the highest there is. An older one is raised above all when a resumed sweep keeps it,
-- because what it was made of is wanted again.

ALTER TABLE run ADD COLUMN standing INTEGER NOT NULL DEFAULT 0;

DROP INDEX run_cell;
CREATE INDEX run_repeat ON run (cell_id, sweep_id, repeat);
