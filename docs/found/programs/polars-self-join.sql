CREATE TABLE t (s VARCHAR(8));
INSERT INTO t VALUES ('a');
SELECT x.s FROM t AS x LEFT JOIN t AS y ON (x.s < y.s || 'b');
