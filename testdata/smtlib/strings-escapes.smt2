; strings escapes
(set-logic QF_SLIA)
(set-info :status unsat)
(define-fun s () String "tab\u{9}quote""end\u0041")
(assert (not (= (str.len s) 14)))
(check-sat)
