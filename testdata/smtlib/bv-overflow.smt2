; bv overflow
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (bvult (bvadd x y) x))
(assert (bvsgt x (_ bv0 8)))
(check-sat)
