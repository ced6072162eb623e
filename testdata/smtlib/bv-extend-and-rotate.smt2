; bv extend and rotate
(set-logic QF_BV)
(set-info :status sat)
(declare-fun v () (_ BitVec 7))
(assert (= ((_ sign_extend 9) v) ((_ zero_extend 9) v)))
(assert (= ((_ rotate_left 3) v) ((_ rotate_right 4) v)))
(assert (not (= v #b0000000)))
(assert (= ((_ repeat 2) v) (concat v v)))
(check-sat)
