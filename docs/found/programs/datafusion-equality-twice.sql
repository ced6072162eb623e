CREATE TABLE t (k BIGINT, s VARCHAR(8));
INSERT INTO t VALUES (0, 'c'), (2, 'ab');
SELECT k FROM t WHERE 'c' = s AND s = 'c';
