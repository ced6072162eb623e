; bv slices
(set-logic QF_BV)
(set-info :status unsat)
(declare-const w (_ BitVec 32))
(assert (distinct w
  (concat ((_ extract 31 24) w) ((_ extract 23 8) w) ((_ extract 7 0) w))))
(check-sat)
