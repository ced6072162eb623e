; Reading behind the last character gives the empty string. The solver says sat.
; Bad: z3 4.5.1 (solution-unsound). Good: from 4.8.0 (post1) on.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-fun x () String)
(assert (not (= "" (str.at x (str.len x)))))
(check-sat)
