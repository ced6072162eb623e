; Odd factors are invertible.
(set-logic BV)
(set-info :status unsat)
(declare-fun k () (_ BitVec 4))
(assert (= ((_ extract 0 0) k) #b1))
(assert (forall ((x (_ BitVec 4))) (distinct (bvmul k x) #x1)))
(check-sat)
