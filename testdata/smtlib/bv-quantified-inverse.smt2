; bv quantified inverse
(set-logic BV)
(set-info :status unsat)
(declare-const k (_ BitVec 5))
(assert (= ((_ extract 0 0) k) #b1))
(assert (forall ((x (_ BitVec 5))) (distinct (bvmul k x) #b00001)))
(check-sat)
