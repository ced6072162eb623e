; bv signed division
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 6))
(declare-const b (_ BitVec 6))
(assert (not (= b #b000000)))
(assert (distinct a (bvadd (bvmul b (bvsdiv a b)) (bvsrem a b))))
(check-sat)
