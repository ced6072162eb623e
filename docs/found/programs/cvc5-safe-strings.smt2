(set-logic QF_SLIA)
(declare-const s String)
(assert (str.< s s))
(check-sat)
