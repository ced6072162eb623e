(declare-const a (FiniteSet Int))
(assert (distinct 1 (set.size (set.union a (set.singleton 0)))))
(check-sat)
