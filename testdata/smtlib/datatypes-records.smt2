; datatypes records
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Point ((point (px Int) (py Int))))
(declare-const p Point)
(assert (distinct (py (point 3 (py p))) (py p)))
(check-sat)
