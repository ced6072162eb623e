; An integer converted to a float with few exponent bits: segmentation fault.
; Bad: cvc5 1.0.3 and 1.2.0 to 1.3.3 with --fp-exp, which this format needs
; (crash; 1.0.7 to 1.1.2 not measured). Good: cvc5 1.3.4 to 1.4.2, z3 4.5.1 to 5.4.0.
(set-logic QF_BVFP)
(set-info :status sat)
(declare-fun b () (_ BitVec 4))
(declare-fun r () RoundingMode)
(assert (fp.isZero ((_ to_fp_unsigned 3 4) r b)))
(check-sat)
