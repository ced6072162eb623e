; Fused multiply-add with an infinite addend: the translation to bit-vectors
; fails an assertion in fpa2bv_converter.cpp.
; Bad: z3 4.8.8 to 4.8.15 (crash). Up to 4.8.7: unknown. Good: from 4.8.16 on.
(set-logic QF_FP)
(set-info :status sat)
(declare-fun x () (_ FloatingPoint 8 24))
(declare-fun r () RoundingMode)
(assert (fp.isNaN (fp.fma r x x (_ -oo 8 24))))
(check-sat)
