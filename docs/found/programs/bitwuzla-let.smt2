(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (= x (let ((m (let ((n x)) (bvnot n))) (n x)) (bvadd m n))))
(check-sat)
