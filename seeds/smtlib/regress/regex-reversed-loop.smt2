; At least three and at most two repetitions: the empty language. The solver says sat.
; Old spelling: str.in.re, str.to.re are str.in_re, str.to_re today (cvc5 rejects the old names).
; Bad: z3 4.5.1 to 4.8.7 (solution-unsound by today's standard). Good: from 4.8.8 on.
(set-logic QF_S)
(set-info :status unsat)
(declare-fun x () String)
(assert (str.in.re x ((_ re.loop 3 2) (str.to.re "a"))))
(check-sat)
