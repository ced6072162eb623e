; A predicate that z3 had.
(set-logic ALL)
(declare-const i Int)
(declare-const j Int)
(assert (divisible (+ i j) 3))
(assert (> (+ i j) j 4))
(check-sat)
