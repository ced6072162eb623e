; Which small floats are whole? The solver stops with an error about a
; bit-vector that is too large.
; No status: cvc5 1.4.2 gives none. z3 5.4.0 and cvc5 1.3.3 say sat (zero is one).
; Bad: cvc5 1.3.4 to 1.4.2 with --fp-exp, which this format needs (rejects-valid).
; z3 4.5.1 to 5.1.0: unknown. Good: cvc5 1.0.3 and 1.2.0 to 1.3.3, z3 from 5.3.0 on.
(set-logic QF_FP)
(declare-fun x () (_ FloatingPoint 3 4))
(assert (fp.eq (fp.roundToIntegral RNE x) x))
(check-sat)
