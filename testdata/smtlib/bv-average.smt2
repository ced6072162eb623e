; bv average
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 16))
(declare-const y (_ BitVec 16))
(define-fun average ((a (_ BitVec 16)) (b (_ BitVec 16))) (_ BitVec 16)
  (bvadd (bvand a b) (bvlshr (bvxor a b) #x0001)))
(assert (bvult (average x y) (ite (bvult x y) x y)))
(check-sat)
