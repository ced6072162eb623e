; Comparison is total on numbers, and negation turns it round.
(set-logic QF_FP)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 8 24))
(declare-fun y () (_ FloatingPoint 8 24))
(assert (not (fp.isNaN x)))
(assert (not (fp.isNaN y)))
(assert (or
  (not (or (fp.lt x y) (fp.eq x y) (fp.gt x y)))
  (and (fp.leq x y) (not (fp.geq (fp.neg x) (fp.neg y))))
  (and (fp.isZero x) (fp.isNormal x))))
(check-sat)
