; strings index
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const s String)
(assert (str.contains s "ab"))
(assert (= (str.indexof s "ab" 0) (- 1)))
(check-sat)
