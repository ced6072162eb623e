(declare-const A (FiniteSet Int))
(assert (< 0 (set.size (set.difference A (set.singleton 4))) 3))
(assert (set.in 7 A))
(check-sat)
