(declare-const k (_ BitVec 4))
(assert (forall ((x (_ BitVec 4))) (bvsle x k)))
(check-sat)
