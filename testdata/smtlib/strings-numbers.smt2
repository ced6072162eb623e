; strings numbers
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const s String)
(assert (= (str.to_int s) 42))
(assert (= (str.len s) 4))
(assert (distinct s (str.from_int 42)))
(check-sat)
