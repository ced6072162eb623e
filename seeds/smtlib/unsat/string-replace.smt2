; Replacing what is not there changes nothing.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-fun s () String)
(declare-fun p () String)
(declare-fun r () String)
(assert (not (str.contains s p)))
(assert (or (distinct (str.replace s p r) s) (str.prefixof p s) (= p "")))
(check-sat)
