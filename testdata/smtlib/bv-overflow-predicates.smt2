; bv overflow predicates
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (bvumulo x y))
(assert (bvuaddo x y))
(assert (not (bvsaddo x y)))
(check-sat)
