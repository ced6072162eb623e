; The overflow-free average equals the wide one.
(set-logic QF_BV)
(set-info :status unsat)
(declare-fun x () (_ BitVec 8))
(declare-fun y () (_ BitVec 8))
(declare-fun wide () (_ BitVec 9))
(assert (= wide (bvlshr (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y)) (_ bv1 9))))
(assert (distinct ((_ extract 7 0) wide) (bvadd (bvand x y) (bvlshr (bvxor x y) #x01))))
(check-sat)
