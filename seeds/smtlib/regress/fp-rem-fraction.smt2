; The IEEE remainder of -1 and 1.5 is 0.5 (the quotient rounds to -1). The
; encoding gives something else, so the solver says sat.
; Bad: z3 4.8.6 to 4.8.9 (solution-unsound). Good: up to 4.8.5 and from 4.8.10 on.
; cvc5 wants --fp-exp for this format.
(set-logic QF_FP)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 3 4))
(declare-fun y () (_ FloatingPoint 3 4))
(assert (fp.eq x (fp #b1 #b011 #b000)))
(assert (fp.eq y (fp #b0 #b011 #b100)))
(assert (not (fp.eq (fp.rem x y) (fp #b0 #b010 #b000))))
(check-sat)
