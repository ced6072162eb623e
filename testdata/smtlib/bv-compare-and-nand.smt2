; bv compare and nand
(set-logic QF_BV)
(set-info :status sat)
(declare-const p (_ BitVec 3))
(declare-const q (_ BitVec 3))
(assert (= (bvcomp p q) #b0))
(assert (bvule (bvnor p q) (bvnand p q)))
(assert (bvsle (bvsmod p q) (bvxnor p q)))
(check-sat)
