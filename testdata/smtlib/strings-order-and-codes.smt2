; strings order and codes
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const c String)
(assert (= (str.len c) 1))
(assert (and (str.< "a" c) (str.< c "c")))
(assert (= c (str.from_code 99)))
(check-sat)
