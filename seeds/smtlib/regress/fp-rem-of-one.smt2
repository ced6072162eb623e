; The IEEE remainder by 1 is x minus x rounded to the nearest even integer. The
; solver finds a counterexample that is none.
; Bad: z3 4.5.1 to 4.8.9 (solution-unsound). Good: from 4.8.10 on.
; cvc5 wants --fp-exp for this format.
(set-logic QF_FP)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 3 5))
(assert (not (fp.eq (fp.rem x (fp #b0 #b011 #x0)) (fp.sub RNE x (fp.roundToIntegral RNE x)))))
(assert (fp.lt (fp.abs x) (fp #b0 #b110 #x0)))
(check-sat)
