(declare-const A (FiniteSet Int))
(declare-const p Bool)
(assert (=> p (= (set.size A) 0)))
(check-sat)
