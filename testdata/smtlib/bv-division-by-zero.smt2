; bv division by zero
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 4))
(assert (not (and (= (bvudiv x #x0) #xf) (= (bvurem x #x0) x))))
(check-sat)
