; A predicate that z3 had.
(set-logic ALL)
(declare-const i Int)
(declare-const j Int)
(assert (divisible (- i) 3))
(assert (> (- i) j 4))
(check-sat)
